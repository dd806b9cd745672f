import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readErrorCode } from '#src/local/uploads/adapters/error-body.ts'
import { problemOf } from '#src/local/uploads/adapters/openapi-api.ts'
import { decidePut, MAX_MISSING, type PutOutcome } from '#src/local/uploads/transfer/answers.ts'
import { uploadDelayMs } from '#src/local/uploads/model/backoff.ts'
import { createPartUrls } from '#src/local/uploads/transfer/part-urls.ts'
import { createRate, interrupt, observe, secondsLeft } from '#src/local/uploads/network/rate.ts'
import {
  createSchedule,
  firstSlots,
  isDrained,
  MAX_SLOTS,
  settleAgain,
  settleSafe,
  takePart,
  type Schedule,
} from '#src/local/uploads/transfer/scheduler.ts'
import { idleLimitMs } from '#src/local/uploads/network/watchdog.ts'
import { httpFailure } from '#src/api/errors.ts'

function answer(
  status: number,
  more: Partial<Extract<PutOutcome, { kind: 'answer' }>> = {},
): PutOutcome {
  return {
    kind: 'answer',
    status,
    eTag: null,
    retryAfterMs: null,
    errorCode: null,
    isFromStore: true,
    ...more,
  }
}
const NEW = { isUrlFresh: false, digestFailures: 0, refusals: 0 }

describe('the wait before another try', () => {
  it('stays between a fifth of a second and a minute, and honours the server', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const delayMs = uploadDelayMs(attempt, random, null)
          return delayMs >= 200 && delayMs <= 60_000
        },
      ),
    )
    expect(uploadDelayMs(1, 0, 90_000)).toBe(90_000)
    expect(uploadDelayMs(1, 0, 24 * 3_600_000)).toBe(600_000)
  })
})

describe('the schedule', () => {
  it('never leases a part twice, never more than five, and loses none', () => {
    const step = fc.oneof(
      fc.constant('take' as const),
      fc.record({
        pick: fc.nat(),
        tookMs: fc.integer({ min: 1, max: 200_000 }),
        how: fc.constantFrom('safe', 'again', 'again-slower'),
      }),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(step, { maxLength: 200 }),
        (count, steps) => {
          const all = Array.from({ length: count }, (_, index) => index + 1)
          const safe = new Set<number>()
          let schedule: Schedule = createSchedule(all, firstSlots(MAX_SLOTS))
          for (const next of steps) {
            if (next === 'take') {
              const lease = takePart(schedule)
              if (lease === null) continue
              if (safe.has(lease.partNumber) || schedule.inFlight.has(lease.partNumber))
                return false
              schedule = lease.schedule
            } else {
              const inFlight = Array.from(schedule.inFlight)
              const partNumber = inFlight[next.pick % Math.max(1, inFlight.length)]
              if (partNumber === undefined) continue
              if (next.how === 'safe') safe.add(partNumber)
              schedule =
                next.how === 'safe'
                  ? settleSafe(schedule, partNumber, {
                      tookMs: next.tookMs,
                      aloneMs: next.tookMs / schedule.inFlight.size,
                      slotBytesPerSecond: 1,
                    })
                  : settleAgain(schedule, partNumber, next.how === 'again-slower')
            }
            if (
              schedule.limit < 1 ||
              schedule.limit > MAX_SLOTS ||
              schedule.inFlight.size > MAX_SLOTS
            )
              return false
            if (
              [...safe, ...schedule.inFlight, ...schedule.pending]
                .toSorted((a, b) => a - b)
                .join() !== all.join()
            )
              return false
          }
          return isDrained(schedule) === (safe.size === count)
        },
      ),
    )
  })

  it('sends fewer parts at once on a slow network, so that one takes 5 to 20 s, and more on a fast one', () => {
    const send = (aloneMs: number): number => {
      let schedule = createSchedule(
        Array.from({ length: 100 }, (_, index) => index + 1),
        firstSlots(MAX_SLOTS),
      )
      for (let done = 0; done < 60; done += 1) {
        for (let lease = takePart(schedule); lease !== null; lease = takePart(schedule))
          schedule = lease.schedule
        const first = Array.from(schedule.inFlight)[0]
        if (first !== undefined)
          schedule = settleSafe(schedule, first, {
            tookMs: aloneMs * schedule.inFlight.size,
            aloneMs,
            slotBytesPerSecond: 1,
          })
      }
      return schedule.limit
    }
    expect(send(200)).toBe(5)
    expect(send(5_000)).toBe(4)
    expect(send(13_000)).toBe(1)
    expect(send(120_000)).toBe(1)
  })
})

describe('speed and time left', () => {
  it('names no time before 20 s, and ignores pauses', () => {
    let rate = createRate()
    for (let second = 0; second <= 19; second += 1)
      rate = observe(rate, second * 1_000, second * 1_000_000)
    expect(secondsLeft(rate, 10_000_000)).toBeNull()
    rate = observe(rate, 20_000, 20_000_000)
    expect(secondsLeft(rate, 10_000_000)).toBe(10)
    rate = observe(interrupt(rate), 900_000, 20_000_000)
    expect(secondsLeft(rate, 10_000_000)).toBe(10)
    rate = observe(rate, 8 * 3_600_000, 20_000_000)
    expect(secondsLeft(rate, 10_000_000)).toBe(10)
  })
})

describe('the answer of a part PUT', () => {
  it.each([
    ['an ETag', answer(200, { eTag: 'abc' }), NEW, { kind: 'safe', eTag: 'abc' }],
    ['a hidden ETag', answer(200), NEW, { kind: 'look-up' }],
    [
      "a portal's page",
      answer(200, { isFromStore: false, eTag: 'x' }),
      NEW,
      { kind: 'back-off', reason: 'network', losesSlot: false, retryAfterMs: null },
    ],
    [
      '200 with an error inside',
      answer(200, { eTag: 'x', errorCode: 'InternalError' }),
      NEW,
      { kind: 'back-off', reason: 'server', losesSlot: false, retryAfterMs: null },
    ],
    [
      '503 with Retry-After',
      answer(503, { retryAfterMs: 7_000 }),
      NEW,
      { kind: 'back-off', reason: 'server', losesSlot: true, retryAfterMs: 7_000 },
    ],
    [
      '408',
      answer(408),
      NEW,
      { kind: 'back-off', reason: 'server', losesSlot: false, retryAfterMs: null },
    ],
    ['403', answer(403), NEW, { kind: 'fresh-url' }],
    [
      '403 on a fresh URL',
      answer(403),
      { ...NEW, isUrlFresh: true },
      { kind: 'ask-api', ifStillOpen: 'fail' },
    ],
    ['404', answer(404), NEW, { kind: 'ask-api', ifStillOpen: 'back-off' }],
    [
      '404 again and again',
      answer(404),
      { ...NEW, refusals: MAX_MISSING - 1 },
      { kind: 'ask-api', ifStillOpen: 'expire' },
    ],
    ['a digest mismatch', answer(400, { errorCode: 'BadDigest' }), NEW, { kind: 'hash-again' }],
    [
      'the third mismatch',
      answer(400, { errorCode: 'BadDigest' }),
      { ...NEW, digestFailures: 2 },
      { kind: 'verify-file' },
    ],
    ['413', answer(413), NEW, { kind: 'fail', code: 'upload/too-large' }],
    ['507', answer(507), NEW, { kind: 'fail', code: 'upload/no-space' }],
    ['silence', { kind: 'silence', didStall: false, movedBytes: 0 }, NEW, { kind: 'check-file' }],
    [
      'a stall',
      { kind: 'silence', didStall: true, movedBytes: 5 },
      NEW,
      { kind: 'back-off', reason: 'network', losesSlot: false, retryAfterMs: null },
    ],
  ] as const)('%s', (_, outcome, history, decision) => {
    expect(decidePut(outcome, history)).toEqual(decision)
  })

  it("finds the code in S3's documents and in ours", () => {
    expect(readErrorCode('<?xml version="1.0"?>\n<Error><Code>NoSuchUpload</Code></Error>')).toBe(
      'NoSuchUpload',
    )
    expect(readErrorCode('{"error":{"message":"x","code":"BadDigest"}}')).toBe('BadDigest')
    for (const body of ['', 'ok', '{}', '{"error":"x"}', '<html></html>', 'null'])
      expect(readErrorCode(body)).toBeNull()
  })
})

describe('limits of silence', () => {
  const pace = { failedConnects: 0, unansweredParts: 0, expectedGapMs: null, bytesPerSecond: null }
  it('follow the phase and the measured pace', () => {
    expect(idleLimitMs('connecting', 1, pace)).toBe(20_000)
    expect(idleLimitMs('connecting', 1, { ...pace, failedConnects: 2 })).toBe(80_000)
    expect(idleLimitMs('sending', 1, pace)).toBe(15_000)
    expect(idleLimitMs('sending', 1, { ...pace, expectedGapMs: 60_000 })).toBe(60_000)
    expect(idleLimitMs('responding', 16_777_216, { ...pace, bytesPerSecond: 262_144 })).toBe(
      128_000,
    )
    expect(idleLimitMs('responding', 16_777_216, { ...pace, bytesPerSecond: 1 })).toBe(300_000)
    // A proxy took five parts at once and passes them on slowly.
    expect(idleLimitMs('responding', 1, pace)).toBe(60_000)
    expect(idleLimitMs('responding', 1, { ...pace, unansweredParts: 1 })).toBe(120_000)
    expect(idleLimitMs('responding', 1, { ...pace, unansweredParts: 5 })).toBe(300_000)
  })
})

describe('signed addresses', () => {
  it('are not used in their last ten minutes', () => {
    const urls = createPartUrls()
    urls.fill(
      {
        uploadRequestId: 'u',
        state: 'open',
        failureReason: null,
        parts: [{ partNumber: 1, sizeBytes: 1, url: '/p', eTag: null, storedBytes: null }],
      },
      0,
    )
    expect(urls.get(1, 49 * 60_000)).toMatchObject({ url: '/p', generation: 1 })
    expect(urls.get(1, 50 * 60_000)).toBeNull()
    expect(urls.get(2, 0)).toBeNull()
  })
})

describe('what a failed call means', () => {
  it.each([
    [401, 'auth/signed-out', 'signed-out'],
    [404, 'uploads/not-found', 'gone'],
    [409, 'uploads/parts-missing', 'parts-differ'],
    [409, 'uploads/aborted', 'gone'],
    [409, 'uploads/in-use', 'in-use'],
    [403, 'auth/xsrf', 'busy'],
    [429, 'request/too-many', 'busy'],
    [500, 'system/unexpected', 'busy'],
    [507, 'uploads/no-space', 'no-space'],
    [422, 'request/invalid', 'refused'],
  ] as const)('%i %s is %s', (status, code, kind) => {
    expect(problemOf(httpFailure(status, { error: { message: 'm', code } }, null)).kind).toBe(kind)
  })
  it('takes silence for silence', () =>
    expect(problemOf({ code: 'api/timeout' })).toEqual({ kind: 'silent' }))
})
