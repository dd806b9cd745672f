import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { uploadRequests } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import type { ClaimedPart } from '#server/object-store/port.ts'
import { Problem } from '#server/problems.ts'
import { findUpload, planOf, type UploadRow } from './find.ts'

/**
 * Makes the file of its parts and queues its check. Repeating gives the upload again. Refuses: 404,
 * 409 `uploads/parts-missing` with the numbers (nothing is lost), 409 `uploads/aborted`, 422 for a
 * part that is not planned.
 */
export async function completeUploadRequest(
  deps: Deps,
  user: CurrentUser,
  id: string,
  parts: readonly ClaimedPart[],
): Promise<UploadRow> {
  return await deps.db.transaction(async (tx) => {
    // The exclusive lock makes late repeats of parts wait, and then find the upload closed.
    const upload = await findUpload(tx, user.id, id, 'update')
    if (upload.state === 'aborted')
      throw new Problem(
        'uploads/aborted',
        'This upload was discarded or has expired. Please upload the video again.',
      )
    if (upload.state !== 'open') return upload
    const unplanned = parts.find((part) => part.partNumber > upload.partCount)
    if (unplanned !== undefined) {
      throw new Problem(
        'request/invalid',
        `This upload has ${upload.partCount === 1 ? 'one part' : `${upload.partCount} parts`}.`,
        { fields: { 'uploadRequest.upload.parts': `There is no part ${unplanned.partNumber}.` } },
      )
    }
    await deps.store
      .completeMultipart(planOf(upload), upload.storeUploadId, parts, tx)
      .catch((error: unknown) => {
        const missing = missingIn(error)
        if (missing === null) throw error
        throw new Problem(
          'uploads/parts-missing',
          `${missing.length} of ${upload.partCount} parts are not here yet. They will be sent again.`,
          { missingPartNumbers: missing },
        )
      })
    const uploadEndedAt = deps.clock()
    await tx
      .update(uploadRequests)
      .set({ state: 'completed', uploadEndedAt })
      .where(eq(uploadRequests.id, id))
    await deps.queue.enqueue(tx, 'validate-upload', { uploadRequestId: id }, { singletonKey: id })
    return { ...upload, state: 'completed', uploadEndedAt }
  })
}

function missingIn(error: unknown): readonly number[] | null {
  return error instanceof Error &&
    'code' in error &&
    error.code === 'object-store/parts-missing' &&
    'partNumbers' in error &&
    Array.isArray(error.partNumbers)
    ? error.partNumbers.filter((each): each is number => typeof each === 'number')
    : null
}
