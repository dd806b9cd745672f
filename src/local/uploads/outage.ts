import { answersWithin, askLine, type Line } from './line.ts'
import type { UploadDeps } from './ports.ts'
import type { SilentStore } from './silent-store.ts'
import { expectedGapMs } from './watchdog.ts'

/**
 * [Note: outage] The watchdogs of parts wait 15 s to minutes, because a slow line falls silent for
 * long without being down. Where all parts are silent *and* the server leaves questions unanswered,
 * the line is down: then the parts are given up at once, the person is told, and `lineIsBack` goes
 * on as soon as the server answers.
 */

/** What the watch sees of the parts under way. */
export interface Lanes {
  /** When a byte moved last, an answer came or a part began. */
  lastNewsAtMs(): number
  bytesPerSecond(): number | null
  underWay(): Iterable<number>
  /** A server that asked for peace is not asked. */
  isInPeace(): boolean
  /** What is made of a server that answers while nothing moves. */
  readonly store: Pick<
    SilentStore,
    'isSilent' | 'isDue' | 'serverAnswered' | 'knockLimitMs' | 'knocked'
  >
  /** Whether the store answers at all. */
  knock(signal: AbortSignal): Promise<boolean>
}

const LOOK_EVERY_MS = 250
/**
 * Silence that makes one ask: four times the usual time between two pieces of news, 1.5 to 10 s.
 */
const SILENCE_MIN_MS = 1_500
const SILENCE_MAX_MS = 10_000
/**
 * One or two may be an accident of the line, or a server that stands still for some seconds while
 * it writes to its disk.
 */
const UNANSWERED = 3
const ASK_AGAIN_MS = 500
/**
 * A silent line that answers drains its buffers, or the host hears of whole parts only: asked less
 * and less.
 */
const ASK_RARELY_MS = 15_000

/**
 * Resolves when the line is down and the parts under way are better given up; never when the fault
 * is elsewhere. A part is given up once: on a line that comes and goes it could never arrive
 * otherwise, and the connection may outlive a short outage. Settles soon after an abort; never
 * rejects.
 */
export async function lineIsDown(
  deps: Pick<UploadDeps, 'api' | 'clock'>,
  line: Line,
  lanes: Lanes,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps
  const { store } = lanes
  const isSilent = (): boolean =>
    store.isSilent() || clock.now() - lanes.lastNewsAtMs() >= silenceMs(lanes.bytesPerSecond())
  let askAgainMs = ASK_AGAIN_MS
  let nextAskAtMs = 0
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
    if (signal.aborted) return
    if (!isSilent() || lanes.isInPeace()) {
      askAgainMs = ASK_AGAIN_MS
      nextAskAtMs = 0
      line.unansweredInARow = 0
      continue
    }
    const isUnanswered = line.unansweredInARow > 0
    if (!store.isDue() && (clock.now() < nextAskAtMs || (store.isSilent() && !isUnanswered)))
      continue
    const askedAtMs = clock.now()
    const doesAnswer = await askLine(deps, line, signal)
    if (signal.aborted) return
    if (doesAnswer) {
      store.serverAnswered(clock.now() - askedAtMs)
      if (store.isSilent())
        store.knocked(
          await answersWithin(clock, store.knockLimitMs(), (asking) => lanes.knock(asking), signal),
        )
    }
    askAgainMs = doesAnswer ? Math.min(ASK_RARELY_MS, askAgainMs * 2) : ASK_AGAIN_MS
    nextAskAtMs = askedAtMs + askAgainMs
    if (line.unansweredInARow >= UNANSWERED && isSilent()) {
      const parts = Array.from(lanes.underWay())
      // What hangs at a silent store is lost already.
      if (store.isSilent() || !parts.some((partNumber) => line.givenUpParts.has(partNumber))) {
        for (const partNumber of parts) line.givenUpParts.add(partNumber)
        return
      }
    }
  }
}

function silenceMs(bytesPerSecond: number | null): number {
  return Math.min(
    SILENCE_MAX_MS,
    Math.max(SILENCE_MIN_MS, 4 * (expectedGapMs(bytesPerSecond, 1) ?? 0)),
  )
}
