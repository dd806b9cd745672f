import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endsFirst, missingParts, partRange, planOf } from '#src/local/uploads/model/plan.ts'
import { runs } from '#tests/seeds.ts'

describe('a part plan', () => {
  it('UPL-09 tiles the file exactly: no gap, no overlap, the whole size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000_000_000 }),
        fc.integer({ min: 5 * 1024 ** 2, max: 64 * 1024 ** 2 }),
        (sizeBytes, partSizeBytes) => {
          const partCount = Math.ceil(sizeBytes / partSizeBytes)
          const plan = planOf({ partSizeBytes, partCount }, sizeBytes)
          if (plan === null) return false
          let position = 0
          for (let n = 1; n <= plan.partCount; n += 1) {
            const range = partRange(plan, n)
            if (range.start !== position || range.end <= range.start) return false
            position = range.end
          }
          return position === sizeBytes
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it.each([
    ['no plan', null, 10],
    ['parts of nothing', { partSizeBytes: 0, partCount: 1 }, 10],
    ['too few parts', { partSizeBytes: 4, partCount: 2 }, 10],
    ['too many parts', { partSizeBytes: 4, partCount: 4 }, 10],
    ['a file of nothing', { partSizeBytes: 4, partCount: 1 }, 0],
  ] as const)('refuses %s', (_, cut, sizeBytes) => {
    expect(planOf(cut, sizeBytes)).toBeNull()
  })

  it('names what is missing, in file order', () => {
    expect(
      missingParts({ partSizeBytes: 10, partCount: 4, sizeBytes: 35 }, new Set([2, 4])),
    ).toEqual([1, 3])
  })
  it('JOB-04 sends the last part right after the first missing one, because an index may be at the end', () => {
    const plan = { partSizeBytes: 10, partCount: 5, sizeBytes: 45 }
    expect(endsFirst(plan, [1, 2, 3, 4, 5])).toEqual([1, 5, 2, 3, 4])
    expect(endsFirst(plan, [3, 4, 5])).toEqual([3, 5, 4])
    expect(endsFirst(plan, [1, 2, 4])).toEqual([1, 2, 4])
    expect(endsFirst(plan, [5])).toEqual([5])
    expect(endsFirst(plan, [])).toEqual([])
  })
})
