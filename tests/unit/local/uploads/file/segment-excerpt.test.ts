import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Stretch } from '#recipes/stretch.ts'
import { readVideoIndex } from '#checks/movie/video-index.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { videoIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { err, ok } from '#src/lib/result.ts'
import { runs } from '#tests/seeds.ts'
import {
  CLUSTER,
  clusterOf,
  cuePoint,
  CUES,
  el,
  elementsOf,
  float,
  INFO,
  segment,
  trackEntry,
  usualClusters,
  usualInfo,
  type ReadElement,
} from '#tests/fixtures/segments.ts'

const sourceOf = (bytes: Buffer) => fileSource(new File([new Uint8Array(bytes)], 'scene.mkv'))
const stretch = (startMs: number, endMs: number): readonly Stretch[] => [{ startMs, endMs }]

/** The excerpt, or why there is none. */
async function excerptOf(whole: Buffer, stretches = stretch(30_000, 32_000)) {
  const source = sourceOf(whole)
  const index = await videoIndexOf(source)
  const planned = index.ok ? await index.value.planExcerpt(stretches) : index
  if (!planned.ok) return planned.error.code.replace('excerpt/', '')
  const read = await composedSource(source, planned.value).read(0, planned.value.sizeBytes)
  return read.ok ? Buffer.from(read.value) : 'unreadable'
}

function partsOf(bytes: Buffer) {
  const [, found] = elementsOf(bytes)
  const inside = found?.inside ?? []
  const all = (id: number) => inside.filter((each) => each.id === id)
  const valueIn = (element: ReadElement | undefined, id: number) =>
    element?.inside.find((each) => each.id === id)?.value ?? 0
  const bodyAt =
    (found?.start ?? 0) +
    (found?.bytes.length ?? 0) -
    inside.reduce((sum, each) => sum + each.bytes.length, 0)
  return {
    clusters: all(CLUSTER),
    times: all(CLUSTER).map((each) => valueIn(each, 0xe7)),
    info: all(INFO)[0],
    cues: (all(CUES)[0]?.inside ?? []).map((point) => {
      const position = point.inside.find(({ id }) => id === 0xb7)
      return {
        ms: valueIn(point, 0xb3),
        place: bodyAt + valueIn(position, 0xf1),
        relative: valueIn(position, 0xf0),
      }
    }),
  }
}

const CLUSTERS = usualClusters(30)
const FILM = segment({ clusters: CLUSTERS })
const PRIVATE = el(0xab, 5)
const picture = trackEntry(1, 1)
const sound = trackEntry(2, 2)

describe('an excerpt of a Matroska file', () => {
  it('NOW-01 has the first clusters and those of its stretches, as they are, and the next cue of its whole', async () => {
    const excerpt = await excerptOf(FILM)
    if (typeof excerpt === 'string') throw new Error(excerpt)
    const { times, clusters, cues } = partsOf(excerpt)
    expect(times).toEqual([0, 2000, 4000, 28_000, 30_000, 32_000])
    for (const { bytes } of clusters) expect(FILM.includes(bytes)).toBe(true)
    const places = clusters.map(({ start }) => start)
    expect(cues.map(({ ms }) => ms)).toEqual([...times, 34_000])
    expect(cues.map(({ place }) => place)).toEqual([...places, places.at(-1)])
  })

  it('NOW-01 names no title, program, track or place', async () => {
    const excerpt = await excerptOf(FILM)
    expect(FILM.toString('latin1')).toMatch(/Anna in Berlin.*a muxer/s)
    expect(excerpt.toString('latin1')).not.toMatch(/Anna|Berlin|muxer/)
    expect(partsOf(Buffer.from(excerpt)).info?.inside.map(({ id }) => id)).toEqual([
      0x2ad7b1, 0x4489, 0x4d80, 0x5741,
    ])
  })

  it('NOW-01 keeps where a cue says that its block is, and finds cues in front', async () => {
    const cues = (places: readonly number[]) =>
      el(CUES, ...places.map((place, at) => cuePoint(at * 2000, 1, place, el(0xf0, 9 + at))))
    const excerpt = await excerptOf(segment({ clusters: CLUSTERS, cues }))
    expect(partsOf(Buffer.from(excerpt)).cues.map(({ relative }) => relative)).toEqual([
      9, 10, 11, 23, 24, 25, 0,
    ])
  })

  it('NOW-08 knows the keys by the cues of the picture, which edits count from the picture', async () => {
    const late = CLUSTERS.map(({ ms, blocks }) => ({
      ms,
      blocks: blocks.filter((each) => each.track === 2 || each.ms >= 2000),
    }))
    for (const [clusters, first] of [
      [CLUSTERS, 0],
      [late, -2000],
    ] as const) {
      const index = await videoIndexOf(sourceOf(segment({ clusters })))
      expect(index.ok && index.value.keyTimesMs().slice(0, 3)).toEqual([
        first,
        first + 2000,
        first + 4000,
      ])
    }
  })

  const withCues = (...points: readonly Buffer[]) =>
    segment({ clusters: CLUSTERS, cues: () => el(CUES, ...points) })
  const withTracks = (...tracks: readonly Buffer[]) => segment({ clusters: CLUSTERS, tracks })
  const withBefore = (before: Buffer) =>
    segment({ clusters: CLUSTERS.map((each) => ({ ...each, before })) })
  it.each([
    ['that is cut off', FILM.subarray(0, -100), 'unusual'],
    ['of another kind', segment({ clusters: CLUSTERS, docType: 'other' }), 'not-a-movie'],
    ['that was not ended', segment({ clusters: CLUSTERS, isEndless: true }), 'no-cues'],
    ['without cues', segment({ clusters: CLUSTERS, cues: () => Buffer.alloc(0) }), 'no-cues'],
    ['with cues of its sound only', withCues(cuePoint(0, 2, 0), cuePoint(9, 2, 0)), 'no-cues'],
    ['with cues in disorder', withCues(cuePoint(9, 1, 0), cuePoint(0, 1, 0)), 'unusual'],
    [
      'with cues at places that are none',
      withCues(cuePoint(0, 1, 5), cuePoint(9, 1, 7)),
      'unusual',
    ],
    ['with cues behind its end', withCues(cuePoint(0, 1, 1e12), cuePoint(9, 1, 1e15)), 'unusual'],
    [
      'with cues of another time than their cluster',
      segment({
        clusters: CLUSTERS,
        cues: (places) => el(CUES, ...places.map((place, at) => cuePoint(at * 200_000, 1, place))),
      }),
      'unusual',
    ],
    [
      'with cues of pictures that are no keys',
      segment({
        clusters: CLUSTERS,
        cues: ([place = 0]) => el(CUES, cuePoint(0, 1, place), cuePoint(200, 1, place)),
      }),
      'unusual',
    ],
    ['without a length', segment({ clusters: CLUSTERS, info: usualInfo() }), 'unusual'],
    ['without pictures', withTracks(trackEntry(1, 2), sound), 'not-a-movie'],
    ['with subtitles', withTracks(picture, sound, trackEntry(3, 17)), 'other-tracks'],
    ['with two tracks of one number', withTracks(picture, trackEntry(1, 2)), 'unusual'],
    ['with a sound that never begins', withTracks(picture, sound, trackEntry(3, 2)), 'unusual'],
    [
      'with a clock of its own',
      withTracks(trackEntry(1, 1, el(0x23314f, float(2))), sound),
      'unusual',
    ],
    [
      'that is encrypted',
      withTracks(trackEntry(1, 1, el(0x6d80, el(0x6240, el(0x5033, 1)))), sound),
      'unusual',
    ],
    ['that says where each cluster is', withBefore(el(0xa7, 5)), 'unusual'],
    ['that says how long the last cluster is', withBefore(PRIVATE), 'unusual'],
    [
      'whose sound lies far from its picture',
      segment({
        clusters: CLUSTERS.map(({ ms, blocks }) => ({
          ms,
          blocks: blocks.map((each) => (each.track === 2 ? { ...each, ms: each.ms + 9000 } : each)),
        })),
      }),
      'unusual',
    ],
    [
      'of empty elements',
      Buffer.concat([FILM.subarray(0, 80), Buffer.alloc(4_000_000, Buffer.from('ec80', 'hex'))]),
      'unusual',
    ],
  ])('NOW-01 is not made of a file %s', async (_name, bytes, expected) => {
    const excerpt = await excerptOf(bytes)
    expect(typeof excerpt === 'string' ? excerpt : 'made').toBe(expected)
  })

  it('NOW-01 is made or refused, in few reads, whatever a file says', async () => {
    const small = segment({ clusters: usualClusters(8) })
    const byte = fc.record({
      at: fc.oneof(
        fc.nat(500),
        fc.integer({ min: small.length - 900, max: small.length - 1 }),
        fc.nat(small.length - 1),
      ),
      value: fc.nat(255),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(byte, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(small)
        for (const { at, value } of changes) bytes[at] = value
        const source = sourceOf(bytes)
        let reads = 0
        const read = async (start: number, end: number) => {
          reads += 1
          return start < 0 || end > bytes.length ? err(null) : await source.read(start, end)
        }
        const index = await videoIndexOf({ sizeBytes: bytes.length, read })
        const planned = index.ok ? await index.value.planExcerpt(stretch(8000, 9000)) : index
        expect(planned.ok ? planned.value.sizeBytes <= 2 * bytes.length : true).toBe(true)
        expect(reads).toBeLessThan(100)
        expect(planned).not.toEqual(err({ code: 'excerpt/unreadable' }))
      }),
      { numRuns: runs(300) },
    )
  })

  it('NOW-01 is not made of a file that cannot be read', async () => {
    const source = sourceOf(FILM)
    for (const most of [0, 1, 5, 9]) {
      let reads = 0
      const index = await videoIndexOf({
        sizeBytes: source.sizeBytes,
        read: async (start, end) => {
          reads += 1
          return reads > most ? err(null) : await source.read(start, end)
        },
      })
      expect(index).toEqual(err({ code: 'excerpt/unreadable' }))
    }
  })
})

describe('the index of 25 GB with 20,000 cues', () => {
  const COUNT = 20_000
  const BYTES = 1_250_000
  const cues = Buffer.concat(
    Array.from({ length: COUNT }, (_, at) => cuePoint(at * 361, 1, 2_000_000 + at * BYTES)),
  )
  const film = usualClusters(1).map((each) => ({
    ...each,
    blocks: each.blocks.map((block) => ({ ...block, bytes: Buffer.alloc(50_000) })),
  }))
  const begun = clusterOf(film[0] ?? { ms: 0, blocks: [] })
  const first = Buffer.concat([begun, el(0xec, Buffer.alloc(BYTES - begun.length - 9))])

  it('NOW-08 takes few reads and bytes, and no long task', async () => {
    // The body begins behind 36 bytes; what is free follows the cues.
    const said = [
      usualInfo(el(0x4489, float(7_200_000))),
      el(0x1654ae6b, picture, sound),
      el(CUES, cues),
    ]
    const free = 2_000_000 - said.reduce((sum, { length }) => sum + length, 0) - 9
    const head = el(0x1a45dfa3, el(0x4282, 'matroska'))
    const size = Buffer.from(
      '18538067' + (2n ** 56n + BigInt(2_000_000 + COUNT * BYTES)).toString(16).padStart(16, '0'),
      'hex',
    )
    const begin = Buffer.concat([head, size, ...said, el(0xec, Buffer.alloc(free))])
    const sizeBytes = begin.length + COUNT * BYTES
    const clusterHead = (at: number): Buffer => {
      const cluster = Buffer.alloc(BYTES)
      el(
        CLUSTER,
        el(0xe7, at * 361),
        el(0xa3, Buffer.alloc(BYTES - 12 - el(0xe7, at * 361).length - 9)),
      ).copy(cluster)
      return cluster
    }
    const seen = { reads: 0, bytes: 0, tasks: 0 }
    const source = {
      sizeBytes,
      read: (start: number, end: number) => {
        seen.reads += 1
        seen.bytes += end - start
        const number = Math.floor((start - begin.length) / BYTES)
        const from =
          start < begin.length
            ? begin.subarray(start, end)
            : number === 0
              ? Buffer.concat([first.subarray(start - begin.length), clusterHead(1)]).subarray(
                  0,
                  end - start,
                )
              : clusterHead(number)
                  .subarray((start - begin.length) % BYTES)
                  .subarray(0, end - start)
        return Promise.resolve(ok(new Uint8Array(from).buffer))
      },
    }
    const index = await readVideoIndex(source, () => {
      seen.tasks += 1
      return Promise.resolve()
    })
    if (!index.ok) throw new Error(index.error.code)
    expect(seen.tasks).toBeGreaterThan(20)
    const passages = Array.from({ length: 6 }, (_, at) => ({
      startMs: 600_000 * (at + 1),
      endMs: 600_000 * (at + 1) + 2700,
    }))
    const planned = await index.value.planExcerpt(passages)
    if (!planned.ok) throw new Error(planned.error.code)
    expect(planned.value.sizeBytes).toBeLessThan(100_000_000)
    expect(planned.value.head.byteLength).toBeLessThan(20_000)
    expect(seen.reads).toBeLessThan(150)
    expect(seen.bytes).toBeLessThan(9_000_000)
  })
})
