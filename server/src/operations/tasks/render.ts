import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { Deps } from '#server/deps.ts'
import type { NewOutput } from '#server/db/rows.ts'
import { renderTaskOutputs, type RenderFailure } from './render-outputs.ts'
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

/** Progress goes to the database at most this often. */
const PROGRESS_EVERY_MS = 500

/**
 * Makes one paid edit. Idempotent and safe to call from several workers: the lease lets one work,
 * the attempt's number lets only the newest publish. Ends the task as succeeded or failed; throws
 * when trying again later can help, and when stopped, so that the queue delivers the task again.
 */
export async function renderTask(
  deps: Deps,
  { taskId, stop }: { readonly taskId: string; readonly stop: AbortSignal },
): Promise<void> {
  const lease = await takeLease(deps, { taskId })
  if (lease === null) return
  try {
    const claimed = await claimTask(deps, { taskId })
    if (claimed !== null) await work(deps, claimed, lease, stop)
  } finally {
    await lease.release()
  }
}

async function work(
  deps: Deps,
  claimed: ClaimedTask,
  lease: Lease,
  stop: AbortSignal,
): Promise<void> {
  const { task } = claimed
  const folder = join(deps.settings.dataDir, 'scratch', `task-${task.id}-${task.attempt}`)
  const overtaken = new AbortController()
  const signal = AbortSignal.any([stop, lease.lost, overtaken.signal])
  const onProgress = reporter(
    async (ratio) => {
      if (!(await saveProgress(deps, { task, ratio })))
        overtaken.abort(new Error('A newer attempt has begun'))
    },
    (error) =>
      deps.log.warn('progress-not-saved', {
        taskId: task.id,
        message: error instanceof Error ? error.message : '',
      }),
  )
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    // Stored by an attempt that ended before it could publish: no row names it.
    await deps.store.removeAll(`outputs/${task.id}`)
    const recipe = findRecipe(task.presetSlug)
    if (recipe === undefined || deps.ffmpeg === null)
      throw new Error(`This server cannot make ${task.presetSlug}`)
    const result = await renderTaskOutputs(deps, deps.ffmpeg, recipe, {
      ...claimed,
      folder,
      lease,
      signal,
      onProgress,
    })
    await onProgress.settled()
    if (result.ok) await publish(deps, claimed, result.value)
    else await onFailure(deps, claimed, result.error)
  } catch (error) {
    await onProgress.settled()
    if (overtaken.signal.aborted) return
    if (stop.aborted) await handBackTask(deps, { task })
    else
      await onFailure(deps, claimed, {
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
  deps: Deps,
  { task }: ClaimedTask,
  outputs: readonly NewOutput[],
): Promise<void> {
  if (await succeedTask(deps, { task, outputs })) return
  for (const output of outputs)
    if (typeof output.objectKey === 'string') await deps.store.remove(output.objectKey)
}

/** Fails the task, or throws so that it is tried again when that can help and tries are left. */
async function onFailure(deps: Deps, { task }: ClaimedTask, failure: RenderFailure): Promise<void> {
  deps.log.warn('render-failed', {
    taskId: task.id,
    preset: task.presetSlug,
    attempt: task.attempt,
    code: failure.code,
    canRetry: failure.canRetry,
  })
  if (failure.canRetry && task.tries < MAX_TRIES) {
    await saveSupportLog(deps, { task, detail: failure.detail })
    if (failure.code !== 'render/machine') throw new Error(`${failure.code}, will be tried again`)
    return
  }
  await giveUpTask(deps, {
    task,
    failure: { message: failure.message, supportLog: failure.detail },
  })
  await deps.store.removeAll(`outputs/${task.id}/${task.attempt}`)
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
