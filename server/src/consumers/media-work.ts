import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { reconcile } from '#server/operations/upkeep/reconcile.ts'
import { renderTask } from '#server/operations/render-task.ts'
import { sweep } from '#server/operations/upkeep/sweep.ts'
import { validateUpload } from '#server/operations/uploads/validate.ts'

/** How often lost work is looked for and rubbish removed. */
const SWEEP_EVERY_S = 60
const DAY_S = 24 * 60 * 60

/** Takes on the checks of uploads, the renders and the sweep in this process. */
export async function startMediaWork(deps: Deps, queue: Queue): Promise<void> {
  // Left behind by a crash; a second worker process beside this one may be using its own.
  if (deps.settings.role === 'all')
    await rm(join(deps.settings.dataDir, 'scratch'), { recursive: true, force: true })
  await queue.work(
    'validate-upload',
    { concurrency: 2, retryLimit: 5, expireInS: 600 },
    async ({ data, signal }) => {
      await validateUpload(deps, data.uploadRequestId, signal)
    },
  )
  await queue.work(
    'render-task',
    { concurrency: deps.settings.renderConcurrency, retryLimit: 5, expireInS: DAY_S - 1 },
    async ({ data, signal }) => {
      await renderTask(deps, data.taskId, signal)
    },
  )
  await queue.work('sweep', { concurrency: 1, retryLimit: 2, expireInS: 300 }, async () => {
    try {
      await reconcile(deps)
      await sweep(deps)
    } finally {
      await enqueueSweep(deps, queue, SWEEP_EVERY_S)
    }
  })
  // Due work of a process that crashed goes on now, not after its messages have timed out.
  await reconcile(deps)
  await enqueueSweep(deps, queue, SWEEP_EVERY_S)
}

async function enqueueSweep(deps: Deps, queue: Queue, startAfterS: number): Promise<void> {
  await deps.db.transaction(
    async (tx) => await queue.enqueue(tx, 'sweep', {}, { singletonKey: 'sweep', startAfterS }),
  )
}
