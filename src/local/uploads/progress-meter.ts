import type { UploadDeps } from './ports.ts'
import type { UploadWait } from '#src/local/db/rows.ts'
import { createRate, interrupt, observe, secondsLeft, type Rate } from './rate.ts'

/** UI updates, at most 4 a second. */
const EVERY_MS = 250
/**
 * A transfer ticks once a second. A longer silence was no transfer: the upload waited, and that is
 * no slowness of the line.
 */
const LONGEST_SILENCE_MS = 2_500

/** Counts the bytes of one driven upload and reports them, throttled. */
export interface ProgressMeter {
  sent(partNumber: number, sentBytes: number): void
  confirmed(partNumber: number, safeBytes: number): void
  /** The attempt is over, well or not: its bytes are no longer in flight. */
  ended(partNumber: number): void
  /**
   * A part failed and no other begins before `wait` is over. Told on once no part is under way any
   * more, until a byte moves.
   */
  backingOff(wait: UploadWait): void
  /** What the parts under way wait for, told on until it is null again. */
  stalled(wait: UploadWait | null): void
  /** @param isUnsaved something is safe at the server that this device could not write down */
  tick(safeBytes: number, isUnsaved: boolean): void
  /** Sending stopped or the clock jumped: what comes next is measured anew. */
  interrupted(): void
  bytesPerSecond(): number | null
}

/**
 * A meter for one driver. Says at once that nothing moves yet, so that nobody goes on showing what
 * an earlier driver said.
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
