import { expect, it } from 'vitest'
import { missedBy, quantile, type Phase } from '#tests/bench/stranger-goals.ts'

const hundred = Array.from({ length: 100 }, (_, at) => at + 1)
const quiet: Phase = {
  name: 'quiet',
  callsMs: hundred,
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
  ['slow calls', { callsMs: hundred.map((ms) => ms * 3) }, ['took 297 ms, 3.0 times as long']],
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
  ['no calls', { callsMs: [] }, ['NaN times as long']],
  ['nothing', { callsMs: hundred.map((ms) => ms * 2.9), memoryMb: 500, checksS: [60] }, []],
])('TRU-10 the bench of strangers misses its goal by %s', (_, difference, words) => {
  const missed = missedBy(quiet, { ...quiet, ...difference })
  expect(missed).toEqual(words.map((some) => expect.stringContaining(some)))
})
