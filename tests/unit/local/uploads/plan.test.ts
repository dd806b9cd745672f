import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  endsFirst,
  likelyPlan,
  missingParts,
  partRange,
  planFromParts,
} from '#src/local/uploads/model/plan.ts'

function parts(
  sizeBytes: number,
  partSizeBytes: number,
): { partNumber: number; sizeBytes: number }[] {
  return Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, (_, index) => ({
    partNumber: index + 1,
    sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes),
  }))
}

describe('a part plan', () => {
  it('UPL-09 tiles the file exactly: no gap, no overlap, the whole size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000_000_000 }),
        fc.integer({ min: 5 * 1024 ** 2, max: 64 * 1024 ** 2 }),
        (sizeBytes, partSizeBytes) => {
          const wished = parts(sizeBytes, Math.max(partSizeBytes, Math.ceil(sizeBytes / 10_000)))
          const plan = planFromParts(wished, sizeBytes)
          if (!plan.ok) return false
          let position = 0
          for (let n = 1; n <= plan.value.partCount; n += 1) {
            const range = partRange(plan.value, n)
            if (range.start !== position || range.end <= range.start) return false
            position = range.end
          }
          return position === sizeBytes
        },
      ),
      { numRuns: 200 },
    )
  })

  it.each([
    [1, 16],
    [16, 16],
    [17, 16],
    [160_000, 16],
  ])(
    'of %i bytes in parts of %i is foretold as the server makes it',
    (sizeBytes, partSizeBytes) => {
      expect(planFromParts(parts(sizeBytes, partSizeBytes), sizeBytes)).toEqual({
        ok: true,
        value: likelyPlan(sizeBytes, partSizeBytes),
      })
    },
  )

  it('is not guessed where more parts would be needed than there may be', () => {
    expect(likelyPlan(160_001, 16)).toBeNull()
    expect(likelyPlan(0, 16)).toBeNull()
  })

  it.each([
    ['empty', [], 10],
    ['gap', [{ partNumber: 2, sizeBytes: 10 }], 10],
    [
      'uneven',
      [
        { partNumber: 1, sizeBytes: 4 },
        { partNumber: 2, sizeBytes: 6 },
      ],
      10,
    ],
    ['wrong-total', [{ partNumber: 1, sizeBytes: 9 }], 10],
  ] as const)('refuses a plan that is %s', (why, planned, sizeBytes) => {
    expect(planFromParts(planned, sizeBytes)).toEqual({
      ok: false,
      error: { code: 'upload/plan-unusable', why },
    })
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
