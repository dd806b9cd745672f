import { expect, it } from 'vitest'
import { forecastWords } from '#src/components/order/forecast-words.ts'

const MINUTE_MS = 60_000
const words = (
  inMs: number | null,
  thenMs: number | null,
  othersMs: number | null,
  isVideoThere = true,
) =>
  forecastWords(
    { remainingMs: null, editsAhead: 0, review: { inMs, thenMs, othersMs } },
    { isVideoThere },
  )

it('REC-25 says of an edit with a review when there is something to look at, and how long it takes from then on', () => {
  expect(words(5 * MINUTE_MS, 12 * MINUTE_MS, null)).toBe(
    'Ready for your review in about 5 minutes, then about 10 minutes more.',
  )
  expect(words(5 * MINUTE_MS, 30_000, 20 * MINUTE_MS, false)).toBe(
    'Ready for your review about 5 minutes after your upload, then less than a minute more. Your other edits are ready about 20 minutes after your upload.',
  )
  expect(words(0, 5 * MINUTE_MS, null)).toBe('Ready about 5 minutes after your review.')
})

it('REC-25 says of an edit with a review only what is known', () => {
  expect(words(5 * MINUTE_MS, null, null)).toBe('Ready for your review in about 5 minutes.')
  expect(words(null, null, 5 * MINUTE_MS)).toBe('Your other edits are ready in about 5 minutes.')
  expect(words(null, 5 * MINUTE_MS, null)).toBeNull()
  expect(words(0, null, null)).toBeNull()
  expect(
    forecastWords({ remainingMs: null, editsAhead: 0, review: null }, { isVideoThere: true }),
  ).toBeNull()
})

it('REC-25 says when edits without a review are ready, in words of their size', () => {
  const ready = (remainingMs: number, isVideoThere = true) =>
    forecastWords({ remainingMs, editsAhead: 4, review: null }, { isVideoThere })
  expect(ready(25 * MINUTE_MS)).toBe('Ready in about 25 minutes')
  expect(ready(150 * MINUTE_MS)).toBe('Ready in about 2 hours 30 minutes')
  expect(ready(30_000)).toBe('Ready in less than a minute')
  expect(ready(4 * MINUTE_MS, false)).toBe('Ready about 4 minutes after your upload')
})
