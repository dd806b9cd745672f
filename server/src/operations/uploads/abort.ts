import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/db/client.ts'
import { mediaAssets, mediaJobs, uploadParts, uploadRequests } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { Problem } from '#server/problems.ts'
import { findUpload, planOf, thumbnailKeyOf, type UploadRow } from './find.ts'

/**
 * Gives an upload up and removes its bytes; harmless to repeat. Refuses: 404, 409 `uploads/in-use`.
 */
export async function abortUploadRequest(deps: Deps, user: CurrentUser, id: string): Promise<void> {
  const upload = await deps.db.transaction(async (tx) => {
    const row = await findUpload(tx, user.id, id, 'update')
    if (row.state !== 'aborted') await markAborted(tx, row)
    return row
  })
  await removeBytes(deps, upload)
}

/**
 * Marks a locked upload as aborted and forgets its parts; refuses with 409 `uploads/in-use`. The
 * reaper ends also what a job waits for: after a week nothing comes any more.
 */
export async function markAborted(
  tx: Tx,
  upload: UploadRow,
  options: { evenIfUsed: boolean } = { evenIfUsed: false },
): Promise<void> {
  if (!options.evenIfUsed) await refuseUsed(tx, upload)
  await tx
    .update(uploadRequests)
    .set({ state: 'aborted', thumbnailKey: null })
    .where(eq(uploadRequests.id, upload.id))
  await tx.delete(uploadParts).where(eq(uploadParts.uploadRequestId, upload.id))
}

async function refuseUsed(tx: Tx, upload: UploadRow): Promise<void> {
  const [job] = await tx
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.uploadRequestId, upload.id))
    .limit(1)
  const [asset] = await tx
    .select({ id: mediaAssets.id })
    .from(mediaAssets)
    .where(eq(mediaAssets.uploadRequestId, upload.id))
    .limit(1)
  if (job !== undefined || asset !== undefined)
    throw new Problem(
      'uploads/in-use',
      'This upload is used by an edit, so it cannot be discarded.',
    )
}

/**
 * Removes what an aborted upload left in the store. After the commit: bytes that a rolled-back row
 * still names must stay.
 */
export async function removeBytes(deps: Pick<Deps, 'store'>, upload: UploadRow): Promise<void> {
  await deps.store.abortMultipart(planOf(upload), upload.storeUploadId)
  await deps.store.remove(upload.objectKey)
  await deps.store.remove(thumbnailKeyOf(upload.id))
}
