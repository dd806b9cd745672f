import { and, asc, eq, exists, isNull, lt, lte, ne, or } from 'drizzle-orm'
import { inTransaction, type Ctx, type ReadCtx, type TxCtx } from '#server/context.ts'
import {
  driveSaves,
  mediaJobs,
  mediaJobTasks,
  taskOutputs,
  uploadRequests,
} from '#server/db/schema.ts'
import { SILENT_MS } from '#server/operations/core/note-often.ts'

/** Queues a save; does nothing while a message of it waits. */
export async function enqueueSave(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { driveSaveId, startAfterS }: { readonly driveSaveId: string; readonly startAfterS?: number },
): Promise<void> {
  await ctx.queue.enqueue(
    ctx.db,
    'save-to-drive',
    { driveSaveId },
    { singletonKey: driveSaveId, ...(startAfterS === undefined ? {} : { startAfterS }) },
  )
}

/** Queues the saves that are due and that no process sends: all, or the next of one account. */
export async function enqueueDueSaves(
  ctx: Ctx,
  of: { readonly userId: string } | 'everyone',
): Promise<void> {
  const now = ctx.clock()
  const due = ctx.db
    .select({ driveSaveId: driveSaves.id })
    .from(driveSaves)
    .where(
      and(
        isOpenSave(ctx),
        lte(driveSaves.nextAt, now),
        or(isNull(driveSaves.problem), ne(driveSaves.problem, 'sign-in')),
        or(isNull(driveSaves.seenAt), lt(driveSaves.seenAt, new Date(now.getTime() - SILENT_MS))),
        of === 'everyone' ? undefined : eq(driveSaves.userId, of.userId),
      ),
    )
    .orderBy(asc(driveSaves.nextAt), asc(driveSaves.id))
  for (const message of of === 'everyone' ? await due : await due.limit(1))
    await inTransaction(ctx, async (ctx) => await enqueueSave(ctx, message))
}

/** Goes on with the saves that waited for a drive to be connected again. */
export async function resumeSavesTo(
  ctx: TxCtx,
  { externalAuthId }: { readonly externalAuthId: string },
): Promise<void> {
  const now = ctx.clock()
  const resumed = await ctx.db
    .update(driveSaves)
    .set({ problem: null, attempts: 0, nextAt: now, lastByteAt: now })
    .where(
      and(
        eq(driveSaves.externalAuthId, externalAuthId),
        eq(driveSaves.state, 'open'),
        eq(driveSaves.problem, 'sign-in'),
      ),
    )
    .returning({ driveSaveId: driveSaves.id })
  for (const message of resumed) await enqueueSave(ctx, message)
}

/** That a save is to be sent, and its video is not held after a report. */
export function isOpenSave(ctx: Pick<ReadCtx, 'db'>) {
  return and(eq(driveSaves.state, 'open'), isNotHeld(ctx))
}

/** That the video of a save is not held after a report. */
export function isNotHeld({ db }: Pick<ReadCtx, 'db'>) {
  const free = db
    .select({ id: uploadRequests.id })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(taskOutputs.id, driveSaves.outputId), isNull(uploadRequests.heldAt)))
  return exists(free)
}
