import { FINAL_KINDS } from './machine.ts'
import type { UploadBytes, UploadStore } from './ports.ts'
import { MIB } from '#src/lib/bytes.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'
import type { UploadState } from '#src/local/db/rows.ts'

/** Copied at once: it takes a fraction of a second. */
const SMALL_BYTES = 64 * MIB
/** How long the line is watched before it is believed. */
const WATCH_MS = 3 * SECOND_MS
/** An upload that ends sooner than this needs no copy: making it costs the disk and the processor as much as a second sending. */
const SOON_MS = 10 * SECOND_MS

export interface SecureDeps {
  readonly bytes: Pick<UploadBytes, 'secure'>
  readonly clock: Pick<Clock, 'sleep'>
  readonly store: Pick<UploadStore, 'read'>
}

const SENDING: ReadonlySet<UploadState['kind']> = new Set(['preparing', 'uploading', 'finalising', 'verifying'])

/**
 * Keeps the chosen bytes for a reload beside the running upload, as soon as it is worth it: at once when nothing is being sent or the file
 * is small, else when the line turns out to need longer than a few seconds for the rest. Resolves when they are kept or not needed.
 */
export async function secureInTime(deps: SecureDeps, uploadId: string): Promise<void> {
  const { bytes, clock, store } = deps
  for (let watchedMs = 0; ; watchedMs += SECOND_MS) {
    const row = await store.read(uploadId)
    if (row === null || FINAL_KINDS.has(row.state.kind)) return
    const sizeBytes = row.file.sizeBytes
    const msLeft = row.safeBytes === 0 ? Number.POSITIVE_INFINITY : (watchedMs * (sizeBytes - row.safeBytes)) / row.safeBytes
    const isWorthIt = sizeBytes <= SMALL_BYTES || !SENDING.has(row.state.kind) || (watchedMs >= WATCH_MS && msLeft > SOON_MS)
    if (isWorthIt) return bytes.secure(row)
    await clock.sleep(SECOND_MS)
  }
}
