import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs, SEED } from '#tests/seeds.ts'

it('every property draws from the seed of the run, as often as the run says', () => {
  const details = fc.check(fc.property(fc.nat(), () => true))
  expect([details.seed, details.numRuns]).toEqual([SEED, runs(100)])
})
