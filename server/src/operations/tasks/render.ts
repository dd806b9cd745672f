import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { Ctx } from '#server/context.ts'
import type { NewOutput } from '#server/db/rows.ts'
import {
  claimTask,
  giveUpTask,
  handBackTask,
  MAX_TRIES,
  saveProgress,
  saveSupportLog,
  succeedTask,
  type ClaimedTask,
} from './claim.ts'
import { takeLease, type Lease } from './lease.ts'
import { renderTaskOutputs, type RenderFailure } from './render-outputs.ts'

/** Progress goes to the database at most this often. */
const PROGRESS_EVERY_MS = 500

/**
 * Makes one paid edit. Idempotent and safe to call from several workers: the lease lets one work,
 * the attempt's number lets only the newest publish. Ends the task as succeeded or failed; throws
 * when trying again later can help, and when stopped, so that the queue delivers the task again.
 */
export async function renderTask(
  ctx: Ctx,
  { taskId, stop }: { readonly taskId: string; readonly stop: AbortSignal },
): Promise<void> {
  const lease = await takeLease(ctx, { taskId })
  if (lease === null) return
  try {
    const claimed = await claimTask(ctx, { taskId })
    if (claimed !== null) await work(ctx, claimed, lease, stop)
  } finally {
    await lease.release()
  }
}

async function work(
  ctx: Ctx,
  claimed: ClaimedTask,
  lease: Lease,
  stop: AbortSignal,
): Promise<void> {
  const { task } = claimed
  const folder = join(ctx.settings.dataDir, 'scratch', `task-${task.id}-${task.attempt}`)
  const overtaken = new AbortController()
  const signal = AbortSignal.any([stop, lease.lost, overtaken.signal])
  const onProgress = reporter(
    async (ratio) => {
      if (!(await saveProgress(ctx, { task, ratio })))
        overtaken.abort(new Error('A newer attempt has begun'))
    },
    (error) => ctx.log.warn('progress-not-saved', { taskId: task.id, error }),
  )
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    // Stored by an attempt that ended before it could publish: no row names it.
    await ctx.store.removeAll(`outputs/${task.id}`)
    const recipe = findRecipe(task.presetSlug)
    if (recipe === undefined || ctx.ffmpeg === null)
      throw new Error(`This server cannot make ${task.presetSlug}`)
    const result = await renderTaskOutputs(ctx, {
      ...claimed,
      ffmpeg: ctx.ffmpeg,
      recipe,
      folder,
      lease,
      signal,
      onProgress,
    })
    await onProgress.settled()
    if (result.ok) await publish(ctx, claimed, result.value)
    else await onFailure(ctx, claimed, result.error)
  } catch (error) {
    await onProgress.settled()
    if (overtaken.signal.aborted) return
    if (stop.aborted) await handBackTask(ctx, { task })
    else
      await onFailure(ctx, claimed, {
        code: 'render/machine',
        message: OUR_FAULT,
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
        canRetry: true,
      })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const OUR_FAULT = 'Something went wrong on our side while making this edit.'

async function publish(
  ctx: Ctx,
  { task }: ClaimedTask,
  outputs: readonly NewOutput[],
): Promise<void> {
  if (await succeedTask(ctx, { task, outputs })) return
  for (const output of outputs)
    if (typeof output.objectKey === 'string') await ctx.store.remove(output.objectKey)
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
  if (failure.canRetry && task.tries < MAX_TRIES) {
    await saveSupportLog(ctx, { task, detail: failure.detail })
    if (failure.code !== 'render/machine') throw new Error(`${failure.code}, will be tried again`)
    return
  }
  await giveUpTask(ctx, {
    task,
    failure: { message: failure.message, supportLog: failure.detail },
  })
  await ctx.store.removeAll(`outputs/${task.id}/${task.attempt}`)
}

interface Reporter {
  (ratio: number): void
  settled(): Promise<void>
}

/** Sends the newest value, one at a time, at most every PROGRESS_EVERY_MS. */
function reporter(
  send: (ratio: number) => Promise<void>,
  onError: (error: unknown) => void,
): Reporter {
  let best = 0
  let lastAt = 0
  let sending: Promise<void> | null = null
  const report = (ratio: number): void => {
    best = Math.max(best, ratio)
    const now = performance.now()
    if (sending !== null || now - lastAt < PROGRESS_EVERY_MS) return
    lastAt = now
    sending = send(best)
      .catch(onError)
      .finally(() => {
        sending = null
      })
  }
  return Object.assign(report, {
    settled: async () => {
      await sending
    },
  })
}
