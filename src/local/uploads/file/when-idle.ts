import type { UploadStore } from '#src/local/uploads/ports.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isSending, UPLOAD_KINDS, type UploadKind } from '#src/local/db/upload-states.ts'

/** What is judged by the pace of an upload. */
export interface Patience {
  /** How long the rate is watched before it decides. */
  readonly watchMs: number
  /** An upload of which nothing is safe after this time is on a slow network. */
  readonly nothingSafeMs: number
  /** If the rest takes less than this, it is waited for. */
  readonly soonMs: number
}

/**
 * Within ten seconds of its end, the processor and the disk limit an upload, not the network. For
 * what keeps the file from being lost: begins early.
 */
export const KEEPING: Patience = {
  watchMs: 3 * SECOND_MS,
  nothingSafeMs: 3 * SECOND_MS,
  soonMs: 10 * SECOND_MS,
}
/**
 * For what only costs the processor. On a fast network five parts become safe together, so that
 * nothing is safe at first there either.
 */
export const LOOKING: Patience = { ...KEEPING, nothingSafeMs: 15 * SECOND_MS }

export interface WhenIdleDeps {
  readonly clock: Pick<Clock, 'sleep'>
  readonly store: Pick<UploadStore, 'read'>
}

/** States in which bytes are being sent, or are about to be. */
export const SENDING: ReadonlySet<UploadKind> = new Set(UPLOAD_KINDS.filter(isSending))

/** How an upload moved while it was watched. */
export interface Pace {
  readonly watchedMs: number
  /** What became safe meanwhile; whole parts only. */
  readonly gainedBytes: number
  readonly leftBytes: number
}

/** Whether the rest of an upload takes long enough that other work costs it little. */
export function needsLong(
  { watchedMs, gainedBytes, leftBytes }: Pace,
  patience: Patience,
): boolean {
  if (watchedMs < patience.watchMs) return false
  if (gainedBytes <= 0) return watchedMs >= patience.nothingSafeMs
  return (watchedMs * leftBytes) / gainedBytes > patience.soonMs
}

/**
 * Waits until other work on this device does not slow the upload down: the upload is over (or gone:
 * null), nothing is being sent, or the network needs more than a few seconds for the rest. Call
 * when the upload starts. Rejects when the row cannot be read.
 *
 * @param busy the states in which other work may slow the upload down
 */
export async function untilIdle(
  { clock, store }: WhenIdleDeps,
  uploadId: string,
  patience: Patience,
  busy = SENDING,
): Promise<UploadRow | null> {
  for (let watchedMs = 0; ; watchedMs += SECOND_MS) {
    const row = await store.read(uploadId)
    if (row === null || !busy.has(row.state.kind)) return row
    const leftBytes = row.file.sizeBytes - row.safeBytes
    if (needsLong({ watchedMs, gainedBytes: row.safeBytes, leftBytes }, patience)) return row
    await clock.sleep(SECOND_MS)
  }
}
