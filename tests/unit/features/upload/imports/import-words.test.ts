import { expect, it } from 'vitest'
import { importWords } from '#src/features/upload/imports/import-words.ts'
import { createRate, interrupt, observe } from '#src/local/uploads/network/rate.ts'

const MB = 1_000_000
const fetching = {
  host: 'dropbox.com',
  waitsFor: null,
  nextAttemptAtEpochMs: null,
  askedAtEpochMs: 0,
} as const
const factsAt = (rate: ReturnType<typeof createRate>, safeBytes: number): string =>
  importWords({
    open: { safeBytes },
    fetching,
    sizeBytes: 2_000 * MB,
    rate,
    nowEpochMs: 0,
  }).facts
/** Answers three seconds apart, between which 15 MB came. */
const after = (answers: number) =>
  Array.from({ length: answers }, (_, index) => index).reduce(
    (rate, index) => observe(rate, index * 3_000, index * 15 * MB),
    createRate(),
  )

it('SAF-04 says how long an import takes once its speed has been seen for 20 s, and nothing before', () => {
  expect(factsAt(after(1), 500 * MB)).toBe('500 MB of 2 GB')
  expect(factsAt(after(7), 500 * MB)).toBe('500 MB of 2 GB - 40 Mbit/s')
  expect(factsAt(after(8), 500 * MB)).toBe('500 MB of 2 GB - 40 Mbit/s - about 5 min')
})

it('SAF-04 does not count the time in which an import waits as slowness', () => {
  const waited = interrupt(after(8))
  const goesOn = observe(observe(waited, 600_000, 105 * MB), 603_000, 120 * MB)
  expect(factsAt(goesOn, 500 * MB)).toBe('500 MB of 2 GB - 40 Mbit/s - about 5 min')
})
