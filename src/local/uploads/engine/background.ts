import { createUploadEngine } from './engine.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import { presenceLock } from './presence.ts'
import { stageOf } from './stage-of.ts'
import { isAbort } from '#src/lib/abort.ts'

/**
 * Tag of the Background Sync event that continues uploads. Browsers keep registered tags: never
 * change it.
 */
export const UPLOAD_SYNC_TAG = 'onecut-uploads'

/**
 * A sync event lives 188 s (measured in Chromium 156; its source says 3 minutes). No part starts
 * after this.
 */
export const BACKGROUND_BEGIN_MS = 150_000
/**
 * The engine drops parts that are still in flight at this time and sends them again later; the rest
 * of the event is for rows and locks.
 */
const BACKGROUND_END_MS = 172_000
/** How long an opening page waits for the parts in flight before it takes the upload anyway. */
const GIVE_WAY_MS = 20_000

export interface BackgroundRun {
  readonly deps: UploadDeps
  readonly userId: string
  /** Aborts when the account leaves this device. */
  readonly stop: AbortSignal
  /** Calls the listener when a page opens; returns the function that stops listening. */
  readonly onPageOpened: (listener: () => void) => () => void
}

/**
 * Continues the uploads of one account while no page is open, as far as their bytes are readable
 * here and the time of one sync event allows. Waits while a page is open. When a page opens, the
 * parts in flight finish and no other part starts.
 *
 * @returns `left` when this context could send more; the sync event should then reject, so that the
 * browser tries again
 */
export async function uploadInBackground(run: BackgroundRun): Promise<'done' | 'left'> {
  const { deps, userId, stop } = run
  const over = new AbortController()
  const timeUp = new AbortController()
  const endUp = new AbortController()
  const startedAtMs = deps.clock.now()
  void deps.clock.sleep(BACKGROUND_BEGIN_MS, over.signal).then(
    () => timeUp.abort(),
    () => undefined,
  )
  void deps.clock.sleep(BACKGROUND_END_MS, over.signal).then(
    () => endUp.abort(),
    () => undefined,
  )
  const waiting = AbortSignal.any([stop, timeUp.signal])
  try {
    // One service worker at a time: then only pages queue for the presence lock.
    await deps.locks.withLock(`upload-background:${userId}`, waiting, async () => {
      while (!waiting.aborted) {
        const end = await deps.locks.withLock(presenceLock(userId), waiting, () =>
          driveAlone(run, waiting, endUp.signal),
        )
        if (end === 'ended') return
      }
    })
  } catch (thrown) {
    if (!isAbort(thrown)) throw thrown
  } finally {
    over.abort()
  }
  deps.log.debug('the background has ended', { afterMs: deps.clock.now() - startedAtMs })
  return !stop.aborted && (await isWorkLeft(deps)) ? 'left' : 'done'
}

/** Call under the presence lock. */
async function driveAlone(
  run: BackgroundRun,
  timeUp: AbortSignal,
  endUp: AbortSignal,
): Promise<'ended' | 'gave-way'> {
  const { deps, userId, stop } = run
  const giveWay = new AbortController()
  const isOver = new AbortController()
  const unlisten = run.onPageOpened(() => giveWay.abort())
  const engine = createUploadEngine(deps, userId, 'background')
  try {
    // Check the queue after subscribing: a page queues for the lock before it broadcasts.
    if (await deps.locks.isAwaited(presenceLock(userId))) return 'gave-way'
    await engine.open()
    const begin = AbortSignal.any([timeUp, giveWay.signal])
    await Promise.race([engine.idle(), aborted(begin)])
    if (!begin.aborted) return 'ended'
    const limit = deps.clock
      .sleep(giveWay.signal.aborted ? GIVE_WAY_MS : BACKGROUND_END_MS, isOver.signal)
      .catch(() => undefined)
    await Promise.race([engine.drain(), limit, aborted(stop), aborted(endUp)])
    return giveWay.signal.aborted ? 'gave-way' : 'ended'
  } finally {
    isOver.abort()
    unlisten()
    await engine.close()
  }
}

async function isWorkLeft(deps: UploadDeps): Promise<boolean> {
  for (const row of await deps.store.list()) {
    const stage = stageOf(row)
    if (stage === 'discard') return true
    if ((stage === 'prepare' || stage === 'send') && (await deps.bytes.open(row)).ok) return true
  }
  return false
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
