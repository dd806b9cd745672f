import { KEEPING, SENDING, untilIdle, type WhenIdleDeps } from './when-idle.ts'
import { isFinal } from '#src/local/db/upload-states.ts'
import type { UploadBytes } from '#src/local/uploads/ports.ts'
import { MIB } from '#src/lib/bytes.ts'

/** A file up to this size is copied at once: that takes a fraction of a second. */
const SMALL_BYTES = 64 * MIB

/** A file that has arrived needs no copy, unless the server finds that a part is missing. */
const NO_COPY_YET = new Set([...SENDING, 'verifying' as const])

export interface CopyDeps extends WhenIdleDeps {
  readonly bytes: Pick<UploadBytes, 'keepCopy'>
}

/**
 * Copies the chosen bytes into the database for a reload, as soon as that does not slow the upload
 * down: at once when the file is small or nothing is being sent, else when the upload turns out to
 * need more than a few seconds for the rest. The copy costs the disk and the processor as much as
 * sending the file again. Resolves when the copy exists or is not needed.
 */
export async function copyWhenIdle(deps: CopyDeps, uploadId: string): Promise<void> {
  const begun = await deps.store.read(uploadId)
  const row =
    begun !== null && begun.file.sizeBytes <= SMALL_BYTES
      ? begun
      : await untilIdle(deps, uploadId, KEEPING, NO_COPY_YET)
  if (row !== null && !isFinal(row.state.kind)) await deps.bytes.keepCopy(row)
}
