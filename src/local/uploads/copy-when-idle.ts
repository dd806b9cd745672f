import { SENDING, untilIdle, type WhenIdleDeps } from './when-idle.ts'
import { FINAL_KINDS } from './machine.ts'
import type { UploadBytes } from './ports.ts'
import { MIB } from '#src/lib/bytes.ts'

/** Copied at once: it takes a fraction of a second. */
const SMALL_BYTES = 64 * MIB

/** What has arrived needs no copy, unless the server finds that something is missing. */
const NO_COPY_YET = new Set([...SENDING, 'verifying' as const])

export interface CopyDeps extends WhenIdleDeps {
  readonly bytes: Pick<UploadBytes, 'keepCopy'>
}

/**
 * Keeps the chosen bytes for a reload beside the running upload, as soon as it is worth it: at once
 * when nothing is being sent or the file is small, else when the line turns out to need longer than
 * a few seconds for the rest: making the copy costs the disk and the processor as much as a second
 * sending. Resolves when they are kept or not needed.
 */
export async function copyWhenIdle(deps: CopyDeps, uploadId: string): Promise<void> {
  const begun = await deps.store.read(uploadId)
  const row =
    begun !== null && begun.file.sizeBytes <= SMALL_BYTES
      ? begun
      : await untilIdle(deps, uploadId, NO_COPY_YET)
  if (row !== null && !FINAL_KINDS.has(row.state.kind)) await deps.bytes.keepCopy(row)
}
