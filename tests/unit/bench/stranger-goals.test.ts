import { expect, it } from 'vitest'
import {
  LEAST_CALLS,
  missedBy,
  quantile,
  timesBetween,
  together,
  type Phase,
} from '#tests/bench/stranger-goals.ts'

const hundred = Array.from({ length: 100 }, (_, at) => at + 1)
const calls = Array.from({ length: LEAST_CALLS / 100 }, () => hundred).flat()
const quiet: Phase = {
  name: 'quiet',
  callsMs: calls,
  checksS: [1],
  answers: new Map([[200, 100]]),
  memoryMb: 300,
  cpuS: 1,
  heldMs: 0,
}

it('TRU-10 the bench of strangers takes the value that a share of all is not above', () => {
  expect([quantile(hundred, 0.99), quantile(hundred, 0.5), quantile([7], 0.99)]).toEqual([
    99, 50, 7,
  ])
  expect(quantile([], 0.99)).toBeNaN()
})

it.each([
  ['slow calls', { callsMs: calls.map((ms) => ms * 3) }, ['took 297 ms, 3.0 times as long']],
  ['a slow check', { checksS: [1, 61] }, ['checked after 61 s']],
  ['no check', { checksS: [] }, ['no small upload was checked']],
  ['memory', { memoryMb: 501 }, ['memory grew by 201 MB']],
  [
    'faults',
    {
      answers: new Map([
        [500, 2],
        [503, 1],
      ]),
    },
    ['2 answers were 500', '1 answers were 503'],
  ],
  ['few calls', { callsMs: calls.slice(1) }, ['499 calls are too few']],
  ['no calls', { callsMs: [] }, ['0 calls are too few', 'NaN times as long']],
  ['nothing', { callsMs: calls.map((ms) => ms * 2.9), memoryMb: 500, checksS: [60] }, []],
])('TRU-10 the bench of strangers misses its goal by %s', (_, difference, words) => {
  const missed = missedBy(quiet, { ...quiet, ...difference })
  expect(missed).toEqual(words.map((some) => expect.stringContaining(some)))
})

it('TRU-10 the bench of strangers judges all turns of a kind as one', () => {
  const later = { ...quiet, callsMs: [7], checksS: [2], memoryMb: 310, cpuS: 2, heldMs: 250 }
  const turns = [{ ...quiet, callsMs: [5, 6] }, later] as const
  const one = { callsMs: [5, 6, 7], checksS: [1, 2], cpuS: 3, heldMs: 250 }
  expect(together(turns, Math.min)).toMatchObject({ ...one, memoryMb: 300 })
  expect(together(turns, Math.max)).toMatchObject({ ...one, memoryMb: 310 })
  expect([...together(turns, Math.min).answers]).toEqual([[200, 200]])
})

it('TRU-10 the bench of strangers says what chance may do to a ratio', () => {
  const [low, high] = timesBetween(quiet, { ...quiet, callsMs: calls.map((ms) => ms * 2) })
  expect([low, high]).toEqual([expect.closeTo(2, 1), expect.closeTo(2, 1)])
  expect(low).toBeLessThan(high)
  // Few slow calls among many leave it open whether the p99 is among them.
  const rare = [...calls.map(() => 1), 90, 90, 90, 90, 90]
  const [least, most] = timesBetween(
    { ...quiet, callsMs: calls.map(() => 1) },
    { ...quiet, callsMs: rare },
  )
  expect([least, most]).toEqual([1, 90])
})
