import { subscribeLive } from './live.ts'
import type { Clock } from '#src/lib/time.ts'

/** Work that goes on in the background of a page until it is stopped. */
export interface LiveLoop {
  /** Ends the wait: there may be something to do. */
  rouse(): void
  /** Ends the loop and waits for the turn under way. */
  stop(): Promise<void>
}

export interface LiveLoopParts {
  readonly clock: Pick<Clock, 'sleep'>
  /** What can give the loop something to do: each change of it begins a turn. */
  readonly watch: () => Promise<string>
  readonly onWatchFailed: () => void
  /**
   * Does what is due. Resolves with after how long to look again; null: at a change. Never rejects.
   */
  readonly turn: (signal: AbortSignal) => Promise<number | null>
}

/** Takes turns, one after the other, whenever rows change in any tab or a wait is over. */
export function startLiveLoop({ clock, watch, onWatchFailed, turn }: LiveLoopParts): LiveLoop {
  const ending = new AbortController()
  let wake = (): void => undefined
  let isWoken = false
  const rouse = (): void => {
    isWoken = true
    wake()
  }
  const unsubscribe = subscribeLive(watch, { next: rouse, error: onWatchFailed })
  const sleep = async (delayMs: number | null): Promise<void> => {
    if (isWoken) return
    const timer = new AbortController()
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const late = delayMs === null ? [] : [clock.sleep(delayMs, timer.signal)]
    await Promise.race([woken, ...late.map((sleeping) => sleeping.catch(() => undefined))])
    timer.abort()
  }
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      isWoken = false
      const delayMs = await turn(ending.signal)
      if (!ending.signal.aborted) await sleep(delayMs)
    }
  }
  const running = run()
  return {
    rouse,
    stop: async () => {
      ending.abort()
      unsubscribe()
      rouse()
      await running
    },
  }
}
