import { eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { mediaJobs } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'
import { getMediaJob } from './find.ts'
import { readJobs, type JobFacts } from './facts.ts'
import { onlyRow } from '#server/db/only-row.ts'

/**
 * Gives the video of one of the user's jobs another name: all its jobs get it. Repeating changes
 * nothing. Refuses: `media-jobs/not-found`.
 */
export async function renameMediaJob(
  ctx: UserCtx,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<JobFacts> {
  const { job } = await getMediaJob(ctx, { id })
  return await inTransaction(ctx, async (ctx) => {
    const renamed = await ctx.db
      .update(mediaJobs)
      .set({ name: name.replaceAll('\0', '').trim() })
      .where(eq(mediaJobs.uploadRequestId, job.uploadRequestId))
      .returning()
    const jobs = renamed.filter((row) => row.id === id)
    // An account that is erased takes its jobs along.
    if (jobs.length === 0) throw notFound('media-jobs/not-found')
    return onlyRow(await readJobs(ctx, { jobs }))
  })
}
