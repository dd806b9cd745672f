import { createUploadEngine, stageOf } from './engine.ts'
import type { UploadDeps } from './ports.ts'
import { presenceLock } from './presence.ts'
import { isAbort } from '#src/lib/abort.ts'

/** The tag of the sync event that carries uploads on. */
export const UPLOAD_SYNC_TAG = 'onecut-uploads'

/**
 * A sync event lives 188 s (Chromium 156, measured; 3 minutes by its source). No part begins after
 * this.
 */
export const BACKGROUND_BEGIN_MS = 150_000
/**
 * Parts still under way then are dropped and sent again later; the rest of the time is for rows and
 * locks.
 */
const BACKGROUND_END_MS = 172_000
/** So long a page waits for the parts under way before it gets the upload anyway. */
const GIVE_WAY_MS = 20_000

export interface BackgroundRun {
  readonly deps: UploadDeps
  readonly userId: string
  /** The account leaves this device: end at once. */
  readonly stop: AbortSignal
  /** Listens for pages that open; returns the end of it. */
  readonly onPageOpened: (listener: () => void) => () => void
}

/**
 * Carries the uploads of one account on while no page is open, as far as their bytes can be read
 * here and the time of one sync event allows. Waits while a page is open, and gives way to one that
 * opens: the parts under way end, no other begins.
 *
 * @returns `left` when there is something to send that this context could read; the event should
 * then reject, so that the browser tries again
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
    // One service worker at a time, so that only pages stand in the queue for the presence.
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
    // Asked after listening: a page stands in the queue before it says that it has opened.
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
