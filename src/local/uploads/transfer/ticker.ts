import type { TransferContext } from './transfer-context.ts'

const TICK_MS = 1_000
/**
 * A tick this late means that the computer slept or the clock was changed: connections are dead,
 * even if they look open.
 */
const CLOCK_JUMP_MS = 10_000

/**
 * Once a second: reports progress, writes what is unsaved, and drops all attempts after a sleep.
 */
export function startTicker(
  context: TransferContext,
  stopAll: () => void,
  ring: () => void,
): { stop(): Promise<void> } {
  const { clock } = context.deps
  const off = new AbortController()
  const loop = async (): Promise<void> => {
    for (let lastMs = clock.now(); ;) {
      await clock.sleep(TICK_MS, off.signal)
      const nowMs = clock.now()
      if (Math.abs(nowMs - lastMs - TICK_MS) > CLOCK_JUMP_MS) {
        stopAll()
        context.endBackOff()
        context.meter.interrupted()
      }
      lastMs = nowMs
      void (context.claim.isUnsaved() ? context.claim.save() : context.claim.reportSafeBytes())
      context.meter.tick(context.claim.row().safeBytes, context.claim.isUnsaved())
      ring()
    }
  }
  // The abort is the only way out of the loop.
  const done = loop().catch(() => undefined)
  return {
    stop: () => {
      off.abort()
      return done
    },
  }
}

/** Wakes the loop; a ring between two waits is not lost. */
export function createAlarm(): { ring: () => void; next(): Promise<void> } {
  let bell = Promise.withResolvers<void>()
  return {
    ring: () => bell.resolve(),
    next: async () => {
      await bell.promise
      bell = Promise.withResolvers<void>()
    },
  }
}
