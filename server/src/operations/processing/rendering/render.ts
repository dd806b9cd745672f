import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { Ctx } from '#server/context.ts'
import { isLostConnection } from '#server/db/lost-connection.ts'
import type { NewOutput } from '#server/db/rows.ts'
import {
  askForReview,
  claimTask,
  countFailure,
  fallBackToVideo,
  giveUpTask,
  handBackTask,
  saveProgress,
  succeedTask,
  type ClaimedTask,
} from '#server/operations/processing/tasks/claim.ts'
import type { Lease } from '#server/operations/core/lease.ts'
import { attemptOutputsOf, outputsOf } from '#server/operations/media/storage/keys.ts'
import { dropEndedSegments } from '#server/operations/processing/tasks/segments.ts'
import { reporter } from './reporter.ts'
import { renderTaskOutputs, type RenderFailure } from './render-outputs.ts'
import { searchTaskFaces } from './search-task.ts'
import { ToolsEnded } from '#server/tool-guard.ts'

/**
 * Makes one paid edit, or the search before its review. Idempotent: the lease lets one process
 * work, and the attempt's number lets only the newest publish. Ends the task as succeeded or
 * failed, or lets it wait for its owner; throws when trying again later can help, when stopped, and
 * when the connection to the database is lost.
 */
export async function renderLeased(
  ctx: Ctx,
  {
    taskId,
    lease,
    stop,
  }: { readonly taskId: string; readonly lease: Lease; readonly stop: AbortSignal },
): Promise<void> {
  const claimed = await claimTask(ctx, { taskId })
  if (claimed !== null) await work(ctx, claimed, lease, stop)
}

async function work(
  ctx: Ctx,
  claimed: ClaimedTask,
  lease: Lease,
  stop: AbortSignal,
): Promise<void> {
  const { task } = claimed
  const folder = join(ctx.settings.scratchDir, `task-${task.id}-${task.attempt}`)
  const overtaken = new AbortController()
  const signal = AbortSignal.any([stop, lease.lost, overtaken.signal])
  const onProgress = reporter(
    async (ratio) => {
      if (!(await saveProgress(ctx, { task, ratio })))
        overtaken.abort(new Error('A newer attempt has begun'))
    },
    (error) => ctx.log.warn('progress-not-saved', { taskId: task.id, error }),
    task.progressRatio,
  )
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    // Stored by an attempt that ended before it could publish: no row names it.
    await ctx.store.removeAll(outputsOf(task.id))
    const made = await make(ctx, { ...claimed, folder, lease, signal, onProgress }).catch(
      async (error: unknown) => {
        await forgetOutputs(ctx, claimed)
        throw error
      },
    )
    await onProgress.settled()
    if (!made.ok) await onFailure(ctx, claimed, made.error)
    else if (made.value === 'searched') await askForReview(ctx, { task })
    else await publish(ctx, claimed, made.value)
  } catch (error) {
    await onProgress.settled()
    if (overtaken.signal.aborted) return
    // Not the edit's fault; how often it may be cut off is counted by its attempts.
    if (stop.aborted) await handBackTask(ctx, { task })
    else if (lease.lost.aborted || error instanceof ToolsEnded || isLostConnection(error)) {
      ctx.log.warn('render-cut-off', { taskId: task.id, attempt: task.attempt, error })
      await handBackTask(ctx, { task })
    } else
      await onFailure(ctx, claimed, {
        code: 'render/machine',
        message: OUR_FAULT,
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
        canRetry: true,
      })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
    await endSegments(ctx, claimed)
  }
}

/** What cannot be removed now, the sweep removes. */
async function endSegments(ctx: Ctx, { task: { id: taskId } }: ClaimedTask): Promise<void> {
  await dropEndedSegments(ctx, { taskId }).catch((error: unknown) =>
    ctx.log.warn('segments/not-dropped', { taskId, error }),
  )
}

/** The outputs of an edit, or the search that comes before its review. */
async function make(
  ctx: Ctx,
  attempt: Omit<Parameters<typeof renderTaskOutputs>[1], 'ffmpeg' | 'recipe'>,
): Promise<Result<readonly NewOutput[] | 'searched', RenderFailure>> {
  const { presetSlug, reviewState } = attempt.task
  const { ffmpeg } = ctx
  if (ffmpeg === null) throw new Error('Edits cannot be made without ffmpeg')
  if (reviewState === 'searching') {
    const found = await searchTaskFaces(ctx, { ...attempt, ffmpeg })
    return found.ok ? ok('searched') : found
  }
  const recipe = findRecipe(presetSlug)
  if (recipe === undefined) throw new Error(`This server cannot make ${presetSlug}`)
  return await renderTaskOutputs(ctx, { ...attempt, ffmpeg, recipe })
}

const OUR_FAULT = 'Something went wrong on our side while making this edit.'

async function publish(
  ctx: Ctx,
  claimed: ClaimedTask,
  outputs: readonly NewOutput[],
): Promise<void> {
  if (!(await succeedTask(ctx, { task: claimed.task, outputs }))) await forgetOutputs(ctx, claimed)
}

/**
 * Removes what an attempt stored that did not publish: the next one removes it only where that has
 * not begun yet. Not after an error of publishing, which may have come after its commit.
 */
async function forgetOutputs(ctx: Ctx, { task }: ClaimedTask): Promise<void> {
  try {
    await ctx.store.removeAll(attemptOutputsOf(task))
  } catch (error) {
    ctx.log.error('storage/not-deleted', error, { taskId: task.id })
  }
}

/** Fails the task, or throws so that it is tried again when that can help and tries are left. */
async function onFailure(ctx: Ctx, { task }: ClaimedTask, failure: RenderFailure): Promise<void> {
  ctx.log.warn('render-failed', {
    taskId: task.id,
    preset: task.presetSlug,
    attempt: task.attempt,
    code: failure.code,
    canRetry: failure.canRetry,
  })
  if (failure.canRetry && (await countFailure(ctx, { task, detail: failure.detail }))) {
    if (failure.code !== 'render/machine') throw new Error(`${failure.code}, will be tried again`)
    return
  }
  if (!(await fallBackToVideo(ctx, { task })))
    await giveUpTask(ctx, {
      task,
      failure: { message: failure.message, supportLog: failure.detail },
    })
  await ctx.store.removeAll(attemptOutputsOf(task))
}
