import { describe, expect, it } from 'vitest'
import type { UploadProgress } from '#src/local/uploads/ports.ts'
import { ProgressMeter } from '#src/local/uploads/transfer/progress-meter.ts'

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
  const meter = new ProgressMeter(deps, 'u', 1_000 * MB, safeAtStartBytes)
  const last = (): UploadProgress => said.at(-1)! // it speaks when it is made
  /** The server takes one MB a second, from second `from` on. */
  const send = (from: number, to: number): void => {
    for (let second = from; second <= to; second += 1) {
      clock.nowMs = second * 1_000
      meter.acknowledged(1, second === 0 ? 0 : MB, safeAtStartBytes + second * MB)
      meter.tick(false)
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

  it('SAF-03 takes its speed from what arrived, not from what fills the buffers', () => {
    const { last, clock, meter } = meterAt()
    for (let second = 0; second <= 10; second += 1) {
      clock.nowMs = second * 1_000
      meter.sent(1, 16 * MB)
      meter.tick(false)
    }
    expect(last()).toMatchObject({ bytesPerSecond: 0, inFlightBytes: 16 * MB, safeBytes: 0 })
  })

  it('counts bytes once that arrive while their body is still on the way', () => {
    const { last, clock, meter } = meterAt()
    meter.sent(1, 0)
    const at = (second: number, act: () => void) => {
      clock.nowMs = second * 1_000
      act()
      return [last().safeBytes / MB, last().inFlightBytes / MB]
    }
    expect(at(1, () => meter.sent(1, 16 * MB))).toEqual([0, 16])
    expect(at(2, () => meter.acknowledged(1, 5 * MB, 5 * MB))).toEqual([5, 11])
    expect(at(3, () => meter.acknowledged(1, 11 * MB, 16 * MB))).toEqual([16, 0])
    expect(at(4, () => meter.sent(1, 0))).toEqual([16, 0])
    expect(at(5, () => meter.sent(1, 2 * MB))).toEqual([16, 2])
    expect(at(6, () => meter.ended(1))).toEqual([16, 0])
  })

  it('does not count waiting as slowness', () => {
    const { send, last, clock, meter } = meterAt()
    send(0, 30)
    // The upload waited for eight seconds, without ticks, then continued where it was.
    for (let second = 38; second <= 42; second += 1) {
      clock.nowMs = second * 1_000
      meter.acknowledged(1, MB, (second - 7) * MB)
    }
    expect(last().bytesPerSecond).toBe(MB)
  })

  it('does not count a pause between two tries as slowness either, and says it until a byte moves', () => {
    const { send, last, clock, meter } = meterAt()
    send(0, 30)
    const before = last().bytesPerSecond
    clock.nowMs = 31_000
    meter.waits(PAUSE)
    for (const atMs of [31_300, 32_000, 33_000]) {
      clock.nowMs = atMs
      meter.ended(1)
      expect(last().pause).toEqual(PAUSE)
    }
    expect(last().quietForMs).toBe(3_000)
    expect(last().bytesPerSecond).toBe(before)
    clock.nowMs = 34_000
    meter.sent(1, MB)
    expect(last()).toMatchObject({ pause: null, quietForMs: 0 })
  })

  it('lowers the safe bytes only when the server corrects them, and says when the device cannot save', () => {
    const { last, clock, meter } = meterAt(40 * MB)
    clock.nowMs = 1_000
    meter.acknowledged(1, 16 * MB, 56 * MB)
    clock.nowMs = 2_000
    meter.acknowledged(2, 0, 50 * MB)
    meter.tick(true)
    expect(last()).toMatchObject({ safeBytes: 56 * MB })
    clock.nowMs = 3_000
    meter.corrected(48 * MB)
    meter.tick(true)
    expect(last()).toMatchObject({ safeBytes: 48 * MB, isUnsaved: true })
  })
})
