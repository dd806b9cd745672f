import { and, eq, inArray } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import { driveSaves, mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { listDriveSaves, type DriveSaveFacts } from './facts.ts'

/**
 * Stops saving results of a job, of one edit or of all. What is saved stays; repeating is harmless.
 * Refuses as `listDriveSaves`.
 */
export async function cancelDriveSaves(
  ctx: UserCtx,
  { id, taskId }: { readonly id: string; readonly taskId: string | undefined },
): Promise<readonly DriveSaveFacts[]> {
  // Refuses jobs of other people.
  await listDriveSaves(ctx, { id })
  const outputs = ctx.db
    .select({ id: taskOutputs.id })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .where(
      and(
        eq(mediaJobTasks.mediaJobId, id),
        taskId === undefined ? undefined : eq(mediaJobTasks.id, taskId),
      ),
    )
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .update(driveSaves)
      .set({ state: 'canceled' })
      .where(and(inArray(driveSaves.outputId, outputs), eq(driveSaves.state, 'open')))
  })
  return await listDriveSaves(ctx, { id })
}

/** Cancels what is not saved yet to a drive that is disconnected, and forgets where it went. */
export async function cancelSavesTo(
  ctx: TxCtx,
  { externalAuthId }: { readonly externalAuthId: string },
): Promise<void> {
  await ctx.db
    .update(driveSaves)
    .set({ state: 'canceled', sessionCipher: null })
    .where(and(eq(driveSaves.externalAuthId, externalAuthId), eq(driveSaves.state, 'open')))
}
