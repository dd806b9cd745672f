import type { UploadDeps } from './ports.ts'
import type { LaneCount } from './scheduler.ts'

/**
 * [Note: line] What one driver knows of the way to the server: it is down from the first question
 * without an answer on.
 */
export interface Line {
  unansweredInARow: number
  /** Times in a row that parts were sent whole and their answer did not come in time. */
  unansweredParts: number
  /** As when sending stopped last; null before. */
  lanes: LaneCount | null
  /** Parts whose bytes were thrown away because the line was down; see `outage.ts`. */
  readonly givenUpParts: Set<number>
}

/** A line of which nothing is known yet. */
export function createLine(): Line {
  return { unansweredInARow: 0, unansweredParts: 0, lanes: null, givenUpParts: new Set() }
}

/** A question without an answer by then is lost. */
const ANSWER_WITHIN_MS = 1_500
const ASK_EVERY_MS = 1_000
/** An outage of ten minutes is often one of hours: then asking less saves a phone's battery. */
const OFTEN_COUNT = 600
const ASK_RARELY_MS = 5_000

/**
 * Resolves when a line that was down answers again, so that an upload goes on within about 2 s of
 * it, whatever its backoff says. A line that was not seen down never resolves: then the fault is
 * elsewhere, and asking proves nothing. Never rejects by itself; settles soon after an abort.
 */
export async function lineIsBack(
  deps: Pick<UploadDeps, 'api' | 'clock'>,
  line: Line,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const askedAtMs = deps.clock.now()
    const wasDown = line.unansweredInARow > 0
    const doesAnswer = await askLine(deps, line, signal)
    if (signal.aborted || (doesAnswer && wasDown)) return
    await deps.clock
      .sleep(Math.max(0, askedAtMs + askEveryMs(line.unansweredInARow) - deps.clock.now()), signal)
      .catch(() => undefined)
  }
}

/** Pause between two questions, after so many in a row that got no answer. */
export function askEveryMs(unansweredInARow: number): number {
  return unansweredInARow < OFTEN_COUNT ? ASK_EVERY_MS : ASK_RARELY_MS
}

/**
 * Whether the server answers soon; keeps count in `line`. False also when aborted, which counts for
 * nothing.
 */
export async function askLine(
  deps: Pick<UploadDeps, 'api' | 'clock'>,
  line: Line,
  signal: AbortSignal,
): Promise<boolean> {
  const doesAnswer = await answersWithin(
    deps.clock,
    ANSWER_WITHIN_MS,
    (asking) => deps.api.ping(asking),
    signal,
  )
  if (!signal.aborted) line.unansweredInARow = doesAnswer ? 0 : line.unansweredInARow + 1
  return doesAnswer
}

/**
 * Whether a question is answered in time; one that is too late is dropped. False also when aborted.
 */
export async function answersWithin(
  clock: UploadDeps['clock'],
  limitMs: number,
  question: (signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController()
  const asking = AbortSignal.any([signal, over.signal])
  const tooLate = clock.sleep(limitMs, asking).then(
    () => false,
    () => false,
  )
  try {
    return await Promise.race([question(asking), tooLate])
  } finally {
    over.abort()
  }
}
