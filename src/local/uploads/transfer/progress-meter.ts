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
export class ProgressMeter {
  readonly #deps: Pick<UploadDeps, 'clock' | 'onProgress'>
  readonly #uploadId: string
  readonly #sizeBytes: number
  /** Bytes of each part's current body that were handed to the network, or are acknowledged. */
  readonly #bodies = new Map<number, { readonly sentBytes: number; readonly safeBytes: number }>()
  #rate: Rate = createRate()
  #acknowledgedBytes = 0
  #movedAtMs: number
  #safeBytes: number
  #wait: UploadWait | null = null
  #isUnsaved = false
  #lastReportMs = Number.NEGATIVE_INFINITY

  /** Reports at once that nothing moves yet, so that screens drop what an earlier driver said. */
  constructor(
    deps: Pick<UploadDeps, 'clock' | 'onProgress'>,
    uploadId: string,
    sizeBytes: number,
    safeBytes: number,
  ) {
    this.#deps = deps
    this.#uploadId = uploadId
    this.#sizeBytes = sizeBytes
    this.#safeBytes = safeBytes
    this.#movedAtMs = deps.clock.now()
    this.#report()
  }

  /** Bytes of the current body were handed to the network; 0 when it begins. */
  sent(partNumber: number, sentBytes: number): void {
    const body = this.#bodies.get(partNumber)
    if (sentBytes > (body?.sentBytes ?? 0)) this.#moved()
    this.#bodies.set(partNumber, {
      sentBytes,
      safeBytes: sentBytes === 0 ? 0 : (body?.safeBytes ?? 0),
    })
    this.#report()
  }

  /**
   * The server holds `bytes` more of the part than before. Only these count for the speed: what is
   * handed to the network may only fill buffers, and be lost.
   */
  acknowledged(partNumber: number, bytes: number, safeBytes: number): void {
    const body = this.#bodies.get(partNumber)
    if (body !== undefined)
      this.#bodies.set(partNumber, { ...body, safeBytes: body.safeBytes + bytes })
    this.#acknowledgedBytes += bytes
    this.#safeBytes = Math.max(this.#safeBytes, safeBytes)
    this.#moved()
    this.#report()
  }

  /** The attempt is over: its bytes are no longer in flight. */
  ended(partNumber: number): void {
    this.#bodies.delete(partNumber)
    this.#report()
  }

  /** Why nothing moves at the moment; null when that is over. Until then no byte moves. */
  waits(wait: UploadWait | null): void {
    this.#wait = wait
    this.#report()
  }

  /** @param isUnsaved true when this device could not store what is safe at the server */
  tick(isUnsaved: boolean): void {
    this.#isUnsaved = isUnsaved
    this.#report()
  }

  /** The server's own list says how much is safe; that may be less than before. */
  corrected(safeBytes: number): void {
    this.#safeBytes = safeBytes
  }

  /** Sending stopped or the clock jumped: measure the rate again from here. */
  interrupted(): void {
    this.#rate = interrupt(this.#rate)
  }

  bytesPerSecond(): number | null {
    return this.#rate.bytesPerSecond > 0 ? this.#rate.bytesPerSecond : null
  }

  /** Milliseconds since the last byte moved. */
  quietMs(): number {
    return Math.max(0, this.#deps.clock.now() - this.#movedAtMs)
  }

  #moved(): void {
    this.#movedAtMs = this.#deps.clock.now()
    this.#wait = null
  }

  #report(): void {
    const nowMs = this.#deps.clock.now()
    const silentMs = nowMs - this.#lastReportMs
    if (silentMs >= 0 && silentMs < EVERY_MS) return
    if (silentMs > LONGEST_SILENCE_MS || this.#wait !== null) this.interrupted()
    this.#lastReportMs = nowMs
    this.#rate = observe(this.#rate, nowMs, this.#acknowledgedBytes)
    const leftBytes = Math.max(0, this.#sizeBytes - this.#safeBytes)
    let flyingBytes = 0
    for (const { sentBytes, safeBytes } of this.#bodies.values())
      flyingBytes += Math.max(0, sentBytes - safeBytes)
    this.#deps.onProgress({
      uploadId: this.#uploadId,
      safeBytes: this.#safeBytes,
      inFlightBytes: Math.min(leftBytes, flyingBytes),
      bytesPerSecond: Math.round(this.#rate.bytesPerSecond),
      secondsLeft: secondsLeft(this.#rate, leftBytes),
      quietForMs: this.quietMs(),
      pause: this.#wait,
      isUnsaved: this.#isUnsaved,
    })
  }
}
