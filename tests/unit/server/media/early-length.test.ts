import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { findEarlyLength } from '#server/media/early-length.ts'
import type { PartialFile } from '#server/media/partial-file.ts'

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
function partial(
  bytes: Buffer,
  stored: readonly (readonly [number, number])[] = [[0, bytes.length]],
): PartialFile {
  const isStored = (start: number, end: number): boolean =>
    stored.some(([from, to]) => start >= from && end <= to)
  return {
    sizeBytes: bytes.length,
    isStored,
    read: async (start, length) => {
      expect(isStored(start, start + length)).toBe(true)
      return bytes.subarray(start, start + length)
    },
  }
}

it('finds the index in front or at the end, as soon as its bytes and the way to it are stored', async () => {
  const front = Buffer.concat([ftyp, moov, mdat])
  expect(await findEarlyLength(partial(front))).toBe('here')
  expect(await findEarlyLength(partial(front, [[0, ftyp.length + moov.length]]))).toBe('here')
  expect(await findEarlyLength(partial(front, [[0, ftyp.length + moov.length - 1]]))).toBe(
    'not-yet',
  )
  const end = Buffer.concat([ftyp, mdat, moov])
  expect(await findEarlyLength(partial(end, [[0, 100]]))).toBe('not-yet')
  expect(
    await findEarlyLength(
      partial(end, [
        [0, 100],
        [end.length - moov.length, end.length],
      ]),
    ),
  ).toBe('here')
})

it('a fragmented movie, another file and a broken one have none', async () => {
  expect(await findEarlyLength(partial(Buffer.concat([ftyp, fragmented, mdat])))).toBe('none')
  expect(await findEarlyLength(partial(Buffer.concat([ftyp, mdat])))).toBe('none')
  expect(await findEarlyLength(partial(Buffer.from('RIFF....AVI LIST....hdrl')))).toBe('none')
  expect(await findEarlyLength(partial(Buffer.concat([ftyp, moov.subarray(0, 50)])))).toBe('none')
  expect(await findEarlyLength(partial(Buffer.alloc(0)))).toBe('none')
  expect(
    await findEarlyLength(partial(Buffer.concat(Array.from({ length: 300 }, () => box('free'))))),
  ).toBe('none')
})

it('ends on any bytes without reading what is not stored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(300), async (tail, stored) => {
      const bytes = Buffer.concat([ftyp, tail])
      expect(['here', 'not-yet', 'none']).toContain(
        await findEarlyLength(partial(bytes, [[0, Math.min(stored, bytes.length)]])),
      )
    }),
  )
})

const element = (id: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(id, 'hex'),
    Buffer.from([0x40 | (body.length >> 8), body.length & 0xff]),
    body,
  ])
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex')
const ebml = element('1a45dfa3', Buffer.from('42868101', 'hex'))
const scale = element('2ad7b1', Buffer.from('0f4240', 'hex'))
const duration = element('4489', Buffer.alloc(8, 1))
const cluster = Buffer.concat([
  Buffer.from('1f43b675', 'hex'),
  UNKNOWN_SIZE,
  Buffer.alloc(3000, 0xa3),
])
const matroska = (...children: readonly Buffer[]): Buffer =>
  Buffer.concat([
    ebml,
    Buffer.from('18538067', 'hex'),
    UNKNOWN_SIZE,
    element('ec', Buffer.alloc(60)),
    ...children,
    cluster,
  ])

it('finds the length in the head of a Matroska file, and none where it is not written', async () => {
  const bytes = matroska(element('1549a966', Buffer.concat([scale, duration])))
  expect(await findEarlyLength(partial(bytes, [[0, 200]]))).toBe('here')
  expect(await findEarlyLength(partial(bytes, [[0, 80]]))).toBe('not-yet')
  expect(await findEarlyLength(partial(bytes, []))).toBe('not-yet')
  expect(await findEarlyLength(partial(matroska(element('1549a966', scale))))).toBe('none')
  expect(await findEarlyLength(partial(matroska()))).toBe('none')
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(300), async (tail, stored) => {
      const random = Buffer.concat([ebml, tail])
      expect(['here', 'not-yet', 'none']).toContain(
        await findEarlyLength(partial(random, [[0, Math.min(stored, random.length)]])),
      )
    }),
  )
})
