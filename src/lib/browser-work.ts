import { SECOND_MS, type Clock } from './time.ts'

/**
 * [Note: work of the browser] What a page gives to the browser (Background Fetch) moves without it,
 * and no event says that it stands still. Pages look at it once a second, and take it back where
 * the browser has forgotten it, or where its bytes do not move although the server answers: not in
 * an outage, in which the browser waits too, and not right after an outage or the sleep of a
 * device, when it needs a moment to go on.
 */

/** For what does not move, the server is asked whether it answers. */
const ASK_AFTER_MS = 10 * SECOND_MS
/** From when it answers: time for the browser to go on after an outage. */
const LIES_STILL_MS = 30 * SECOND_MS
/** Looks follow each other by a second: with this between them the device or the page slept. */
const SLEPT_MS = 10 * SECOND_MS

/** What was seen of it last. */
export interface WorkSeen {
  /** How many have moved; null while the browser knows nothing of it. */
  readonly bytes: number | null
  /** Since then nothing else is seen, by a page that is awake. */
  readonly sinceEpochMs: number
  /** Whether the server answered at that time; else it was not asked, or was out of reach. */
  readonly didAnswer: boolean
  readonly atEpochMs: number
  /** It is to be taken back. */
  readonly isOver: boolean
}

interface LookDeps {
  readonly clock: Clock
  /** After this time without a trace of it the browser has forgotten it. */
  readonly forgottenAfterMs: number
  readonly isAnswering: () => Promise<boolean>
}

/** Looks at it once, for `last` of the next look. @param isInLine whether another one moves */
export async function lookAtWork(
  { clock, forgottenAfterMs, isAnswering }: LookDeps,
  bytes: number | null,
  last: WorkSeen | undefined,
  isInLine = false,
): Promise<WorkSeen> {
  const now = clock.now()
  const fresh = { bytes, sinceEpochMs: now, didAnswer: false, atEpochMs: now, isOver: false }
  if (last === undefined || last.bytes !== bytes || now - last.atEpochMs >= SLEPT_MS) return fresh
  const forMs = now - last.sinceEpochMs
  if (bytes === null) return { ...last, atEpochMs: now, isOver: forMs >= forgottenAfterMs }
  if (isInLine) return fresh
  if (forMs < (last.didAnswer ? LIES_STILL_MS : ASK_AFTER_MS)) return { ...last, atEpochMs: now }
  const didAnswer = await isAnswering()
  const asked = { sinceEpochMs: clock.now(), atEpochMs: clock.now() }
  if (didAnswer && last.didAnswer) return { ...last, ...asked, isOver: true }
  return { ...fresh, ...asked, didAnswer }
}
