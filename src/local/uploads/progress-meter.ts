import type { UploadDeps } from './ports.ts'
import { createRate, interrupt, observe, secondsLeft, type Rate } from './rate.ts'

/** UI updates, at most 4 a second. */
const EVERY_MS = 250

/** Counts the bytes of one driven upload and reports them, throttled. */
export interface ProgressMeter {
  sent(partNumber: number, sentBytes: number): void
  confirmed(partNumber: number, safeBytes: number): void
  /** The attempt is over, well or not: its bytes are no longer in flight. */
  ended(partNumber: number): void
  tick(safeBytes: number): void
  /** Sending stopped or the clock jumped: what comes next is measured anew. */
  interrupted(): void
  bytesPerSecond(): number | null
}

export function createProgressMeter(deps: Pick<UploadDeps, 'clock' | 'onProgress'>, uploadId: string, sizeBytes: number, safeAtStartBytes: number): ProgressMeter {
  const inFlight = new Map<number, number>()
  let rate: Rate = createRate()
  let movedBytes = 0
  let safe = safeAtStartBytes
  let lastReportMs = Number.NEGATIVE_INFINITY

  const report = (): void => {
    const nowMs = deps.clock.now()
    if (nowMs - lastReportMs < EVERY_MS) return
    lastReportMs = nowMs
    rate = observe(rate, nowMs, movedBytes)
    const flying = Math.min(sizeBytes - safe, Array.from(inFlight.values()).reduce((sum, bytes) => sum + bytes, 0))
    deps.onProgress({
      uploadId, safeBytes: safe, inFlightBytes: Math.max(0, flying),
      bytesPerSecond: Math.round(rate.bytesPerSecond),
      secondsLeft: secondsLeft(rate, sizeBytes - safe - Math.max(0, flying)),
    })
  }

  return {
    sent: (partNumber, sentBytes) => {
      movedBytes += Math.max(0, sentBytes - (inFlight.get(partNumber) ?? 0))
      inFlight.set(partNumber, sentBytes)
      report()
    },
    confirmed: (partNumber, safeBytes) => {
      inFlight.delete(partNumber)
      safe = Math.max(safe, safeBytes)
      report()
    },
    ended: (partNumber) => void inFlight.delete(partNumber),
    tick: (safeBytes) => {
      safe = Math.max(safe, safeBytes)
      report()
    },
    interrupted: () => { rate = interrupt(rate) },
    bytesPerSecond: () => (rate.bytesPerSecond > 0 ? rate.bytesPerSecond : null),
  }
}
