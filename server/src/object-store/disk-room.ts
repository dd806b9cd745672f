import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  HEAD_START_BYTES,
  PROMISE_LIFE_MS,
  RESULTS_ROOM_BYTES,
  ROOM_LOOK_MS,
} from '#server/budgets.ts'
import { Problem } from '#server/problems.ts'

/** An unfinished upload as its file shows it. */
export interface UnfinishedUpload {
  readonly uploadId: string
  readonly sizeBytes: number
  /** Of them on the disk. */
  readonly sentBytes: number
  readonly lastSentAt: Date
}

/** The disk at one moment. `freeBytes` is what uploads may take: what others need is taken off. */
export interface DiskLook {
  readonly freeBytes: number
  readonly uploads: readonly UnfinishedUpload[]
  readonly at: Date
}

/**
 * What an upload reserves of the disk beside its bytes: as much again as it has sent, so that room
 * is kept from others only by those who pay for it with bytes.
 */
export function promisedBytes(
  { sizeBytes, sentBytes, lastSentAt }: Omit<UnfinishedUpload, 'uploadId'>,
  now: Date,
): number {
  if (now.getTime() - lastSentAt.getTime() > PROMISE_LIFE_MS) return 0
  return Math.min(Math.max(0, sizeBytes - sentBytes), Math.max(HEAD_START_BYTES, sentBytes))
}

/** What a new upload may count on; less than 0 when more was promised than is there. */
export function spareBytes({ freeBytes, uploads, at }: DiskLook): number {
  return uploads.reduce((spare, upload) => spare - promisedBytes(upload, at), freeBytes)
}

/**
 * Whether `partBytes` of an upload may be stored now. All uploads together may be promised more
 * than there is, because most of their bytes are not there yet. Those with the least to send go
 * first when it gets tight: the first of them is never kept waiting by the others, so that uploads
 * cannot wait for each other in a circle.
 */
export function takesPart(
  { freeBytes, uploads, at }: DiskLook,
  { uploadId, partBytes }: { readonly uploadId: string; readonly partBytes: number },
): boolean {
  const own = uploads.find((upload) => upload.uploadId === uploadId)
  const first = uploads.filter((upload) => own !== undefined && isBefore(upload, own))
  const kept = first.reduce((sum, upload) => sum + promisedBytes(upload, at), 0)
  return freeBytes - kept >= partBytes
}

function isBefore(a: UnfinishedUpload, b: UnfinishedUpload): boolean {
  const difference = a.sizeBytes - a.sentBytes - (b.sizeBytes - b.sentBytes)
  return difference === 0 ? a.uploadId < b.uploadId : difference < 0
}

/** The room of a disk for uploads. */
export interface DiskRoom {
  /** What is free above the floor. */
  aboveFloor(): Promise<number>
  /** What a new upload may count on now. */
  spare(): Promise<number>
  /** Throws `uploads/no-space` when the part must wait. What was let in counts as taken. */
  enter(part: { readonly uploadId: string; readonly partBytes: number }): Promise<void>
}

interface DiskRoomDeps {
  readonly multipartDir: string
  /** Free bytes of the file system. */
  freeBytes(): Promise<number>
  /** Bytes that stay free for the database. */
  readonly floorBytes: number
  readonly clock: () => Date
}

export function createDiskRoom(deps: DiskRoomDeps): DiskRoom {
  const aboveFloor = async (): Promise<number> => (await deps.freeBytes()) - deps.floorBytes
  const look = async (): Promise<DiskLook> => ({
    freeBytes: (await aboveFloor()) - RESULTS_ROOM_BYTES,
    uploads: await readUnfinished(deps.multipartDir),
    at: deps.clock(),
  })
  let last: { readonly look: Promise<DiskLook>; readonly atMs: number; letIn: number } | null = null
  return {
    aboveFloor,
    spare: async () => spareBytes(await look()),
    async enter(part) {
      const now = performance.now()
      if (last === null || now - last.atMs > ROOM_LOOK_MS)
        last = { look: look(), atMs: now, letIn: 0 }
      const current = last
      const seen = await current.look.catch((error: unknown) => {
        last = null
        throw error
      })
      const freeBytes = seen.freeBytes - current.letIn
      if (!takesPart({ ...seen, freeBytes }, part)) throw noSpace()
      current.letIn += part.partBytes
    },
  }
}

async function readUnfinished(multipartDir: string): Promise<UnfinishedUpload[]> {
  const uploads: UnfinishedUpload[] = []
  for (const uploadId of await readdir(multipartDir).catch(() => [])) {
    const facts = await stat(join(multipartDir, uploadId)).catch(() => null)
    if (facts === null) continue
    const sentBytes = Math.min(facts.size, facts.blocks * 512)
    uploads.push({ uploadId, sizeBytes: facts.size, sentBytes, lastSentAt: facts.mtime })
  }
  return uploads
}

/** A part waits: it is sent again when the time has passed. */
function noSpace(): Problem {
  return new Problem(
    'uploads/no-space',
    'The server has no space left right now. What you have uploaded is safe. Please try again later.',
  )
}
