import { describe, expect, it } from 'vitest'
import { planExcerpt } from '#checks/movie/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import type { MovieIndex } from '#checks/movie/movie-index.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { err, ok } from '#src/lib/result.ts'
import { movie, samplesOf, type WrittenTrack } from '#tests/fixtures/movies.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'

const sourceOf = (bytes: Buffer): ByteSource =>
  fileSource(new File([new Uint8Array(bytes)], 'scene.mp4'))

/** 'ok', or why there is no index. */
async function verdict(bytes: Buffer): Promise<string> {
  const index = await movieIndexOf(sourceOf(bytes))
  return index.ok ? 'ok' : index.error.code
}

const track = (different: Partial<WrittenTrack> = {}): WrittenTrack => ({
  kind: 'vide',
  timeScale: 1000,
  perChunk: 2,
  samples: Array.from({ length: 10 }, (_, at) => ({
    decoded: at * 100,
    lasts: 100,
    later: 0,
    isKey: at % 5 === 0,
    bytes: Buffer.of(at, at, at),
  })),
  ...different,
})
const sound = track({ kind: 'soun' })
const withTable = (type: string, ...words: readonly (number | Buffer)[]): Buffer =>
  movie([track({ tables: { [type]: atom(type, ...words) } }), sound])
const edited = (...edits: readonly (readonly [number, number, number])[]): Buffer =>
  movie([track({ edits }), sound])
const NORMAL = 0x10000

describe('the index of a movie', () => {
  it('NOW-01 is found behind the media and before it, in MP4 and in old MOV', async () => {
    const behind = movie([track(), sound])
    const moov = behind.subarray(behind.indexOf('moov') - 4)
    const media = behind.subarray(0, behind.indexOf('moov') - 4)
    expect(await verdict(behind)).toBe('ok')
    expect(await verdict(Buffer.concat([moov, media]))).toBe('ok')
    const withoutBrand = Buffer.concat([atom('wide'), media.subarray(20), moov])
    expect(await verdict(withoutBrand)).toBe('ok')
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'not-a-movie'],
    ['a text', Buffer.from('no movie at all, only words'), 'not-a-movie'],
    ['Matroska', Buffer.from('1a45dfa3a3428681014286', 'hex'), 'not-a-movie'],
    ['sound only', movie([sound]), 'not-a-movie'],
    [
      'fragments without what they have',
      movie([track()], atom('mvex', atom('trex', 0, 1))),
      'unusual',
    ],
    ['a fragment first', Buffer.concat([atom('moof'), movie([track()])]), 'not-a-movie'],
    ['an index that is cut off', movie([track()]).subarray(0, -9), 'unusual'],
    ['two descriptions', withTable('stsd', 0, 2, atom('avc1', Buffer.alloc(78))), 'unusual'],
    ['encryption', withTable('stsd', 0, 1, atom('encv', Buffer.alloc(78))), 'unusual'],
    ['a compressed index', Buffer.concat([atom('moov', atom('cmov', 0, 0))]), 'unusual'],
    ['an edit', edited([900, 100, NORMAL]), 'ok'],
    ['a wait and an edit', edited([500, -1, NORMAL], [900, 100, NORMAL]), 'ok'],
    ['two edits', edited([500, 0, NORMAL], [300, 600, NORMAL]), 'unusual'],
    ['a wait only', edited([500, -1, NORMAL]), 'unusual'],
    ['slow motion', edited([2000, 0, NORMAL / 2]), 'unusual'],
    ['a few times too few', withTable('stts', 0, 1, 9, 100), 'unusual'],
    ['a step back', withTable('stts', 0, 2, 9, 100, 1, -100), 'unusual'],
    ['more times than bytes', withTable('stts', 0, 0x7fffffff, 10, 100), 'unusual'],
    ['no chunks', withTable('stco', 0, 0), 'unusual'],
    ['chunks out of order', withTable('stsc', 0, 2, 1, 2, 1, 1, 2, 1), 'unusual'],
    ['chunks of nothing', withTable('stsc', 0, 1, 1, 0, 1), 'unusual'],
    ['a picture without keys', withTable('stss', 0, 0), 'unusual'],
    ['keys behind the end', withTable('stss', 0, 1, 11), 'unusual'],
    ['keys from 0 on', withTable('stss', 0, 2, 0, 5), 'unusual'],
    ['other offsets than samples', withTable('ctts', 0, 1, 11, 3), 'unusual'],
  ])('NOW-01 of %s: %#', async (_name, bytes, code) => {
    expect(await verdict(bytes)).toBe(code === 'ok' ? 'ok' : `excerpt/${code}`)
  })

  it('NOW-01 of ten million samples is refused from what their tables claim', async () => {
    const many = (count: number): Buffer =>
      movie([
        track({
          tables: {
            stts: atom('stts', 0, 1, count, 1),
            ctts: atom('ctts', 0, 1, count, 1),
            stsc: atom('stsc', 0, 1, 1, count / 5, 1),
            stsz: atom('stsz', 0, 3, count),
          },
        }),
      ])
    expect(await verdict(many(10_000_005))).toBe('excerpt/unusual')
    expect(await verdict(many(4_294_967_290))).toBe('excerpt/unusual')
  })

  it('NOW-01 of an index full of empty boxes, or of one of a gigabyte, is not read on', async () => {
    const empty = Buffer.concat(Array.from({ length: 100_000 }, () => atom('free')))
    expect(await verdict(movie([track()], empty))).toBe('excerpt/unusual')
    const reads: number[] = []
    const header = Buffer.alloc(16)
    header.writeUInt32BE(2 ** 30)
    header.write('moov', 4, 'latin1')
    const index = await movieIndexOf({
      sizeBytes: 2 ** 30,
      read: async (start, end) => {
        reads.push(end - start)
        return ok(new Uint8Array(header).buffer)
      },
    })
    expect(index).toEqual(err({ code: 'excerpt/unusual' }))
    expect(reads).toEqual([16])
  })

  it('NOW-01 of a file that cannot be read says so', async () => {
    const index = await movieIndexOf({
      sizeBytes: 1000,
      read: async () => err({ kind: 'gone' }),
    })
    expect(index).toEqual(err({ code: 'excerpt/unreadable' }))
  })
})

/** A file of which only the index is there: its media begin at `mediaAt`. */
async function hugeIndex(mediaAt: number): Promise<MovieIndex> {
  const size = 300_000_000
  const places = Array.from({ length: 30 }, (_, chunk) => {
    const place = Buffer.alloc(8)
    place.writeBigUInt64BE(BigInt(mediaAt + chunk * size))
    return place
  })
  const bytes = movie([
    track({
      perChunk: 1,
      samples: Array.from({ length: 30 }, (_, at) => ({
        decoded: at * 1000,
        lasts: 1000,
        later: 0,
        isKey: true,
        bytes: Buffer.of(at),
      })),
      tables: {
        stsz: atom('stsz', 0, size, 30),
        stco: null,
        co64: atom('co64', 0, 30, ...places),
      },
    }),
  ])
  const index = await movieIndexOf(sourceOf(bytes))
  if (!index.ok) throw new Error(index.error.code)
  return { ...index.value, sizeBytes: mediaAt + 30 * size }
}

describe('an excerpt of a large file', () => {
  it('NOW-01 finds media behind four gigabytes, and says places behind them', async () => {
    const index = await hugeIndex(6_000_000_000)
    const small = planExcerpt(index, [{ startMs: 20_000, endMs: 21_000 }])
    if (!small.ok) throw new Error(small.error.code)
    expect(small.value.ranges).toEqual([
      { start: 6_000_000_000, end: 6_600_000_000 },
      { start: 11_700_000_000, end: 12_600_000_000 },
    ])
    expect(Buffer.from(small.value.head).includes('stco')).toBe(true)
    const all = planExcerpt(index, [{ startMs: 0, endMs: 30_000 }])
    if (!all.ok) throw new Error(all.error.code)
    const head = Buffer.from(all.value.head)
    expect(all.value.sizeBytes).toBe(head.length + 9_000_000_000)
    const places = head.indexOf('co64') + 12
    expect(Number(head.readBigUInt64BE(places))).toBe(head.length)
    expect(Number(head.readBigUInt64BE(places + 29 * 8))).toBe(head.length + 8_700_000_000)
    expect(head.readUInt32BE(head.length - 16)).toBe(1)
    expect(Number(head.readBigUInt64BE(head.length - 8))).toBe(9_000_000_016)
  })

  it('NOW-01 is refused where its media are behind the end', async () => {
    const index = await hugeIndex(6_000_000_000)
    const cut = { ...index, sizeBytes: 12_000_000_000 }
    const stretch = { startMs: 20_000, endMs: 21_000 }
    expect(planExcerpt(cut, [stretch])).toEqual(err({ code: 'excerpt/unusual' }))
  })

  it('NOW-01 says which keys begin open groups, and numbers all keys again', async () => {
    const groups = (...words: readonly number[]): Buffer =>
      atom('sbgp', 0, 'sync', words.length / 2, ...words)
    const pictures = Array.from({ length: 100 }, (_, at) => ({
      decoded: at * 100,
      lasts: 100,
      later: 0,
      isKey: at % 10 === 0,
      bytes: Buffer.of(at),
    }))
    const described = atom('sgpd', 0x1000000, 'sync', 1, 1, Buffer.of(21))
    const bytes = movie([
      track({
        samples: pictures,
        tables: { sgpd: described, sbgp: groups(60, 0, 1, 1, 39, 0) },
      }),
    ])
    const index = await movieIndexOf(sourceOf(bytes))
    if (!index.ok) throw new Error(index.error.code)
    const plan = planExcerpt(index.value, [{ startMs: 6300, endMs: 6500 }])
    if (!plan.ok) throw new Error(plan.error.code)
    const head = Buffer.from(plan.value.head)
    expect(head.includes(described)).toBe(true)
    // 0 to 1.1 s, then 6 s to 6.6 s.
    expect(head.includes(groups(12, 0, 1, 1, 6, 0))).toBe(true)
    const kept = samplesOf(
      Buffer.concat([
        head,
        ...plan.value.ranges.map(({ start, end }) => bytes.subarray(start, end)),
      ]),
    )
    expect(kept[0]?.filter(({ isKey }) => isKey).map(({ decoded }) => decoded)).toEqual([
      0, 1000, 6000,
    ])
  })
})
