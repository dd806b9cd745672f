import type { UploadDeps } from './ports.ts'
import type { SlotCount } from './scheduler.ts'

/**
 * [Note: line] What one driver knows of the way to the server: it is down from the first question
 * without an answer on.
 */
export interface NetworkState {
  unansweredInARow: number
  /** Times in a row that parts were sent whole and their answer did not come in time. */
  unansweredParts: number
  /** As when sending stopped last; null before. */
  slots: SlotCount | null
  /** Parts whose bytes were thrown away because the line was down; see `outage.ts`. */
  readonly givenUpParts: Set<number>
}

/** A line of which nothing is known yet. */
export function createNetworkState(): NetworkState {
  return { unansweredInARow: 0, unansweredParts: 0, slots: null, givenUpParts: new Set() }
}

/** A question without an answer by then is lost. */
const ANSWER_WITHIN_MS = 1_500
const CHECK_EVERY_MS = 1_000
/** An outage of ten minutes is often one of hours: then asking less saves a phone's battery. */
const OFTEN_COUNT = 600
const CHECK_RARELY_MS = 5_000

/**
 * Resolves when a line that was down answers again, so that an upload goes on within about 2 s of
 * it, whatever its backoff says. A line that was not seen down never resolves: then the fault is
 * elsewhere, and asking proves nothing. Never rejects by itself; settles soon after an abort.
 */
export async function networkIsBack(
  deps: Pick<UploadDeps, 'api' | 'clock'>,
  network: NetworkState,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const checkedAtMs = deps.clock.now()
    const wasDown = network.unansweredInARow > 0
    const doesAnswer = await checkReachability(deps, network, signal)
    if (signal.aborted || (doesAnswer && wasDown)) return
    await deps.clock
      .sleep(
        Math.max(0, checkedAtMs + checkEveryMs(network.unansweredInARow) - deps.clock.now()),
        signal,
      )
      .catch(() => undefined)
  }
}

/** Pause between two questions, after so many in a row that got no answer. */
export function checkEveryMs(unansweredInARow: number): number {
  return unansweredInARow < OFTEN_COUNT ? CHECK_EVERY_MS : CHECK_RARELY_MS
}

/**
 * Whether the server answers soon; keeps count in `network`. False also when aborted, which counts for
 * nothing.
 */
export async function checkReachability(
  deps: Pick<UploadDeps, 'api' | 'clock'>,
  network: NetworkState,
  signal: AbortSignal,
): Promise<boolean> {
  const doesAnswer = await answersWithin(
    deps.clock,
    ANSWER_WITHIN_MS,
    (checking) => deps.api.ping(checking),
    signal,
  )
  if (!signal.aborted) network.unansweredInARow = doesAnswer ? 0 : network.unansweredInARow + 1
  return doesAnswer
}

/**
 * Whether a question is answered in time; one that is too late is dropped. False also when aborted.
 */
export async function answersWithin(
  clock: UploadDeps['clock'],
  limitMs: number,
  check: (signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController()
  const checking = AbortSignal.any([signal, over.signal])
  const tooLate = clock.sleep(limitMs, checking).then(
    () => false,
    () => false,
  )
  try {
    return await Promise.race([check(checking), tooLate])
  } finally {
    over.abort()
  }
}
