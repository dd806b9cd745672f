import { and, eq, type SQL } from 'drizzle-orm'
import type { Ctx, UserCtx } from '#server/context.ts'
import type { OutputRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound } from '#server/problems.ts'

/** A file that a task has made. */
export type FoundOutput = Pick<OutputRow, 'id' | 'fileName' | 'contentType'> & {
  readonly objectKey: string
}

/** A file among the outputs of the user's tasks, or `outputs/not-found`, or `uploads/held`. */
export async function findOutput(
  ctx: UserCtx,
  { taskId, outputId }: { readonly taskId: string; readonly outputId: string },
): Promise<FoundOutput> {
  return await find(
    ctx,
    and(
      eq(taskOutputs.id, outputId),
      eq(taskOutputs.taskId, taskId),
      eq(mediaJobs.userId, ctx.user.id),
    ),
  )
}

/** The same of any user, for who may have it by other means. */
export async function findOutputById(
  ctx: Pick<Ctx, 'db'>,
  { outputId }: { readonly outputId: string },
): Promise<FoundOutput> {
  return await find(ctx, eq(taskOutputs.id, outputId))
}

async function find({ db }: Pick<Ctx, 'db'>, which: SQL | undefined): Promise<FoundOutput> {
  const [output] = await db
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
    .where(which)
  if (output === undefined) throw notFound('outputs/not-found')
  refuseHeld(output)
  if (output.objectKey === null) throw notFound('outputs/not-found')
  return { ...output, objectKey: output.objectKey }
}
