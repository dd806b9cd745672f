import { answersWithin, checkReachability, type NetworkState } from './network.ts'
import type { UploadDeps } from './ports.ts'
import type { StorageOutage } from './storage-outage.ts'
import { expectedGapMs } from './watchdog.ts'

/**
 * [Note: outage] The watchdogs of parts wait 15 s to minutes, because a slow line falls silent for
 * long without being down. Where all parts are silent *and* the server leaves questions unanswered,
 * the line is down: then the parts are given up at once, the person is told, and `networkIsBack` goes
 * on as soon as the server answers.
 */

/** What the watch sees of the parts under network. */
export interface TransferView {
  /** When a byte moved last, an answer came or a part began. */
  lastActivityAtMs(): number
  bytesPerSecond(): number | null
  underWay(): Iterable<number>
  /** A server that asked for peace is not asked. */
  isBackingOff(): boolean
  /** What is made of a server that answers while nothing moves. */
  readonly storage: Pick<
    StorageOutage,
    'isOngoing' | 'isDue' | 'serverAnswered' | 'checkLimitMs' | 'storageChecked'
  >
  /** Whether the storage answers at all. */
  checkStorage(signal: AbortSignal): Promise<boolean>
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
const CHECK_AGAIN_MS = 500
/**
 * A silent line that answers drains its buffers, or the host hears of whole parts only: asked less
 * and less.
 */
const CHECK_RARELY_MS = 15_000

/**
 * Resolves when the line is down and the parts under way are better given up; never when the fault
 * is elsewhere. A part is given up once: on a line that comes and goes it could never arrive
 * otherwise, and the connection may outlive a short outage. Settles soon after an abort; never
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
      // What hangs at a silent storage is lost already.
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
