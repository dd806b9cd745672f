import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_PARTS, planParts } from '#server/operations/media/uploads/plan.ts'
import { LOCAL_FILE_MAX_BYTES } from '#spec/numbers.ts'

const MIB = 1024 ** 2

describe('part plan', () => {
  it('UPL-09 parts tile any file exactly, within the limits of S3', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 * 1024 ** 3 }), (sizeBytes) => {
        const { partSizeBytes, partCount } = planParts('s3-multipart', sizeBytes, 16 * MIB)
        const last = sizeBytes - (partCount - 1) * partSizeBytes
        expect(last).toBeGreaterThan(0)
        expect(last).toBeLessThanOrEqual(partSizeBytes)
        expect(partCount).toBeLessThanOrEqual(MAX_PARTS)
        if (partCount > 1) expect(partSizeBytes).toBeGreaterThanOrEqual(5 * MIB)
      }),
    )
  })

  it('UPL-08 a small file has one part, the largest has 16 MiB parts, more than 10,000 parts grow', () => {
    expect(planParts('s3-multipart', 1, 16 * MIB)).toEqual({ partSizeBytes: 1, partCount: 1 })
    expect(planParts('s3-multipart', LOCAL_FILE_MAX_BYTES, 16 * MIB)).toEqual({
      partSizeBytes: 16 * MIB,
      partCount: 3200,
    })
    expect(planParts('s3-multipart', 16 * MIB * MAX_PARTS + 1, 16 * MIB)).toEqual({
      partSizeBytes: 17 * MIB,
      partCount: 9412,
    })
    expect(planParts('s3-multipart', 11 * MIB, 5 * MIB)).toEqual({
      partSizeBytes: 5 * MIB,
      partCount: 3,
    })
    expect(planParts('s3-singlepart', 100 * MIB, 16 * MIB)).toEqual({
      partSizeBytes: 100 * MIB,
      partCount: 1,
    })
  })
})
