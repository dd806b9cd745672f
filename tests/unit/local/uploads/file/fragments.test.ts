import { describe, expect, it } from 'vitest'
import { planExcerpt } from '#checks/movie/excerpt.ts'
import type { MovieIndex } from '#checks/movie/movie-index.ts'
import { readMovieIndex } from '#checks/movie/movie-index.ts'
import { firstShownS } from '#checks/movie/track-clock.ts'
import { ok } from '#src/lib/result.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { filePlaces } from '#src/local/uploads/file/trim.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { fragmentedMovie, fragmentsHead, type Fragmenting } from '#tests/fixtures/fragments.ts'
import { movie, samplesOf, type Sample, type WrittenTrack } from '#tests/fixtures/movies.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'

const sourceOf = (bytes: Buffer): ByteSource =>
  fileSource(new File([new Uint8Array(bytes)], 'scene.mp4'))

/** 'ok', or why there is no index. */
async function verdict(bytes: Buffer): Promise<string> {
  const index = await movieIndexOf(sourceOf(bytes))
  return index.ok ? 'ok' : index.error.code
}

async function indexOf(bytes: Buffer): Promise<MovieIndex> {
  const index = await movieIndexOf(sourceOf(bytes))
  if (!index.ok) throw new Error(index.error.code)
  return index.value
}

const row = (count: number, different: (number: number) => Partial<Sample>): readonly Sample[] =>
  Array.from({ length: count }, (_, at) => ({
    decoded: at * 100,
    lasts: 100,
    later: 0,
    isKey: at % 5 === 0,
    bytes: Buffer.of(at, at + 1, at + 2),
    ...different(at),
  }))

const track = (different: Partial<WrittenTrack> = {}): WrittenTrack => ({
  kind: 'vide',
  timeScale: 1000,
  perChunk: 5,
  samples: row(20, (at) => ({ later: [200, 500, 200, 0, 100][at % 5] ?? 0 })),
  ...different,
})
const uneven = track({
  samples: row(20, (at) => ({ bytes: Buffer.alloc(1 + (at % 7), at), isKey: at % 7 === 0 })),
})
const sound = track({ kind: 'soun', samples: row(20, () => ({ isKey: true })) })

/** All that an excerpt has with all of a video. */
async function allOf(bytes: Buffer): Promise<readonly (readonly Sample[])[]> {
  const source = sourceOf(bytes)
  const planned = planExcerpt(await indexOf(bytes), [{ startMs: 0, endMs: 60_000 }])
  if (!planned.ok) throw new Error(planned.error.code)
  const composed = composedSource(source, planned.value)
  const read = await composed.read(0, composed.sizeBytes)
  if (!read.ok) throw new Error(read.error.kind)
  return samplesOf(Buffer.from(read.value))
}

describe('the index of a fragmented movie', () => {
  it.each<[string, readonly WrittenTrack[], Partial<Fragmenting>]>([
    ['from the fragment on', [track(), sound], {}],
    ['from a place of the file', [uneven, sound], { from: 'file', runs: 2 }],
    ['one behind the other', [uneven, sound, sound], { from: 'media', runs: 3, perFragment: 6 }],
    ['of the usual size and length', [track(), sound], { says: 'usual' }],
    ['of several runs', [track(), uneven], { perFragment: 20, runs: 4 }],
    ['that do not begin with keys', [uneven], { perFragment: 3 }],
    ['without times', [track(), sound], { beginsAt: null }],
    ['that begin at an hour', [track(), sound], { beginsAt: 3_600_000 }],
  ])('NOW-01 has the samples of all fragments, %s', async (_name, tracks, how) => {
    const read = await allOf(fragmentedMovie(tracks, how))
    expect(read.map((samples) => samples.map(asPlain))).toEqual(
      tracks.map(({ samples }) => samples.map(asPlain)),
    )
  })

  it('NOW-01 goes on with fragments where the tables of the tracks end', async () => {
    const tracks = [track(), sound]
    const begun = tracks.map((each) => ({ ...each, samples: each.samples.slice(0, 10) }))
    const head = movie(
      begun,
      atom('mvex', atom('trex', 0, 1, 1, 0, 0, 0), atom('trex', 0, 2, 1, 0, 0, 0)),
    )
    const rest = tracks.map((each) => ({ ...each, samples: each.samples.slice(10) }))
    const behind = fragmentedMovie(rest).subarray(fragmentsHead(rest).length)
    const read = await allOf(Buffer.concat([head, behind]))
    expect(read.map((samples) => samples.map(asPlain))).toEqual(
      tracks.map(({ samples }) => samples.map(asPlain)),
    )
  })

  it('NOW-01 keeps what comes late late, and counts from what comes first', async () => {
    // The sound has a decoder's delay before it: ffmpeg begins the file with it.
    const early = { ...sound, timeScale: 48_000, edits: [[0, 960, 0x10000]] as const }
    const [picture, heard] = (await indexOf(fragmentedMovie([track(), early]))).tracks
    expect(heard?.edit).toBe(null)
    expect(picture && firstShownS(picture)).toBeCloseTo(0.02 + 0.2, 6)
    const [later] = (await indexOf(fragmentedMovie([track({ timeScale: 600 }), sound]))).tracks
    expect(later && firstShownS(later)).toBeCloseTo(200 / 600, 6)
    const waits = {
      ...track(),
      edits: [
        [500, -1, 0x10000],
        [0, 100, 0x10000],
      ] as const,
    }
    const [waited] = (await indexOf(fragmentedMovie([waits, sound]))).tracks
    expect(waited?.edit).toMatchObject({ mediaStart: 200, waitS: 0.6 })
  })

  it('NOW-01 NOW-02 of a recording that broke off ends with its last whole sample', async () => {
    const whole = fragmentedMovie([track(), sound])
    for (const [missing, count] of [
      [1, 19],
      [4, 18],
    ] as const) {
      const index = await indexOf(whole.subarray(0, -missing))
      expect(index.tracks.map(({ tables }) => tables.count)).toEqual([20, count])
    }
    const padded = await indexOf(Buffer.concat([whole, Buffer.alloc(5000)]))
    expect(padded.tracks.map(({ tables }) => tables.count)).toEqual([20, 20])
    const cut = whole.subarray(0, whole.lastIndexOf('moof') + 40)
    const index = await indexOf(cut)
    expect(index.tracks.map(({ tables }) => tables.count)).toEqual([15, 15])
    expect(filePlaces(index)?.startsMs).toEqual([200, 700, 1200])
  })

  it('NOW-01 is read with one read a fragment, and one at the end', async () => {
    const { source, counted } = twoHours()
    const index = await readMovieIndex(source, async () => {})
    if (!index.ok) throw new Error(index.error.code)
    expect(index.value.tracks.map(({ tables }) => tables.count)).toEqual([216_000, 338_400])
    expect(counted.reads).toBeLessThan(7_220)
    expect(counted.bytes).toBeLessThan(16 * 1024 ** 2)
    const excerpt = planExcerpt(index.value, [{ startMs: 3_600_000, endMs: 3_605_000 }])
    expect(excerpt.ok && excerpt.value.sizeBytes).toBeLessThan(60_000_000)
  })

  it('NOW-01 has none where each read takes long', async () => {
    const { source, counted } = twoHours()
    expect(await readMovieIndex({ ...source, isFar: true }, async () => {})).toMatchObject({
      error: { code: 'excerpt/unusual' },
    })
    expect(counted.reads).toBeLessThan(10)
  })
})

const asPlain = ({ bytes, ...rest }: Sample) => ({ ...rest, bytes: [...bytes] })

/** A video of 25 GB with a fragment a second, of which only what is read is there. */
function twoHours() {
  const head = fragmentsHead([
    track({ samples: row(1, () => ({ lasts: 33 })) }),
    { ...sound, timeScale: 48_000, samples: row(1, () => ({ lasts: 1024 })) },
  ])
  const fragmentBytes = 3_500_000
  const fragmentOf = (second: number): Buffer => {
    const moof = atom(
      'moof',
      atom('mfhd', 0, second + 1),
      atom(
        'traf',
        atom('tfhd', 0x20000, 1),
        atom('tfdt', 0, second * 1000),
        atom('trun', 0x205, 30, 2000, 0x2000000, ...Array.from({ length: 30 }, () => 100_000)),
      ),
      atom(
        'traf',
        atom('tfhd', 0x20000, 2),
        atom('tfdt', 0, second * 48_128),
        atom('trun', 0x201, 47, 3_100_000, ...Array.from({ length: 47 }, () => 500)),
      ),
    )
    const media = Buffer.alloc(8)
    media.writeUInt32BE(fragmentBytes - moof.length)
    media.write('mdat', 4)
    return Buffer.concat([moof, media])
  }
  const counted = { reads: 0, bytes: 0 }
  const sizeBytes = head.length + 7_200 * fragmentBytes
  const source = {
    sizeBytes,
    read: async (start: number, end: number) => {
      counted.reads += 1
      counted.bytes += end - start
      const bytes = Buffer.alloc(end - start)
      if (start < head.length) head.copy(bytes, 0, start)
      const second = Math.floor((start - head.length) / fragmentBytes)
      const within = (start - head.length) % fragmentBytes
      if (second >= 0) fragmentOf(second).copy(bytes, 0, within)
      return ok(new Uint8Array(bytes).buffer)
    },
  }
  return { source, counted }
}

const head = fragmentsHead([track(), sound])
const HEADER = atom('tfhd', 0x20000, 1)
const TIME = atom('tfdt', 0, 0)
/** A file with one fragment of one track. */
const only = (...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([
    fragmentsHead([track()]),
    atom('moof', atom('mfhd', 0, 1), atom('traf', ...parts)),
    atom('mdat', Buffer.alloc(1000)),
  ])
const RUN = [0x2000000, 0] as const

describe('NOW-01 fragments that are not understood', () => {
  it.each([
    ['one that is', only(HEADER, TIME, atom('trun', 0xf01, 1, 200, 100, 9, ...RUN)), 'ok'],
    ['none', head, 'unusual'],
    ['chapters without a word of them', withChapters(), 'ok'],
    ['no header', only(TIME, atom('trun', 0xf01, 1, 200, 100, 9, ...RUN)), 'unusual'],
    ['a header that is cut off', only(atom('tfhd', 0x1, 1), TIME), 'unusual'],
    ['another track', only(atom('tfhd', 0x20000, 7), TIME), 'unusual'],
    ['another description', only(atom('tfhd', 0x20002, 1, 2), TIME), 'unusual'],
    [
      'more samples than bytes',
      only(HEADER, TIME, atom('trun', 0x201, 2 ** 31, 200, 5)),
      'unusual',
    ],
    ['samples without end', only(HEADER, TIME, atom('trun', 0x1, 0x7fffffff, 200)), 'unusual'],
    ['samples without bytes', only(HEADER, TIME, atom('trun', 0x201, 1, 200, 0)), 'unusual'],
    ['a place before the file', only(HEADER, TIME, atom('trun', 0x201, 1, -9000, 9)), 'unusual'],
    [
      'a second run without a place',
      only(HEADER, TIME, atom('trun', 0x201, 1, 200, 9), atom('trun', 0x200, 1, 9)),
      'unusual',
    ],
    [
      'times before those that were',
      only(HEADER, TIME, atom('trun', 0xf01, 2, 200, 0, 9, ...RUN, 100, 9, ...RUN)),
      'unusual',
    ],
    [
      'media behind the end, and more behind it',
      only(HEADER, TIME, atom('trun', 0x201, 2, 200, 9_000_000, 9)),
      'unusual',
    ],
  ])('%s', async (_name, bytes, code) => {
    expect(await verdict(bytes)).toBe(code === 'ok' ? 'ok' : `excerpt/${code}`)
  })

  const part = { samples: row(20, () => ({ isKey: true })) }

  it.each<[string, Buffer]>([
    [
      'a picture without keys',
      fragmentedMovie([track({ samples: row(9, () => ({ isKey: false })) })]),
    ],
    ['a sound that is not there', fragmentedMovie([track(), { ...sound, samples: [] }])],
    [
      'a picture of which the beginning is hidden',
      fragmentedMovie([track({ ...part, edits: [[0, 300, 0x10000]] }), sound]),
    ],
    [
      'two edits',
      fragmentedMovie([
        track({
          edits: [
            [500, 0, 0x10000],
            [300, 600, 0x10000],
          ],
        }),
      ]),
    ],
    [
      'texts that come before all else',
      fragmentedMovie([
        track({
          ...part,
          edits: [
            [200, -1, 0x10000],
            [0, 0, 0x10000],
          ],
        }),
        track({ ...part, kind: 'text' }),
      ]),
    ],
    [
      'PCM by the sample',
      fragmentedMovie([
        track(),
        { ...sound, samples: row(9, (at) => ({ decoded: at, lasts: 1 })) },
      ]),
    ],
    ['the same fragment twice', twice()],
    ['an index but no times', indexed()],
    [
      'something else behind them',
      Buffer.concat([fragmentedMovie([track()]), Buffer.alloc(99, 1)]),
    ],
  ])('%s', async (_name, bytes) => {
    expect(await verdict(bytes)).toBe('excerpt/unusual')
  })

  function withChapters(): Buffer {
    const usual = atom('mvex', atom('trex', 0, 1, 1, 100, 9, RUN[0]))
    const empty = [track({ samples: [] }), track({ kind: 'text', samples: [] })]
    const fragment = atom('traf', HEADER, TIME, atom('trun', 0x1, 2, 200))
    return Buffer.concat([
      movie(empty, usual),
      atom('moof', fragment),
      atom('mdat', Buffer.alloc(900)),
    ])
  }

  function twice(): Buffer {
    const own = fragmentsHead([track()])
    const fragment = fragmentedMovie([track()], { perFragment: 20 }).subarray(own.length)
    return Buffer.concat([own, fragment, fragment])
  }

  function indexed(): Buffer {
    const bytes = fragmentedMovie([track()], { beginsAt: null })
    const own = fragmentsHead([track()]).length
    return Buffer.concat([bytes.subarray(0, own), atom('sidx', 0), bytes.subarray(own)])
  }

  it('empty boxes without end are not read on', async () => {
    const empty = new Uint8Array(atom('free'))
    let reads = 0
    const size = 2 ** 34
    const index = await readMovieIndex(
      {
        sizeBytes: size,
        read: async (start, end) => {
          reads += 1
          const bytes = Buffer.alloc(end - start)
          for (let at = 0; at < bytes.length; at += 8)
            bytes.set(empty.subarray(0, bytes.length - at), at)
          if (start < head.length) head.copy(bytes, 0, start)
          return ok(new Uint8Array(bytes).buffer)
        },
      },
      async () => {},
    )
    expect(index).toMatchObject({ error: { code: 'excerpt/unusual' } })
    expect(reads).toBeLessThan(3_000)
  })
})
