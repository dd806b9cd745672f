import type { FaultProxy } from './fault-proxy.ts'
import { FAST_NETWORK } from './faults.ts'
import { setTimeout as delay } from 'node:timers/promises'

/** A slow line whose connections break again and again, as in a train. Times in its own time. */
export interface BreakingLine {
  readonly bytesPerSecond: number
  /** From one break to the next, on average; between half and one and a half of it. */
  readonly breakEveryMs: number
  readonly brokenMs: number
}

/** What the line did while it was used. */
export interface LineUse {
  /** Bytes that it could have carried while it was whole. */
  capacityBytes(): number
  breaks(): number
  end(): void
}

/**
 * Puts a device on such a line, `speed` times as fast in every respect, until `end`. The moments of
 * the breaks are those of `random`.
 */
export function useLine(
  proxy: FaultProxy,
  device: string,
  line: BreakingLine,
  speed: number,
  random: () => number,
): LineUse {
  const rate = line.bytesPerSecond * speed
  proxy.setNetwork(device, { ...FAST_NETWORK, totalBytesPerSecond: rate })
  const ended = new AbortController()
  const startedAtMs = performance.now()
  let breaks = 0
  const breakOften = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const pauseMs = (line.breakEveryMs * (0.5 + random())) / speed
      await delay(pauseMs, undefined, { signal: ended.signal })
      breaks += 1
      await proxy.breakFor(device, line.brokenMs / speed)
    }
  }
  void breakOften().catch(() => undefined)
  return {
    capacityBytes: () =>
      ((performance.now() - startedAtMs - (breaks * line.brokenMs) / speed) * rate) / 1_000,
    breaks: () => breaks,
    end: () => ended.abort(),
  }
}
