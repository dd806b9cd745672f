import { and, eq } from 'drizzle-orm'
import { onlyRow } from '#server/db/only-row.ts'
import type { UserCtx } from '#server/context.ts'
import { mediaJobs, uploadRequests } from '#server/db/schema.ts'
import { refuseHeld, refuseHeldJob } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound } from '#server/problems.ts'
import { readJobs, type JobFacts } from './facts.ts'

/** One of the user's jobs, or `media-jobs/not-found`, or `uploads/held`. */
export async function getMediaJob(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<JobFacts> {
  const jobs = await ctx.db
    .select()
    .from(mediaJobs)
    .where(and(eq(mediaJobs.id, id), eq(mediaJobs.userId, ctx.user.id)))
  if (jobs.length === 0) throw notFound('media-jobs/not-found')
  await refuseHeldJob(ctx, { mediaJobId: id })
  return onlyRow(await readJobs(ctx, { jobs }))
}

/**
 * Where the picture of one of the user's jobs is stored. Refuses: `media-jobs/not-found`,
 * `media-jobs/thumbnail-not-found`, `uploads/held`.
 */
export async function findThumbnail(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<{ uploadId: string; objectKey: string }> {
  const [found] = await ctx.db
    .select({
      uploadId: uploadRequests.id,
      objectKey: uploadRequests.thumbnailKey,
      heldAt: uploadRequests.heldAt,
    })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobs.id, id), eq(mediaJobs.userId, ctx.user.id)))
  if (found === undefined) throw notFound('media-jobs/not-found')
  refuseHeld(found)
  if (found.objectKey === null) throw notFound('media-jobs/thumbnail-not-found')
  return { uploadId: found.uploadId, objectKey: found.objectKey }
}
