import type { UploadRow } from '#server/db/rows.ts'
import { Problem } from '#server/problems.ts'
import { refuseHeld } from './refuse-held.ts'

/**
 * Refuses an upload that was given up, or whose file was deleted, with `uploads/aborted`, and one
 * that is held with `uploads/held`.
 */
export function refuseAborted(
  upload: Pick<UploadRow, 'state' | 'sourceRemovedAt' | 'heldAt'>,
  what: 'video' | 'file' = 'video',
): void {
  refuseHeld(upload)
  if (upload.sourceRemovedAt !== null)
    throw new Problem(
      'uploads/aborted',
      `This ${what} was deleted from the server. Please upload it again.`,
    )
  if (upload.state === 'aborted')
    throw new Problem(
      'uploads/aborted',
      `This upload was discarded or has expired. Please upload the ${what} again.`,
    )
}

/**
 * Refuses an upload that cannot become an edit: given up (`uploads/aborted`), held (`uploads/held`)
 * or not readable (`uploads/failed`, with the reason that the check found).
 */
export function refuseDead(
  upload: Pick<UploadRow, 'state' | 'failureReason' | 'sourceRemovedAt' | 'heldAt'>,
): void {
  refuseAborted(upload)
  if (upload.state === 'failed')
    throw new Problem(
      'uploads/failed',
      upload.failureReason ?? 'This file could not be read. Please upload another one.',
    )
}
