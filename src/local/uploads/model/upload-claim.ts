import { reduceUpload, type UploadEvent } from './machine.ts'
import { partSize } from './plan.ts'
import type { ServerUpload, UploadDeps } from '#src/local/uploads/ports.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'
import { describeBug } from '#src/lib/describe-bug.ts'

/**
 * One driver's claim on one upload: its epoch, its copy of the row and parts, and the signal that
 * ends it.
 */
export interface UploadClaim {
  readonly uploadId: string
  /**
   * Aborts when the driver must let go: another context changed the upload, or the engine stops.
   */
  readonly signal: AbortSignal
  row(): UploadRow
  /** Parts known to be safe, by number, including those whose row is not written yet. */
  safeParts(): ReadonlyMap<number, UploadPartRow>
  /** True while this device has not stored something that the claim knows. */
  isUnsaved(): boolean
  /** Applies the events in one commit; events that do not fit change nothing. */
  apply(...events: readonly UploadEvent[]): Promise<void>
  confirmPart(part: Omit<UploadPartRow, 'uploadId' | 'safeAtEpochMs'>): Promise<void>
  /** Writes the number of safe bytes into the row, if the row lags behind. */
  reportSafeBytes(): Promise<void>
  /** Makes this device agree with the server's list of stored parts. */
  adopt(server: ServerUpload): Promise<void>
  /** Retries the writes that this device refused. */
  save(): Promise<void>
  close(): void
}

/**
 * The part rows are the truth, and each is written at once. Screens in all tabs follow the upload
 * row, which may lag behind on a fast network.
 */
const REPORT_EVERY_MS = 1_000

/**
 * Claims the upload: raises its epoch, applies `events` in the same commit, and watches the row.
 * Call under the lock `upload:<id>`. Null when there is no such upload.
 *
 * [Note: refused writes] A failed write (quota, broken database) never stops an upload: the claim
 * continues with its own copy and retries the write, and what a crash loses is in the server's
 * list. Even the write of the claim may fail: then the lock alone keeps other drivers away.
 */
export async function claimUpload(
  deps: UploadDeps,
  uploadId: string,
  outer: AbortSignal,
  events: readonly UploadEvent[] = [],
): Promise<UploadClaim | null> {
  const after = (row: UploadRow, happened: readonly UploadEvent[]): UploadRow =>
    happened.reduce((next, event) => reduceUpload(next, event, deps.clock.now()), row)
  const taken = (row: UploadRow): UploadRow => after(row, events)
  const refused = (thrown: unknown): void =>
    deps.log.warn('a row could not be written', describeBug(thrown))
  let isUnsaved = false
  const claimed = await deps.store
    .change(uploadId, null, (row) => taken({ ...row, epoch: row.epoch + 1 }))
    .catch(async (thrown: unknown) => {
      refused(thrown)
      const stored = await deps.store.read(uploadId)
      const next = stored === null ? null : taken(stored)
      isUnsaved = next !== stored
      return next
    })
  if (claimed === null) return null
  const letGo = new AbortController()
  const epoch = claimed.epoch
  let current = claimed
  const safe = new Map((await deps.store.parts(uploadId)).map((part) => [part.partNumber, part]))
  const unsaved = new Map<number, UploadPartRow>()
  let reportedBytes = claimed.safeBytes
  let reportedAtMs = Number.NEGATIVE_INFINITY
  const unwatch = deps.store.watch(uploadId, (row) => {
    if (row === null || row.epoch !== epoch) letGo.abort()
  })

  const counted = (row: UploadRow): UploadRow =>
    reduceUpload(row, { kind: 'safe-bytes', safeBytes: sumOf(safe) }, deps.clock.now())

  /** Runs one write. A refusal by epoch ends the claim; a failure is survived by `fallback`. */
  const write = async (
    attempt: () => Promise<UploadRow | null>,
    fallback: () => void,
  ): Promise<void> => {
    if (letGo.signal.aborted) return
    try {
      const written = await attempt()
      if (written === null) letGo.abort()
      else {
        current = counted(written)
        reportedBytes = written.safeBytes
      }
    } catch (thrown) {
      refused(thrown)
      fallback()
    }
  }

  let saving: Promise<void> | null = null
  const flush = async (): Promise<void> => {
    if (isUnsaved) {
      await write(
        async () => {
          const row = await deps.store.change(uploadId, epoch, (stored) => ({
            ...stored,
            ...driven(current),
          }))
          isUnsaved = false
          return row
        },
        () => undefined,
      )
    }
    for (const part of Array.from(unsaved.values())) {
      await write(
        async () => {
          const row = await deps.store.putPart(epoch, part, sumOf(safe))
          unsaved.delete(part.partNumber)
          return row
        },
        () => undefined,
      )
    }
  }

  return {
    uploadId,
    signal: AbortSignal.any([outer, letGo.signal]),
    row: () => current,
    safeParts: () => safe,
    isUnsaved: () => isUnsaved || unsaved.size > 0,
    apply: async (...happened) => {
      const next = after(current, happened)
      if (next === current && !isUnsaved) return
      await write(
        async () => {
          const row = await deps.store.change(uploadId, epoch, (stored) =>
            isUnsaved ? next : after(counted(stored), happened),
          )
          isUnsaved = false
          return row
        },
        () => {
          current = next
          isUnsaved = true
        },
      )
    },
    confirmPart: async (confirmed) => {
      const part: UploadPartRow = { ...confirmed, uploadId, safeAtEpochMs: deps.clock.now() }
      safe.set(part.partNumber, part)
      if (isUnsaved || unsaved.size > 0) await flush()
      const isReported = Math.abs(part.safeAtEpochMs - reportedAtMs) >= REPORT_EVERY_MS
      if (isReported) reportedAtMs = part.safeAtEpochMs
      await write(
        () => deps.store.putPart(epoch, part, isReported ? sumOf(safe) : null),
        () => {
          unsaved.set(part.partNumber, part)
          current = counted(current)
          isUnsaved = true
        },
      )
    },
    reportSafeBytes: async () => {
      if (current.safeBytes <= reportedBytes || isUnsaved) return
      reportedAtMs = deps.clock.now()
      await write(
        () => deps.store.change(uploadId, epoch, counted),
        () => undefined,
      )
    },
    adopt: async (server) => {
      const listed = storedParts(current, server, safe, deps.clock.now())
      if (listed === null || isSameSet(listed, safe)) return
      safe.clear()
      for (const part of listed) safe.set(part.partNumber, part)
      unsaved.clear()
      await write(
        () => deps.store.replaceParts(uploadId, epoch, listed),
        () => {
          for (const part of listed) unsaved.set(part.partNumber, part)
        },
      )
    },
    save: () => {
      saving ??= flush().finally(() => {
        saving = null
      })
      return saving
    },
    close: () => {
      unwatch()
      letGo.abort()
    },
  }
}

/** The fields of the row that only its driver changes. */
function driven({
  state,
  plan,
  uploadRequestId,
  safeBytes,
  updatedAtEpochMs,
}: UploadRow): Partial<UploadRow> {
  return { state, plan, uploadRequestId, safeBytes, updatedAtEpochMs }
}

/**
 * The server's stored parts as rows; parts of another size than planned are left out. Keeps our
 * hash where the ETag is the same.
 */
function storedParts(
  row: UploadRow,
  server: ServerUpload,
  known: ReadonlyMap<number, UploadPartRow>,
  nowEpochMs: number,
): readonly UploadPartRow[] | null {
  const { plan } = row
  if (plan === null) return null
  return server.parts.flatMap((part): readonly UploadPartRow[] => {
    if (
      part.eTag === null ||
      part.partNumber > plan.partCount ||
      part.storedBytes !== partSize(plan, part.partNumber)
    )
      return []
    const ours = known.get(part.partNumber)
    return [
      ours?.eTag === part.eTag
        ? ours
        : {
            uploadId: row.id,
            partNumber: part.partNumber,
            eTag: part.eTag,
            sizeBytes: part.storedBytes,
            sha256: '',
            safeAtEpochMs: nowEpochMs,
          },
    ]
  })
}

function isSameSet(
  listed: readonly UploadPartRow[],
  known: ReadonlyMap<number, UploadPartRow>,
): boolean {
  return (
    listed.length === known.size &&
    listed.every((part) => known.get(part.partNumber)?.eTag === part.eTag)
  )
}

function sumOf(parts: ReadonlyMap<number, UploadPartRow>): number {
  return Array.from(parts.values()).reduce((sum, part) => sum + part.sizeBytes, 0)
}
