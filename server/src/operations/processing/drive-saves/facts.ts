import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import type { ReadCtx, UserCtx } from '#server/context.ts'
import type { DriveSaveRow, OutputRow } from '#server/db/rows.ts'
import { driveSaves, mediaJobs, mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { SILENT_MS } from '#server/operations/core/note-often.ts'
import { refuseHeldJob } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound } from '#server/problems.ts'

/** A file that is saved to a drive, and how far that is. */
export interface DriveSaveFacts {
  readonly save: DriveSaveRow
  readonly output: Pick<OutputRow, 'taskId' | 'fileName' | 'sizeBytes'>
  readonly mediaJobId: string
  /** A process sends it now. */
  readonly isRunning: boolean
  /**
   * `turn`: other saves come first; `sign-in`: the drive must be connected again. Null while it
   * runs, and once it has ended.
   */
  readonly waitsFor: 'turn' | 'drive' | 'sign-in' | null
  /** Until it is tried again; null unless it waits for the drive. */
  readonly nextInS: number | null
}

/**
 * The saves of the results of one of the user's jobs, in the order of the edits. Refuses:
 * `media-jobs/not-found`, `uploads/held`.
 */
export async function listDriveSaves(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<readonly DriveSaveFacts[]> {
  const isOwn = and(eq(mediaJobs.id, id), eq(mediaJobs.userId, ctx.user.id))
  if ((await ctx.db.$count(mediaJobs, isOwn)) === 0) throw notFound('media-jobs/not-found')
  await refuseHeldJob(ctx, { mediaJobId: id })
  return await readSaves(ctx, eq(mediaJobTasks.mediaJobId, id))
}

/** Saves by their ids, for a copy of the account. */
export async function readSavesById(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  { ids }: { readonly ids: readonly string[] },
): Promise<readonly DriveSaveFacts[]> {
  return await readSaves(ctx, inArray(driveSaves.id, [...ids]))
}

async function readSaves(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  which: SQL,
): Promise<readonly DriveSaveFacts[]> {
  const rows = await ctx.db
    .select({
      save: driveSaves,
      output: {
        taskId: taskOutputs.taskId,
        fileName: taskOutputs.fileName,
        sizeBytes: taskOutputs.sizeBytes,
      },
      mediaJobId: mediaJobTasks.mediaJobId,
    })
    .from(driveSaves)
    .innerJoin(taskOutputs, eq(taskOutputs.id, driveSaves.outputId))
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .where(which)
    .orderBy(asc(mediaJobTasks.position), asc(taskOutputs.position), asc(driveSaves.id))
  const nowMs = ctx.clock().getTime()
  return rows.map((row) => ({ ...row, ...standingOf(row.save, nowMs) }))
}

const WAITS = { away: 'drive', 'sign-in': 'sign-in' } as const satisfies Record<
  NonNullable<DriveSaveRow['problem']>,
  DriveSaveFacts['waitsFor']
>

function standingOf(
  { state, problem, nextAt, seenAt }: DriveSaveRow,
  nowMs: number,
): Pick<DriveSaveFacts, 'isRunning' | 'waitsFor' | 'nextInS'> {
  const isRunning = state === 'open' && seenAt !== null && nowMs - seenAt.getTime() < SILENT_MS
  if (state !== 'open' || isRunning) return { isRunning, waitsFor: null, nextInS: null }
  const restS = Math.ceil(Math.max(0, nextAt.getTime() - nowMs) / 1000)
  return {
    isRunning,
    waitsFor: problem === null ? 'turn' : WAITS[problem],
    nextInS: problem === 'away' ? restS : null,
  }
}
