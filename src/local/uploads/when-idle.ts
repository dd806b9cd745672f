import type { UploadStore } from './ports.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'

/** How long the line is watched before it is believed. */
const WATCH_MS = 3 * SECOND_MS
/**
 * On a line so quick that the rest takes less, the processor and the disk are what an upload waits
 * for.
 */
const SOON_MS = 10 * SECOND_MS

export interface WhenIdleDeps {
  readonly clock: Pick<Clock, 'sleep'>
  readonly store: Pick<UploadStore, 'read'>
}

/** States in which bytes are on their way, or about to be. */
export const SENDING: ReadonlySet<UploadState['kind']> = new Set([
  'preparing',
  'uploading',
  'finalising',
])

/**
 * Waits until work beside an upload does not hold it up: it is over (or gone: null), nothing of it
 * is being sent, or its line turns out to need longer than a few seconds for the rest. Call when it
 * begins. Rejects when the row cannot be read.
 *
 * @param busy the states in which it may still be held up
 */
export async function untilIdle(
  { clock, store }: WhenIdleDeps,
  uploadId: string,
  busy = SENDING,
): Promise<UploadRow | null> {
  for (let watchedMs = 0; ; watchedMs += SECOND_MS) {
    const row = await store.read(uploadId)
    if (row === null || !busy.has(row.state.kind)) return row
    const msLeft =
      row.safeBytes === 0
        ? Number.POSITIVE_INFINITY
        : (watchedMs * (row.file.sizeBytes - row.safeBytes)) / row.safeBytes
    if (watchedMs >= WATCH_MS && msLeft > SOON_MS) return row
    await clock.sleep(SECOND_MS)
  }
}
