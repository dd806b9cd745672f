import { answersWithin, checkReachability, type NetworkState } from './network.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import type { StorageOutage } from './storage-outage.ts'
import { expectedGapMs } from './watchdog.ts'

/**
 * [Note: network outage] The watchdogs of parts wait for 15 s to minutes, because a slow network is
 * often silent without being down. When all parts are silent *and* reachability checks fail, the
 * network is down: the engine drops the parts at once, the screen says so, and `networkIsBack`
 * resumes the upload as soon as the server answers.
 */

/** What the outage watch reads of a transfer. */
export interface TransferView {
  /** When a byte last moved, an answer came or an attempt started. */
  lastActivityAtMs(): number
  bytesPerSecond(): number | null
  underWay(): Iterable<number>
  /** During the back-off of a busy server there are no reachability checks. */
  isBackingOff(): boolean
  /** The watch for a server that answers while no byte moves. */
  readonly storage: Pick<
    StorageOutage,
    'isOngoing' | 'isDue' | 'serverAnswered' | 'checkLimitMs' | 'storageChecked'
  >
  /** Storage check: whether the storage answers at all. */
  checkStorage(signal: AbortSignal): Promise<boolean>
}

const LOOK_EVERY_MS = 250
/**
 * Silence after which a check is sent: four times the usual time between two progress events, 1.5
 * to 10 s.
 */
const SILENCE_MIN_MS = 1_500
const SILENCE_MAX_MS = 10_000
/**
 * One or two misses may be an accident, or a server that stops for some seconds while it writes to
 * its disk.
 */
const UNANSWERED = 3
const CHECK_AGAIN_MS = 500
/**
 * A silent network that answers is draining its buffers, or the transport reports whole parts only:
 * check less and less often.
 */
const CHECK_RARELY_MS = 15_000

/**
 * Resolves when the network is down and the parts in flight should be dropped; never when the fault
 * is elsewhere. Each part is dropped once at most: on an unstable network it would never arrive
 * otherwise, and a connection may survive a short outage. Settles soon after an abort; never
 * rejects.
 */
export async function networkIsDown(
  deps: Pick<UploadDeps, 'api' | 'clock'>,
  network: NetworkState,
  transfer: TransferView,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps
  const { storage } = transfer
  const isSilent = (): boolean =>
    storage.isOngoing() ||
    clock.now() - transfer.lastActivityAtMs() >= silenceMs(transfer.bytesPerSecond())
  let checkAgainMs = CHECK_AGAIN_MS
  let nextCheckAtMs = 0
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
    if (signal.aborted) return
    if (!isSilent() || transfer.isBackingOff()) {
      checkAgainMs = CHECK_AGAIN_MS
      nextCheckAtMs = 0
      network.unansweredInARow = 0
      continue
    }
    const isUnanswered = network.unansweredInARow > 0
    if (!storage.isDue() && (clock.now() < nextCheckAtMs || (storage.isOngoing() && !isUnanswered)))
      continue
    const checkedAtMs = clock.now()
    const doesAnswer = await checkReachability(deps, network, signal)
    if (signal.aborted) return
    if (doesAnswer) {
      storage.serverAnswered(clock.now() - checkedAtMs)
      if (storage.isOngoing())
        storage.storageChecked(
          await answersWithin(
            clock,
            storage.checkLimitMs(),
            (checking) => transfer.checkStorage(checking),
            signal,
          ),
        )
    }
    checkAgainMs = doesAnswer ? Math.min(CHECK_RARELY_MS, checkAgainMs * 2) : CHECK_AGAIN_MS
    nextCheckAtMs = checkedAtMs + checkAgainMs
    if (network.unansweredInARow >= UNANSWERED && isSilent()) {
      const parts = Array.from(transfer.underWay())
      // During a storage outage the parts in flight are lost already.
      if (
        storage.isOngoing() ||
        !parts.some((partNumber) => network.givenUpParts.has(partNumber))
      ) {
        for (const partNumber of parts) network.givenUpParts.add(partNumber)
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
