import { and, eq, isNotNull } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { mediaJobTasks } from '#server/db/schema.ts'

/** Whether edits of a job were begun from an excerpt of its video. */
export async function hasBegunFromExcerpt(
  ctx: Pick<TxCtx, 'db'>,
  mediaJobId: string,
): Promise<boolean> {
  const [begun] = await ctx.db
    .select({ id: mediaJobTasks.id })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, mediaJobId), isNotNull(mediaJobTasks.sourceUploadId)))
    .limit(1)
  return begun !== undefined
}
