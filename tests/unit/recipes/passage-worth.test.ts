import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWeigher } from '#recipes/passage-worth.ts'
import type { Moment } from '#recipes/types.ts'
import { runs } from '#tests/seeds.ts'

const moment = fc.record({
  lengthMs: fc.integer({ min: 1, max: 5000 }),
  gapMs: fc.constantFrom(0, 0, 1, 900),
  shows: fc.constantFrom('lively', 'calm', 'still', 'title', 'black', 'unseen'),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  startsShot: fc.boolean(),
  likeness: fc.constantFrom('', '0000', '0001', 'ffff'),
})
const moments = fc.array(moment, { maxLength: 30 }).map((list): Moment[] => {
  let endMs = 0
  return list.map(({ gapMs, ...each }) => {
    const atMs = endMs + gapMs
    endMs = atMs + each.lengthMs
    return { ...each, atMs, stillMs: atMs } as Moment
  })
})
const starts = fc
  .uniqueArray(fc.integer({ min: 0, max: 60_000 }), { maxLength: 40 })
  .map((list) => Float64Array.from(list).toSorted())

describe('what passages are worth', () => {
  it('is the same for many starts at once as for each alone, and so is what looks alike', () => {
    fc.assert(
      fc.property(
        moments,
        starts,
        fc.integer({ min: 1, max: 9000 }),
        fc.integer({ min: 0, max: 60_000 }),
        (list, times, durationMs, otherMs) => {
          const weigher = createWeigher(list)
          const other = { startMs: otherMs, durationMs: 1500 }
          const each = [...times]
          expect([...weigher.worthsAt(times, durationMs)]).toEqual(
            each.map((startMs) => weigher.worth(startMs, durationMs)),
          )
          const alike = weigher
            .alikeAt(times, durationMs, other)
            .flatMap(({ from, to }) => [...each.keys()].slice(from, to))
          expect(alike).toEqual(
            [...each.keys()].filter((at) =>
              weigher.areAlike({ startMs: each[at] ?? 0, durationMs }, other),
            ),
          )
        },
      ),
      { numRuns: runs(300) },
    )
  })
})
