import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { singleFiles } from '#recipes/single-files.ts'
import { DRIVE_SAVES_PER_HOUR } from '#server/budgets.ts'
import { inTransaction, type UserCtx } from '#server/context.ts'
import {
  driveSaves,
  externalAuths,
  mediaJobs,
  mediaJobTasks,
  taskOutputs,
} from '#server/db/schema.ts'
import { grantsSaving } from '#server/drives/google.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { notFound, Problem } from '#server/problems.ts'
import { enqueueSave } from './enqueue.ts'
import { listDriveSaves, type DriveSaveFacts } from './facts.ts'

/** What is saved where. */
interface WantedSaves {
  /** Of the job. */
  readonly id: string
  readonly externalAuthId: string
  /** Null: all finished edits. */
  readonly taskIds: readonly string[] | null
}

/**
 * Begins to save the files of finished edits to a drive. Each file has one row for each drive, so
 * that repeating begins nothing twice; what failed or was cancelled begins again. Refuses: as
 * `listDriveSaves`, `external-auths/not-found`, `external-auths/save-permission-missing`,
 * `external-auths/refresh-expired`, `outputs/not-found`, `request/too-many`.
 */
export async function startDriveSaves(
  ctx: UserCtx,
  wanted: WantedSaves,
): Promise<readonly DriveSaveFacts[]> {
  // Refuses jobs of other people, and held ones.
  await listDriveSaves(ctx, wanted)
  if (ctx.driveWriter === null)
    throw new Problem(
      'system/not-built',
      'Google Drive is not available here. Download the edits instead.',
    )
  await refuseDrive(ctx, wanted)
  const outputs = await readFiles(ctx, wanted)
  if (outputs.length === 0) throw notFound('outputs/not-found')
  const now = ctx.clock()
  const begun = { state: 'open', problem: null, failure: null, attempts: 0 } as const
  const times = { nextAt: now, lastByteAt: now }
  await inTransaction(ctx, async (ctx) => {
    await countOrRefuse(ctx, {
      key: `drive-saves:${ctx.user.id}`,
      limit: DRIVE_SAVES_PER_HOUR,
      what: 'saves to a drive were begun',
    })
    const fresh = await ctx.db
      .insert(driveSaves)
      .values(
        outputs.map(({ id: outputId }) => ({
          id: ctx.newId(),
          userId: ctx.user.id,
          externalAuthId: wanted.externalAuthId,
          outputId,
          ...begun,
          ...times,
          createdAt: now,
        })),
      )
      .onConflictDoUpdate({
        target: [driveSaves.outputId, driveSaves.externalAuthId],
        // Its id at the drive stays, so that what has arrived after all is found.
        set: { ...begun, ...times },
        setWhere: inArray(driveSaves.state, ['failed', 'canceled']),
      })
      .returning({ driveSaveId: driveSaves.id })
    for (const message of fresh) await enqueueSave(ctx, message)
  })
  return await listDriveSaves(ctx, wanted)
}

async function refuseDrive(ctx: UserCtx, { externalAuthId }: WantedSaves): Promise<void> {
  const [drive] = await ctx.db
    .select()
    .from(externalAuths)
    .where(
      and(
        eq(externalAuths.id, externalAuthId),
        eq(externalAuths.userId, ctx.user.id),
        isNull(externalAuths.disconnectedAt),
      ),
    )
  if (drive === undefined) throw notFound('external-auths/not-found')
  if (!grantsSaving(drive.scopes))
    throw new Problem(
      'external-auths/save-permission-missing',
      'Your Google Drive integration cannot save files. Please reauthorize...',
    )
  if (drive.refreshCipher === null || drive.refreshBrokenAt !== null)
    throw new Problem(
      'external-auths/refresh-expired',
      'Please reconnect your Google account first...',
    )
}

async function readFiles(
  { db }: Pick<UserCtx, 'db'>,
  { id, taskIds }: WantedSaves,
): Promise<readonly { readonly id: string }[]> {
  const files = await db
    .select({ id: taskOutputs.id, contentType: taskOutputs.contentType })
    .from(taskOutputs)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(
      and(
        eq(mediaJobs.id, id),
        eq(mediaJobTasks.status, 'succeeded'),
        isNotNull(taskOutputs.objectKey),
        taskIds === null ? undefined : inArray(mediaJobTasks.id, [...taskIds]),
      ),
    )
    .orderBy(asc(mediaJobTasks.position), asc(taskOutputs.position))
  return singleFiles(files)
}
