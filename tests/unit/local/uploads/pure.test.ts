import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readErrorCode } from '#src/local/uploads/adapters/error-body.ts'
import { problemOf } from '#src/local/uploads/adapters/openapi-api.ts'
import { decidePut } from '#src/local/uploads/transfer/answers.ts'
import type { PutOutcome } from '#src/local/uploads/ports.ts'
import { uploadDelayMs } from '#src/local/uploads/model/backoff.ts'
import { createPartUrls } from '#src/local/uploads/transfer/part-urls.ts'
import { createRate, interrupt, observe, secondsLeft } from '#src/local/uploads/network/rate.ts'
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
    heldBytes: null,
    isOwn: true,
    ...more,
  }
}
const NEW = { isUrlFresh: false, digestFailures: 0 }
const foreign = (status: number, retryAfterMs: number | null = null): PutOutcome =>
  answer(status, { isOwn: false, retryAfterMs })
const wait = (reason: string, retryAfterMs: number | null = null, losesSlot = false) => ({
  kind: 'wait',
  cause: { reason, retryAfterMs },
  losesSlot,
})
const refused = (code: string) => ({ reason: 'refused', code, retryAfterMs: null })

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

describe('the answer of a part', () => {
  it.each([
    ['an ETag', answer(200, { eTag: 'abc' }), NEW, { kind: 'stored', eTag: 'abc' }],
    ['a hidden ETag', answer(200), NEW, { kind: 'look-up' }],
    ['an offset', answer(204, { heldBytes: 7 }), NEW, { kind: 'held', heldBytes: 7 }],
    ['another offset', answer(409, { heldBytes: 3 }), NEW, { kind: 'held', heldBytes: 3 }],
    ["a portal's page", foreign(200), NEW, { kind: 'look-up' }],
    [
      '200 with an error inside',
      answer(200, { eTag: 'x', errorCode: 'InternalError' }),
      NEW,
      wait('server'),
    ],
    [
      '503 with Retry-After',
      answer(503, { retryAfterMs: 7_000 }),
      NEW,
      wait('server', 7_000, true),
    ],
    ['a server that starts', answer(503, { errorCode: 'system/starting' }), NEW, wait('network')],
    ['403', answer(403), NEW, { kind: 'fresh-url' }],
    [
      '403 on a fresh URL',
      answer(403),
      { ...NEW, isUrlFresh: true },
      { kind: 'ask-api', cause: refused('http/403') },
    ],
    [
      '404',
      answer(404, { errorCode: 'NoSuchUpload' }),
      NEW,
      { kind: 'ask-api', cause: refused('NoSuchUpload') },
    ],
    ['a digest mismatch', answer(400, { errorCode: 'BadDigest' }), NEW, { kind: 'hash-again' }],
    [
      'the third mismatch',
      answer(400, { errorCode: 'BadDigest' }),
      { ...NEW, digestFailures: 2 },
      { kind: 'verify-file' },
    ],
    ['507', answer(507), NEW, wait('no-space')],
    ['a full bucket', answer(403, { errorCode: 'QuotaExceeded' }), NEW, wait('no-space')],
    [
      'a full quota of MinIO',
      answer(400, { errorCode: 'XMinioAdminBucketQuotaExceeded' }),
      NEW,
      wait('no-space'),
    ],
    ['silence', { kind: 'silence', didStall: false, movedBytes: 0 }, NEW, { kind: 'check-file' }],
    ['a stall', { kind: 'silence', didStall: true, movedBytes: 5 }, NEW, wait('network')],
  ] as const)('%s', (_, outcome, history, decision) => {
    expect(decidePut(outcome, history)).toEqual(decision)
  })

  it.each([
    [403, { kind: 'wait', cause: refused('http/403'), losesSlot: false }],
    [404, { kind: 'wait', cause: refused('http/404'), losesSlot: false }],
    [410, { kind: 'wait', cause: refused('http/410'), losesSlot: false }],
    [413, { kind: 'smaller', cause: refused('http/413') }],
    [501, wait('server', null, true)],
    [502, wait('network')],
    [507, wait('no-space')],
    [511, wait('network')],
  ] as const)('SAF-01 a %i of a machine in between passes', (status, decision) => {
    expect(decidePut(foreign(status), { ...NEW, isUrlFresh: true })).toEqual(decision)
  })

  it('SAF-01 none of any status, of whomever, ends an upload', () => {
    for (let status = 200; status <= 599; status += 1)
      for (const isOwn of [true, false])
        for (const isUrlFresh of [true, false])
          expect(['fresh-url', 'look-up', 'wait', 'ask-api', 'smaller']).toContain(
            decidePut(answer(status, { isOwn }), { ...NEW, isUrlFresh }).kind,
          )
  })

  it("finds the code in S3's documents and in ours", () => {
    expect(readErrorCode('<?xml version="1.0"?>\n<Error><Code>NoSuchUpload</Code></Error>')).toBe(
      'NoSuchUpload',
    )
    expect(readErrorCode('{"error":{"message":"x","code":"BadDigest"}}')).toBe('BadDigest')
    const foreignJson = '{"error":{"code":"FORBIDDEN"}}'
    for (const body of ['', 'ok', '{}', '{"error":"x"}', '<html></html>', 'null', foreignJson])
      expect(readErrorCode(body)).toBeNull()
  })
})

describe('limits of silence', () => {
  const pace = { failedConnects: 0, unanswered: 0, expectedGapMs: null, bytesPerSecond: null }
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
    expect(idleLimitMs('responding', 1, { ...pace, unanswered: 1 })).toBe(120_000)
    expect(idleLimitMs('responding', 1, { ...pace, unanswered: 5 })).toBe(300_000)
  })
})

describe('signed addresses', () => {
  it('are not used in their last ten minutes', () => {
    const urls = createPartUrls()
    urls.fill(
      [
        {
          partNumber: 1,
          sizeBytes: 1,
          url: '/p',
          headers: null,
          eTag: null,
          storedBytes: null,
          sha256: null,
          heldBytes: 0,
        },
      ],
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
    [507, 'object-store/full', 'no-space'],
    [422, 'request/invalid', 'refused'],
  ] as const)('%i %s is %s', (status, code, kind) => {
    expect(problemOf(httpFailure(status, { error: { message: 'm', code } }, null)).kind).toBe(kind)
  })
  it.each([401, 403, 404, 409, 410, 413, 422, 500])(
    "SAF-01 a %i that is not the server's own says only that something else answered",
    (status) =>
      expect(problemOf(httpFailure(status, '<html>', null))).toEqual({ kind: 'foreign', status }),
  )
  it.each([502, 503, 504, 511])('SAF-01 a %i of a gateway or a portal is no answer', (status) =>
    expect(problemOf(httpFailure(status, '<html>', null))).toEqual({ kind: 'silent' }),
  )
  it('SAF-01 a disk is full, whatever says so', () =>
    expect(problemOf(httpFailure(507, '<html>', null))).toEqual({ kind: 'no-space' }))
  it("takes a portal's page, which has words of its own, for silence", () =>
    expect(problemOf({ code: 'api/foreign', status: 200, looksLikePortal: true })).toEqual({
      kind: 'silent',
    }))
  it('takes silence for silence', () =>
    expect(problemOf({ code: 'api/timeout' })).toEqual({ kind: 'silent' }))
})
