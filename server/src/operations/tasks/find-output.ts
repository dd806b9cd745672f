import { and, eq } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import type { OutputRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'

/** A file among the outputs of the user's tasks, or `outputs/not-found`. */
export async function findOutput(
  ctx: UserCtx,
  { taskId, outputId }: { readonly taskId: string; readonly outputId: string },
): Promise<Pick<OutputRow, 'id' | 'fileName' | 'contentType'> & { readonly objectKey: string }> {
  const [output] = await ctx.db
    .select({
      id: taskOutputs.id,
      fileName: taskOutputs.fileName,
      contentType: taskOutputs.contentType,
      objectKey: taskOutputs.objectKey,
    })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(
      and(
        eq(taskOutputs.id, outputId),
        eq(taskOutputs.taskId, taskId),
        eq(mediaJobs.userId, ctx.user.id),
      ),
    )
  if (output === undefined || output.objectKey === null) throw notFound('outputs/not-found')
  return { ...output, objectKey: output.objectKey }
}
