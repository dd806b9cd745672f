import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { backoffMs, retryAfterToMs } from '#src/lib/backoff.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { truncate } from '#src/lib/text.ts'
import { createClock } from '#src/lib/time.ts'

const characters = (text: string): number =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].length

it('APP-22 a cut name is never longer than its limit, keeps its beginning and ends with an ellipsis', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.constantFrom(40, 48, 60),
      (text, limit) => {
        const cut = truncate(text, limit)
        expect(characters(cut)).toBeLessThanOrEqual(limit)
        if (characters(text) <= limit) expect(cut).toBe(text)
        else {
          expect(cut.endsWith('…')).toBe(true)
          expect(text.startsWith(cut.slice(0, -1))).toBe(true)
        }
      },
    ),
  )
  expect(truncate('👩‍👩‍👧 family', 2)).toBe('👩‍👩‍👧…')
})

it('APP-17 waits grow, never beyond the cap, never below what the server asked for', () => {
  const shape = { firstDelayMs: 1000, maxDelayMs: 60_000 }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.option(fc.nat(120_000)),
      (attempt, random, asked) => {
        const delayMs = backoffMs(shape, attempt, random, asked)
        expect(delayMs).toBeGreaterThanOrEqual(asked ?? 0)
        expect(delayMs).toBeLessThanOrEqual(Math.max(60_000, asked ?? 0))
      },
    ),
  )
  expect([1, 2, 3, 10].map((attempt) => backoffMs(shape, attempt, 0.5))).toEqual([
    500, 1000, 2000, 30_000,
  ])
})

it('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-11-21T09:30:00Z')
  expect(
    ['7', 'Sat, 21 Nov 2026 09:30:05 GMT', 'Sat, 21 Nov 2026 09:00:00 GMT', 'soon', '', null].map(
      (header) => retryAfterToMs(header, now),
    ),
  ).toEqual([7000, 5000, 0, null, null, null])
})

it('sizes are said with three digits', () => {
  expect([0, 999, 1000, 3_110_000_000, 25e9, 1e16, -1, Number.NaN].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1 KB',
    '3.11 GB',
    '25 GB',
    '10000 TB',
    '0 B',
    '0 B',
  ])
})

it('a sleep that is aborted ends with the reason, also when it was before', async () => {
  const clock = createClock()
  const stop = new AbortController()
  const sleeping = clock.sleep(60_000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  await expect(clock.sleep(60_000, stop.signal)).rejects.toThrow('enough')
})
