import type { Deps } from '#server/deps.ts'
import type { Queue } from '#server/jobs/port.ts'
import { runDriveSave } from '#server/operations/processing/drive-saves/run.ts'
import { LONGEST_PREVIEW_S, makePreview } from '#server/operations/media/media-assets/preview.ts'
import { runImport } from '#server/operations/processing/imports/run.ts'
import { knowVideo, LONGEST_KNOWING_S } from '#server/operations/media/known-videos/know-video.ts'
import { createCheckSlots, createRenderSlots } from '#server/operations/workflows/slot-work.ts'
import { searchAhead } from '#server/operations/processing/rendering/search-ahead.ts'
import { LONGEST_SAMPLE_S, makeSample } from '#server/operations/processing/samples/make.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import { removeLeftScratch } from '#server/operations/workflows/upkeep/scratch.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { eraseAccounts } from '#server/operations/workflows/account-erased.ts'
import { repeatWork } from './repeat-work.ts'

/** How often the server looks for lost work and removes leftovers. */
const SWEEP_EVERY_S = 60
const DAY_S = 24 * 60 * 60
/** Checks of large files at once: each reads its whole file from the same disk. */
const LONG_CHECKS = 1
/** Imports at once in one process, each of another account: they use little but the line. */
const IMPORTS = 3
/** Saves to drives at once in one process, each of another account. */
const DRIVE_SAVES = 2
/** A search has 240 s of processor time at most, on a machine that may be busy. */
const LONGEST_SEARCH_S = 30 * 60

/**
 * Starts the imports and checks of uploads, the renders, the saves to drives, the sweep and the end
 * of deleted accounts in this process.
 */
export async function startMediaWork(deps: Deps, queue: Queue): Promise<void> {
  // A message of a check or an edit says that one more waits; the slots choose which is next.
  const checks = createCheckSlots(deps, { longSlots: LONG_CHECKS })
  await queue.work(
    'validate-upload',
    { concurrency: LONG_CHECKS + 1, retryLimit: 5, expireInS: DAY_S - 1 },
    async ({ signal }) => await checks.serve(signal),
  )
  await queue.work(
    'import-upload',
    { concurrency: IMPORTS, retryLimit: 5, expireInS: DAY_S - 1 },
    async ({ data, signal }) => await runImport(deps, { ...data, signal }),
  )
  await queue.work(
    'save-to-drive',
    { concurrency: DRIVE_SAVES, retryLimit: 5, expireInS: DAY_S - 1 },
    async ({ data, signal }) => await runDriveSave(deps, { ...data, signal }),
  )
  await queue.work(
    'know-video',
    { concurrency: 1, retryLimit: 5, expireInS: LONGEST_KNOWING_S },
    async ({ data, signal, isLastAttempt }) =>
      await knowVideo(deps, { ...data, signal, isLastAttempt }),
  )
  const longSlots = deps.settings.renderConcurrency
  const renders = createRenderSlots(deps, { longSlots })
  await queue.work(
    'render-task',
    { concurrency: longSlots + 1, retryLimit: 5, expireInS: DAY_S - 1 },
    async ({ signal }) => await renders.serve(signal),
  )
  await startFreeWork(deps, queue)
  // Due work of a process that crashed continues now, not after its messages have timed out.
  await reconcile(deps)
  await removeLeftScratch(deps)
  await repeatWork(deps, queue, {
    kind: 'sweep',
    expireInS: 300,
    startAfterS: () => SWEEP_EVERY_S,
    run: async () => {
      try {
        await reconcile(deps)
        await sweep(deps)
      } finally {
        // A sweep that fails keeps no account that its owner has deleted.
        await eraseAccounts(deps)
      }
    },
  })
}

/** What costs no tokens, and no edit waits for. */
async function startFreeWork(deps: Deps, queue: Queue): Promise<void> {
  await queue.work(
    'preview-asset',
    { concurrency: 1, retryLimit: 5, expireInS: LONGEST_PREVIEW_S },
    async ({ data, signal, isLastAttempt }) =>
      await makePreview(deps, { ...data, signal, isLastAttempt }),
  )
  await queue.work(
    'make-sample',
    { concurrency: 1, retryLimit: 2, expireInS: LONGEST_SAMPLE_S },
    async ({ data, signal, isLastAttempt }) =>
      await makeSample(deps, { ...data, signal, isLastAttempt }),
  )
  await queue.work(
    'search-moments',
    { concurrency: 1, retryLimit: 5, expireInS: LONGEST_SEARCH_S },
    async ({ data, signal }) => await searchAhead(deps, { ...data, signal }),
  )
}
