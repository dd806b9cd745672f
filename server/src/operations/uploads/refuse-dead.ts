import type { UploadRow } from '#server/db/rows.ts'
import { Problem } from '#server/problems.ts'

/** Refuses an upload that was given up, with `uploads/aborted`. */
export function refuseAborted(
  upload: Pick<UploadRow, 'state'>,
  what: 'video' | 'file' = 'video',
): void {
  if (upload.state === 'aborted')
    throw new Problem(
      'uploads/aborted',
      `This upload was discarded or has expired. Please upload the ${what} again.`,
    )
}

/**
 * Refuses an upload that cannot become an edit: given up (`uploads/aborted`) or not readable
 * (`uploads/failed`, with the reason that the check found).
 */
export function refuseDead(upload: Pick<UploadRow, 'state' | 'failureReason'>): void {
  refuseAborted(upload)
  if (upload.state === 'failed')
    throw new Problem(
      'uploads/failed',
      upload.failureReason ?? 'This file could not be read. Please upload another one.',
    )
}
