import { describe, expect, it } from 'vitest'
import { withIndexChanged } from '#server/media/movie-index.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'

const ADDED = atom('st3d', 0, Buffer.of(2))
const track = (kind: string, entry: string, places: Buffer): Buffer =>
  atom(
    'trak',
    atom('tkhd', Buffer.alloc(84)),
    atom(
      'mdia',
      atom('hdlr', 0, 0, kind, 0, 0, 0, '\0'),
      atom(
        'minf',
        atom('stbl', atom('stsd', 0, 1, atom(entry, Buffer.alloc(78))), places, atom('stsz', 0)),
      ),
    ),
  )
const near = (...places: readonly number[]): Buffer => atom('stco', 0, places.length, ...places)
const far = (...places: readonly bigint[]): Buffer =>
  atom(
    'co64',
    0,
    places.length,
    ...places.map((place) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64BE(place)
      return bytes
    }),
  )
const index = (...tracks: readonly Buffer[]): Buffer =>
  atom('moov', atom('mvhd', Buffer.alloc(100)), ...tracks)
const changed = (before: Buffer, indexEnd: number): Buffer =>
  Buffer.from(withIndexChanged(before, indexEnd, ADDED))
const described = atom('avc1', Buffer.alloc(78), ADDED)

describe('SRC-04 an index with more boxes', () => {
  it('has them in the entry of the picture alone, and every size around them grows', () => {
    const places = near(9000)
    const before = index(track('soun', 'mp4a', places), track('vide', 'avc1', places))
    const after = changed(before, 10_000)
    expect(after.readUInt32BE(0)).toBe(after.length)
    expect(after.length).toBe(before.length + ADDED.length)
    expect(after.includes(described)).toBe(true)
    expect(after.includes(atom('mp4a', Buffer.alloc(78)))).toBe(true)
  })

  it('that is first moves what is behind it, in the tables of all tracks', () => {
    const sizes = index(track('soun', 'mp4a', near(0, 0)), track('vide', 'avc1', near(0))).length
    const end = sizes + 24
    const before = index(
      track('soun', 'mp4a', near(end, end + 700)),
      track('vide', 'avc1', near(end + 50)),
    )
    const after = changed(before, end)
    const by = after.length - before.length
    expect(after.includes(near(end + by, end + 700 + by))).toBe(true)
    expect(after.includes(near(end + 50 + by))).toBe(true)
  })

  it('that is last moves nothing', () => {
    const before = index(track('vide', 'avc1', near(48, 5000)))
    expect(changed(before, 20_000).includes(near(48, 5000))).toBe(true)
  })

  it('keeps tables of 64 bits', () => {
    const before = index(track('vide', 'avc1', far(5000n, 2n ** 33n)))
    const by = BigInt(ADDED.length)
    expect(changed(before, 4000).includes(far(5000n + by, 2n ** 33n + by))).toBe(true)
  })

  it('takes 64 bits where a place passes 32, and counts by how much that moves it', () => {
    const before = index(
      track('soun', 'mp4a', near(5000)),
      track('vide', 'avc1', near(2 ** 32 - 1)),
    )
    const after = changed(before, 4000)
    const by = BigInt(after.length - before.length)
    expect(by).toBe(BigInt(ADDED.length + 8))
    expect(after.includes(far(5000n + by))).toBe(true)
    expect(after.includes(far(2n ** 32n - 1n + by))).toBe(true)
  })

  it('without a picture is not one of ours', () => {
    expect(() => changed(index(track('soun', 'mp4a', near(1))), 0)).toThrow('no picture')
  })
})
