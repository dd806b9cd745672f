import { expect, it } from 'vitest'
import { rateOf, spanOfRates } from '#workers/media/sample-times.ts'

const every = (ms: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => (index * ms) / 1_000)
const toMs = (times: readonly number[]): readonly number[] =>
  times.map((time) => Math.round(time * 1_000) / 1_000)

it('B1 a rate is that of the usual interval, also from timestamps in whole milliseconds', () => {
  expect(rateOf(every(40, 48))).toBeCloseTo(25, 6)
  expect(Math.abs((rateOf(toMs(every(1_000 / 60, 48))) ?? 0) - 60)).toBeLessThan(0.15)
  expect(Math.abs((rateOf(toMs(every(1_001 / 30, 48))) ?? 0) - 29.97)).toBeLessThan(0.1)
})

it('B1 frames stored out of order and a few dropped ones change nothing', () => {
  const times = every(40, 48)
  expect(rateOf([...times].toReversed())).toBeCloseTo(25, 6)
  expect(rateOf(times.filter((_, index) => index !== 20 && index !== 31))).toBeCloseTo(25, 6)
})

it('B1 too few frames are no rate', () => {
  expect(rateOf(every(40, 6))).toBeNull()
  expect(spanOfRates([null, null])).toBeNull()
  expect(spanOfRates([30, null, 24])).toEqual({ lowest: 24, highest: 30 })
})
