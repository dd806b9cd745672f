import type { UploadStore } from '#src/local/uploads/ports.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isSending, UPLOAD_KINDS, type UploadKind } from '#src/local/db/upload-states.ts'

/** How long the rate is watched before it decides. */
const WATCH_MS = 3 * SECOND_MS
/**
 * If the rest takes less than this, the processor and the disk limit the upload, not the network.
 */
const SOON_MS = 10 * SECOND_MS

export interface WhenIdleDeps {
  readonly clock: Pick<Clock, 'sleep'>
  readonly store: Pick<UploadStore, 'read'>
}

/** States in which bytes are being sent, or are about to be. */
export const SENDING: ReadonlySet<UploadKind> = new Set(UPLOAD_KINDS.filter(isSending))

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
