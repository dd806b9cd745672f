import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from '#server/log.ts'

/** How finely Node looks; its figures have this much on top. */
const RESOLUTION_MS = 20
/** From here on people notice that a call waited for another one. */
const LONG_MS = 200
const LOOK_EVERY_MS = 5_000

/** What Node measures: the longest wait of the event loop since `reset`, in nanoseconds. */
interface LoopDelay {
  readonly max: number
  enable(): unknown
  reset(): void
}

/**
 * Logs `server/loop-held` with the milliseconds when something has held the event loop of this
 * process, and with it all calls, for over 200 ms; once in 5 s at most. Returns one look.
 */
export function watchLoop(
  log: Log,
  delay: LoopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MS }),
): () => void {
  const look = (): void => {
    const longestMs = Math.round(delay.max / 1e6) - RESOLUTION_MS
    delay.reset()
    if (longestMs > LONG_MS) log.warn('server/loop-held', { longestMs })
  }
  delay.enable()
  setInterval(look, LOOK_EVERY_MS).unref()
  return look
}
