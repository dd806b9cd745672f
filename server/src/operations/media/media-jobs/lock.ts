import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { mediaJobs } from '#server/db/schema.ts'

/** Takes a job's lock ([Note: lock order] in orders/find.ts). */
export async function lockJobRow(
  ctx: Pick<TxCtx, 'db'>,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  await ctx.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.id, mediaJobId))
    .for('update')
}

/** The jobs of an upload, in the order in which they are locked. */
export async function readJobIds(
  ctx: Pick<TxCtx, 'db'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<readonly string[]> {
  const jobs = await ctx.db
    .select({ id: mediaJobs.id })
    .from(mediaJobs)
    .where(eq(mediaJobs.uploadRequestId, uploadRequestId))
    .orderBy(mediaJobs.id)
  return jobs.map(({ id }) => id)
}
