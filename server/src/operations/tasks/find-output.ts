import { and, eq } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import type { OutputRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import { refuseHeld } from '#server/operations/uploads/refuse-held.ts'
import { notFound } from '#server/problems.ts'

/** A file among the outputs of the user's tasks, or `outputs/not-found`, or `uploads/held`. */
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
      heldAt: uploadRequests.heldAt,
    })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(
      and(
        eq(taskOutputs.id, outputId),
        eq(taskOutputs.taskId, taskId),
        eq(mediaJobs.userId, ctx.user.id),
      ),
    )
  if (output === undefined) throw notFound('outputs/not-found')
  refuseHeld(output)
  if (output.objectKey === null) throw notFound('outputs/not-found')
  return { ...output, objectKey: output.objectKey }
}
