import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { renderTask } from '#server/operations/tasks/render.ts'
import { reconcile } from '#server/operations/upkeep/reconcile.ts'
import { sweep } from '#server/operations/upkeep/sweep.ts'
import { eraseAccounts } from '#server/operations/users/erase.ts'
import { validateUpload } from '#server/operations/uploads/validate.ts'

/** How often the server looks for lost work and removes leftovers. */
const SWEEP_EVERY_S = 60
const DAY_S = 24 * 60 * 60
/** A check reads the whole file: 50 GiB from a disk that gives 30 MB/s take half an hour. */
const CHECK_S = 60 * 60

/**
 * Starts the checks of uploads, the renders, the sweep and the end of deleted accounts in this
 * process.
 */
export async function startMediaWork(deps: Deps, queue: Queue): Promise<void> {
  // Left behind by a crash. In a process that is only a worker, the folder may belong to another
  // worker as well.
  if (deps.settings.role === 'all')
    await rm(join(deps.settings.dataDir, 'scratch'), { recursive: true, force: true })
  await queue.work(
    'validate-upload',
    { concurrency: 2, retryLimit: 5, expireInS: CHECK_S },
    async ({ data, signal }) => {
      await validateUpload(deps, { ...data, signal })
    },
  )
  await queue.work(
    'render-task',
    { concurrency: deps.settings.renderConcurrency, retryLimit: 5, expireInS: DAY_S - 1 },
    async ({ data, signal }) => {
      await renderTask(deps, { ...data, stop: signal })
    },
  )
  await queue.work('sweep', { concurrency: 1, retryLimit: 2, expireInS: 300 }, async () => {
    try {
      await reconcile(deps)
      await sweep(deps)
      await eraseAccounts(deps)
    } finally {
      await enqueueSweep(deps, queue)
    }
  })
  // Due work of a process that crashed continues now, not after its messages have timed out.
  await reconcile(deps)
  await enqueueSweep(deps, queue)
}

async function enqueueSweep(deps: Deps, queue: Queue): Promise<void> {
  const options = { singletonKey: 'sweep', startAfterS: SWEEP_EVERY_S }
  await inTransaction(deps, async ({ db }) => await queue.enqueue(db, 'sweep', {}, options))
}
