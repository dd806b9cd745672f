import { describe, expect, it } from 'vitest'
import type { UploadProgress } from '#src/local/uploads/ports.ts'
import { createProgressMeter } from '#src/local/uploads/transfer/progress-meter.ts'

const MB = 1_000_000
const PAUSE = { reason: 'network', retryAtEpochMs: 0, attempt: 1 } as const

/** A meter over a 1 GB file whose clock the test sets. */
function meterAt(safeAtStartBytes = 0) {
  const clock = { nowMs: 0 }
  const said: UploadProgress[] = []
  const deps = {
    clock: { now: () => clock.nowMs, sleep: () => Promise.resolve() },
    onProgress: (progress: UploadProgress) => void said.push(progress),
  }
  const meter = createProgressMeter(deps, 'u', 1_000 * MB, safeAtStartBytes)
  const last = (): UploadProgress => said.at(-1)! // it speaks when it is made
  /** Sends one MB a second as part 1, from second `from` on. */
  const send = (from: number, to: number): void => {
    for (let second = from; second <= to; second += 1) {
      clock.nowMs = second * 1_000
      meter.sent(1, second * MB)
      meter.tick(safeAtStartBytes, false)
    }
  }
  return { clock, meter, said, last, send }
}

describe('the progress of one driver', () => {
  it('begins with what is safe and with nothing moving, whatever an earlier driver said', () => {
    expect(meterAt(3 * MB).said).toEqual([
      {
        uploadId: 'u',
        safeBytes: 3 * MB,
        inFlightBytes: 0,
        bytesPerSecond: 0,
        secondsLeft: null,
        quietForMs: 0,
        pause: null,
        isUnsaved: false,
      },
    ])
  })

  it('names a time after 20 s of sending, from bytes that moved and not from restored ones', () => {
    const { send, last } = meterAt(500 * MB)
    send(0, 19)
    expect(last().secondsLeft).toBeNull()
    send(20, 22)
    expect(last().bytesPerSecond).toBe(MB)
    expect(last().secondsLeft).toBe(478)
  })

  it('does not count waiting as slowness', () => {
    const { send, last, clock, meter } = meterAt()
    send(0, 30)
    // The upload waited for eight seconds, without ticks, then continued where it was.
    clock.nowMs = 38_000
    meter.sent(1, 30 * MB)
    for (let second = 39; second <= 42; second += 1) {
      clock.nowMs = second * 1_000
      meter.sent(1, (second - 8) * MB)
    }
    expect(last().bytesPerSecond).toBe(MB)
  })

  it('does not count a pause between two tries as slowness either, and says it until a byte moves', () => {
    const { send, last, clock, meter } = meterAt()
    send(0, 30)
    clock.nowMs = 31_000
    meter.backingOff(PAUSE)
    expect(last().pause, 'a part is still under way').toBeNull()
    const before = last().bytesPerSecond
    for (const atMs of [31_300, 32_000, 33_000]) {
      clock.nowMs = atMs
      meter.ended(1)
      meter.tick(0, false)
      expect(last().pause).toEqual(PAUSE)
    }
    expect(last().quietForMs).toBe(3_000)
    expect(last().bytesPerSecond).toBe(before)
    clock.nowMs = 34_000
    meter.sent(1, 31 * MB)
    expect(last()).toMatchObject({ pause: null, quietForMs: 0 })
  })

  it('never lets safe bytes go back, and says when the device cannot write them down', () => {
    const { last, clock, meter } = meterAt(40 * MB)
    clock.nowMs = 1_000
    meter.confirmed(1, 56 * MB)
    clock.nowMs = 2_000
    meter.tick(40 * MB, true)
    expect(last()).toMatchObject({ safeBytes: 56 * MB, isUnsaved: true })
  })
})
