import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Problem } from '#server/problems.ts'
import { createBatches } from './batches.ts'
import type { DiskRoom } from './disk-room.ts'
import { takeFetched, type FetchedPart } from './fetched-part.ts'
import { openHeldRecord } from './held-parts.ts'
import { finish, uploadEnded, writeAll, type OpenPart } from './open-part.ts'
import type { PartLedger } from './part-ledger.ts'
import type { PartTurns } from './part-turns.ts'
import type { PartGrant } from './part-url.ts'
import { receiveBody } from './receive-body.ts'
import { createUserRoom } from './user-room.ts'

/** One attempt to send a part, or the rest of one. */
interface PartAttempt {
  readonly grant: PartGrant
  /** Where the body begins in the part; not 0 only with a checksum. */
  readonly offset: number
  /** Bytes of the body, at least 1; with `offset` not more than the part has. */
  readonly sizeBytes: number
  readonly body: Readable
  /** Base64 of the SHA-256 of the whole part (`x-amz-checksum-sha256`), or null. */
  readonly checksumSha256: string | null
}

/** What the store has of a part: all of it, or its first `offset` bytes. */
type PartState =
  | { readonly kind: 'stored'; readonly eTag: string }
  | { readonly kind: 'held'; readonly offset: number }

/** How an attempt ended: `refused` when it did not begin at what is held. */
export type PartOutcome = PartState | { readonly kind: 'refused'; readonly offset: number }

/**
 * Parts of a disk store. Refuses with `parts/upload-ended`, `parts/busy` and `uploads/no-space`
 * (both before the body is read), and `parts/superseded`.
 */
export interface PartWriter {
  /**
   * Stores a part durably, or keeps the bytes when more are missing. An attempt with a checksum
   * that breaks off keeps what arrived; it throws `parts/idle` then. Throws `parts/damaged` when
   * the whole part is not what the checksum says; nothing of it is kept.
   */
  write(attempt: PartAttempt): Promise<PartOutcome>
  /** Stores a part durably whose bytes this server gets itself. Throws also what they throw. */
  writeFetched(part: FetchedPart): Promise<void>
  /** What is there of the part with this checksum. Ends an attempt that still receives. */
  look(grant: PartGrant, checksumSha256: string | null): Promise<PartState>
}

interface PartWriterDeps {
  readonly room: Pick<DiskRoom, 'enter'>
  fileOf(uploadId: string): string
  heldFileOf(uploadId: string): string
  readonly ledger: PartLedger
  readonly turns: PartTurns
  /** An attempt without a byte for this long is over; 60 s by default. */
  readonly idleMs?: number
}

const PART_IDLE_MS = 60_000

/**
 * Writes parts at their place in the upload's file. See [Note: one writer a part] in part-turns.ts
 * and [Note: held file] in held-parts.ts.
 */
export function createPartWriter(deps: PartWriterDeps): PartWriter {
  const users = createUserRoom()
  const inTurn = async <T>(
    grant: PartGrant,
    checksumSha256: string | null,
    work: (part: OpenPart, state: PartState) => Promise<T>,
  ): Promise<T> =>
    await deps.turns.take(grant, async (turn) => {
      const { ledger } = deps
      // Opened before anything is changed: when it is not there (completed or aborted), nothing is.
      await using file = await openUpload(deps.fileOf(grant.uploadId))
      await using held = await openHeldRecord(deps.heldFileOf(grant.uploadId), grant.partNumber)
      const entry = await ledger.look(grant.uploadId, grant.partNumber)
      const kept = await held.read()
      if (entry.kind === 'ended') throw uploadEnded()
      const part = { ledger, entry, grant, checksumSha256, file, held, kept, turn }
      return await work(part, await readState(part))
    })
  const inRoom = async <T>(
    { entry, grant, turn }: OpenPart,
    partBytes: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    using place = users.enter(entry.userId)
    await deps.room.enter({ uploadId: grant.uploadId, partBytes })
    return await work(AbortSignal.any([turn.signal, place.signal]))
  }
  return {
    write: async (attempt) =>
      await inTurn(attempt.grant, attempt.checksumSha256, async (part, state) => {
        if (state.kind === 'stored') return state
        if (attempt.offset !== 0 && attempt.offset !== state.offset)
          return { kind: 'refused', offset: state.offset }
        const idleMs = deps.idleMs ?? PART_IDLE_MS
        return await inRoom(
          part,
          attempt.sizeBytes,
          async (signal) => await receive(part, state.offset, attempt, { signal, idleMs }),
        )
      }),
    writeFetched: async (fetched) =>
      await inTurn(fetched.grant, null, async (part) => {
        const { sizeBytes } = fetched.grant
        await inRoom(part, sizeBytes, async (signal) => await takeFetched(part, fetched, signal))
      }),
    look: async (grant, checksumSha256) =>
      await inTurn(grant, checksumSha256, async (_part, state) => state),
  }
}

async function openUpload(path: string): Promise<FileHandle> {
  return await open(path, 'r+').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw uploadEnded()
    throw error
  })
}

/**
 * What is there of the version that is meant. A part of which all bytes are held lost only its row,
 * to a crash or to a database that was away: it is stored now, or dropped when it is damaged.
 */
async function readState(part: OpenPart): Promise<PartState> {
  const { entry, grant, checksumSha256, held, kept } = part
  if (checksumSha256 === null) return { kind: 'held', offset: 0 }
  if (entry.kind === 'stored' && entry.checksumSha256 === checksumSha256)
    return { kind: 'stored', eTag: entry.eTag }
  const offset = kept?.checksumSha256 === checksumSha256 ? kept.bytes : 0
  if (offset < grant.sizeBytes) return { kind: 'held', offset }
  if (offset > grant.sizeBytes) await held.clear()
  const eTag = offset === grant.sizeBytes ? await finish(part, null) : null
  return eTag === null ? { kind: 'held', offset: 0 } : { kind: 'stored', eTag }
}

/** Takes the body, and stores the part if it is whole then. */
async function receive(
  part: OpenPart,
  heldBefore: number,
  attempt: PartAttempt,
  until: { readonly signal: AbortSignal; readonly idleMs: number },
): Promise<PartOutcome> {
  const { ledger, grant, held, kept, turn } = part
  if (part.entry.kind === 'stored' && !(await ledger.forget(grant.uploadId, grant.partNumber)))
    throw uploadEnded()
  // What is held of another version is overwritten now.
  if (kept !== null && heldBefore === 0) await held.clear()

  const end = attempt.offset + attempt.sizeBytes
  const isWhole = attempt.sizeBytes === grant.sizeBytes
  const hash = isWhole ? createHash('sha256') : null
  const batches = createBatches(async (chunks, bytes, before) => {
    turn.throwIfLost()
    await writeAll(part.file, chunks, bytes, grant.offset + attempt.offset + before)
    await keep(part, heldBefore, attempt.offset + before + bytes)
  })
  try {
    await receiveBody(attempt.body, {
      ...until,
      sizeBytes: attempt.sizeBytes,
      take(chunk) {
        hash?.update(chunk)
        return batches.take(chunk)
      },
    })
  } catch (error) {
    await batches.end().catch(() => {})
    throw error
  }
  await batches.end()
  // More of it was held before when an attempt began again without asking.
  if (end < grant.sizeBytes) return { kind: 'held', offset: Math.max(end, heldBefore) }
  const eTag = await finish(part, hash)
  if (eTag === null) throw damaged()
  return { kind: 'stored', eTag }
}

/** Notes what is held after a batch, unless more of the same version was held before. */
async function keep(
  { held, checksumSha256 }: OpenPart,
  heldBefore: number,
  bytes: number,
): Promise<void> {
  if (checksumSha256 !== null && bytes > heldBefore) await held.write({ checksumSha256, bytes })
}

function damaged(): Problem {
  return new Problem('parts/damaged', 'This part was damaged in transit. It will be sent again.')
}
