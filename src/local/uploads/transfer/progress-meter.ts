import type { UploadDeps } from '#src/local/uploads/ports.ts'
import type { UploadWait } from '#src/local/db/rows.ts'
import {
  createRate,
  interrupt,
  observe,
  secondsLeft,
  type Rate,
} from '#src/local/uploads/network/rate.ts'

/** At most 4 updates of the screen a second. */
const EVERY_MS = 250
/**
 * A transfer ticks once a second. A longer gap means that the upload waited, not that the network
 * was slow.
 */
const LONGEST_SILENCE_MS = 2_500

/** Counts the bytes of one driven upload and reports them, throttled. */
export interface ProgressMeter {
  sent(partNumber: number, sentBytes: number): void
  confirmed(partNumber: number, safeBytes: number): void
  /** The attempt is over: its bytes are no longer in flight. */
  ended(partNumber: number): void
  /**
   * An attempt failed and none starts before `wait` is over. Reported while no part is in flight,
   * until a byte moves.
   */
  backingOff(wait: UploadWait): void
  /** Why the parts in flight move no byte; reported until called with null. */
  stalled(wait: UploadWait | null): void
  /** @param isUnsaved true when this device could not store what is safe at the server */
  tick(safeBytes: number, isUnsaved: boolean): void
  /** Sending stopped or the clock jumped: measure the rate again from here. */
  interrupted(): void
  bytesPerSecond(): number | null
}

/**
 * A meter for one driver. Reports at once that nothing moves yet, so that screens drop what an
 * earlier driver reported.
 */
export function createProgressMeter(
  deps: Pick<UploadDeps, 'clock' | 'onProgress'>,
  uploadId: string,
  sizeBytes: number,
  safeAtStartBytes: number,
): ProgressMeter {
  const inFlight = new Map<number, number>()
  let rate: Rate = createRate()
  let movedBytes = 0
  let movedAtMs = deps.clock.now()
  let safe = safeAtStartBytes
  let wait: UploadWait | null = null
  let hang: UploadWait | null = null
  let isUnsaved = false
  let lastReportMs = Number.NEGATIVE_INFINITY

  const moved = (): void => {
    movedAtMs = deps.clock.now()
    wait = null
  }
  const report = (): void => {
    const nowMs = deps.clock.now()
    const silentMs = nowMs - lastReportMs
    if (silentMs >= 0 && silentMs < EVERY_MS) return
    const pause = hang ?? (inFlight.size === 0 ? wait : null)
    if (silentMs > LONGEST_SILENCE_MS || pause !== null) rate = interrupt(rate)
    lastReportMs = nowMs
    rate = observe(rate, nowMs, movedBytes)
    const flying = Math.max(
      0,
      Math.min(
        sizeBytes - safe,
        Array.from(inFlight.values()).reduce((sum, bytes) => sum + bytes, 0),
      ),
    )
    deps.onProgress({
      uploadId,
      safeBytes: safe,
      inFlightBytes: flying,
      bytesPerSecond: Math.round(rate.bytesPerSecond),
      secondsLeft: secondsLeft(rate, sizeBytes - safe - flying),
      quietForMs: Math.max(0, nowMs - movedAtMs),
      pause,
      isUnsaved,
    })
  }

  report()
  return {
    sent: (partNumber, sentBytes) => {
      const newBytes = Math.max(0, sentBytes - (inFlight.get(partNumber) ?? 0))
      movedBytes += newBytes
      inFlight.set(partNumber, sentBytes)
      if (newBytes > 0) moved()
      report()
    },
    confirmed: (partNumber, safeBytes) => {
      inFlight.delete(partNumber)
      safe = Math.max(safe, safeBytes)
      moved()
      report()
    },
    ended: (partNumber) => {
      inFlight.delete(partNumber)
      if (wait !== null) report()
    },
    backingOff: (next) => {
      wait = next
      report()
    },
    stalled: (next) => {
      hang = next
      report()
    },
    tick: (safeBytes, isUnsavedNow) => {
      safe = Math.max(safe, safeBytes)
      isUnsaved = isUnsavedNow
      report()
    },
    interrupted: () => {
      rate = interrupt(rate)
    },
    bytesPerSecond: () => (rate.bytesPerSecond > 0 ? rate.bytesPerSecond : null),
  }
}
