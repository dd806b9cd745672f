import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { findMovieIndex, type PartialFile } from '#server/media/movie-index.ts'

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}
function largeBox(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(16)
  header.writeUInt32BE(1)
  header.write(type, 4, 'latin1')
  header.writeBigUInt64BE(BigInt(16 + body.length), 8)
  return Buffer.concat([header, body])
}

const ftyp = box('ftyp', Buffer.from('isom'))
const moov = box('moov', box('mvhd', Buffer.alloc(100)), box('trak', Buffer.alloc(300)))
const fragmented = box('moov', box('mvhd', Buffer.alloc(100)), box('mvex', Buffer.alloc(20)))
const mdat = largeBox('mdat', Buffer.alloc(4000, 0xff))

/** Only the ranges given are stored; reading anywhere else fails the test. */
function partial(bytes: Buffer, stored: readonly (readonly [number, number])[] = [[0, bytes.length]]): PartialFile {
  const isStored = (start: number, end: number): boolean => stored.some(([from, to]) => start >= from && end <= to)
  return {
    sizeBytes: bytes.length, isStored,
    read: async (start, length) => {
      expect(isStored(start, start + length)).toBe(true)
      return bytes.subarray(start, start + length)
    },
  }
}

it('finds the index in front or at the end, as soon as its bytes and the way to it are stored', async () => {
  const front = Buffer.concat([ftyp, moov, mdat])
  expect(await findMovieIndex(partial(front))).toBe('here')
  expect(await findMovieIndex(partial(front, [[0, ftyp.length + moov.length]]))).toBe('here')
  expect(await findMovieIndex(partial(front, [[0, ftyp.length + moov.length - 1]]))).toBe('not-yet')
  const end = Buffer.concat([ftyp, mdat, moov])
  expect(await findMovieIndex(partial(end, [[0, 100]]))).toBe('not-yet')
  expect(await findMovieIndex(partial(end, [[0, 100], [end.length - moov.length, end.length]]))).toBe('here')
})

it('a fragmented movie, another file and a broken one have none', async () => {
  expect(await findMovieIndex(partial(Buffer.concat([ftyp, fragmented, mdat])))).toBe('none')
  expect(await findMovieIndex(partial(Buffer.concat([ftyp, mdat])))).toBe('none')
  expect(await findMovieIndex(partial(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, ...Buffer.alloc(400)])))).toBe('none')
  expect(await findMovieIndex(partial(Buffer.concat([ftyp, moov.subarray(0, 50)])))).toBe('none')
  expect(await findMovieIndex(partial(Buffer.alloc(0)))).toBe('none')
  expect(await findMovieIndex(partial(Buffer.concat(Array.from({ length: 300 }, () => box('free')))))).toBe('none')
})

it('ends on any bytes without reading what is not stored', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(300), async (tail, stored) => {
    const bytes = Buffer.concat([ftyp, tail])
    expect(['here', 'not-yet', 'none']).toContain(await findMovieIndex(partial(bytes, [[0, Math.min(stored, bytes.length)]])))
  }))
})
