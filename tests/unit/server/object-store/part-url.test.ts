import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeKey } from '#tests/fakes/key.ts'
import { readPartUrl, signPartUrl } from '#server/object-store/part-url.ts'

const key = fakeKey(1)
const grants = fc.record({
  uploadId: fc.uuid(),
  partNumber: fc.integer({ min: 1, max: 10_000 }),
  offset: fc.integer({ min: 0, max: 2 ** 40 }),
  sizeBytes: fc.integer({ min: 1, max: 2 ** 33 }),
  expiresAtEpochS: fc.integer({ min: 1, max: 4_000_000_000 }),
})

describe('part URLs', () => {
  it('UPL-09 a URL grants what was signed until its second is over', () => {
    fc.assert(
      fc.property(grants, (grant) => {
        const url = signPartUrl(key, grant)
        expect(readPartUrl(key, url, grant.expiresAtEpochS * 1000)).toEqual(grant)
        expect(readPartUrl(key, url, grant.expiresAtEpochS * 1000 + 1)).toBe('expired')
        expect(readPartUrl(fakeKey(2, 1), url, 0)).toEqual(grant)
      }),
    )
  })

  it('UPL-09 no changed character and no other key passes', () => {
    fc.assert(
      fc.property(
        grants,
        fc.nat(),
        fc.constantFrom('0', '1', 'a', 'Z', '-', '/', '%'),
        (grant, at, char) => {
          const url = signPartUrl(key, grant)
          const index = at % url.length
          const changed = url.slice(0, index) + char + url.slice(index + 1)
          if (changed !== url) expect(readPartUrl(key, changed, 0)).toBe('forged')
          expect(readPartUrl(fakeKey(2), url, 0)).toBe('forged')
        },
      ),
    )
  })
})
