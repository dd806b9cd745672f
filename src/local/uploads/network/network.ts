import type { UploadDeps } from '#src/local/uploads/ports.ts'
import type { SlotCount } from '#src/local/uploads/transfer/scheduler.ts'

/**
 * [Note: network state] What one driver knows about the network between this device and the server.
 * The network counts as down from the first reachability check without an answer.
 */
export interface NetworkState {
  unansweredInARow: number
  /** Times in a row that a part was sent whole and its answer did not come in time. */
  unansweredParts: number
  /** The slots when sending last stopped; null before. */
  slots: SlotCount | null
  /** Parts whose bytes were dropped because the network was down; see `network-outage.ts`. */
  readonly givenUpParts: Set<number>
}

/** The state of a network that was not used yet. */
export function createNetworkState(): NetworkState {
  return { unansweredInARow: 0, unansweredParts: 0, slots: null, givenUpParts: new Set() }
}

/** A reachability check without an answer within this time has failed. */
const ANSWER_WITHIN_MS = 1_500
const CHECK_EVERY_MS = 1_000
/**
 * An outage of ten minutes often lasts for hours: checking less often then saves a phone's battery.
 */
const OFTEN_COUNT = 600
const CHECK_RARELY_MS = 5_000

/**
 * Resolves when a network that was down answers again, so that an upload resumes within about 2 s,
 * whatever its back-off. Never resolves for a network that was not seen down: then the fault is
 * elsewhere, and a check proves nothing. Never rejects; settles soon after an abort.
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

/** Time between two reachability checks, after this many in a row without an answer. */
export function checkEveryMs(unansweredInARow: number): number {
  return unansweredInARow < OFTEN_COUNT ? CHECK_EVERY_MS : CHECK_RARELY_MS
}

/**
 * Reachability check: whether the server answers soon. Counts the misses in `network`. False also
 * when aborted, which is not counted.
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

/** Whether `check` answers in time; aborts it when it is too late. False also when aborted. */
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
