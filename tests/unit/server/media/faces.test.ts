import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faceBoxAt, boxesAt, coverOf } from '#recipes/face-cover/cover.ts'
import { FACE_BOUNDS, type FaceFinding, type FaceTrack } from '#recipes/face-cover/types.ts'
import { createFindingJoiner, type StretchFound } from '#server/media/faces/join-stretches.ts'
import type { Detection } from '#server/media/faces/program/network.ts'
import { around, overlap } from '#server/media/faces/program/rectangle.ts'
import { linkFaces, type Looked } from '#server/media/faces/program/tracks.ts'
import { halved, turned, turnedBack, type Turn } from '#server/media/faces/program/turns.ts'
import { linkVoted, type TwiceLooked } from '#server/media/faces/program/vote.ts'
import { createTrackWay } from '#server/media/faces/track-way.ts'
import { writeMask } from '#server/media/faces/write-mask.ts'
import { runs } from '#tests/seeds.ts'

const WIDTH = 160
const HEIGHT = 90

/** A picture with a pattern of its own at a place, on a soft ground. */
function pictureWith(x: number, y: number): Looked['picture'] {
  const grey = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) => {
    const [column, row] = [(index % WIDTH) - x, Math.floor(index / WIDTH) - y]
    const isIn = column >= 0 && row >= 0 && column < 20 && row < 20
    return isIn ? 128 + 100 * Math.sin(column / 2) * Math.cos(row / 3) : 60 + (index % WIDTH) / 4
  })
  return { width: WIDTH, height: HEIGHT, grey }
}

const faceAt = (x: number, y: number, score = 0.9): Detection => ({
  x,
  y,
  width: 20,
  height: 20,
  score,
})

describe('linking faces', () => {
  it('REC-18 follows a face through pictures in which it is not found, both ways', () => {
    const way = (at: number): number => 20 + at * 4
    const shot = Array.from({ length: 20 }, (_, at): Looked => ({
      picture: pictureWith(way(at), 30),
      faces: at === 4 || at === 14 ? [faceAt(way(at), 30)] : [],
    }))
    const paths = linkFaces(shot)
    expect(paths).toHaveLength(1)
    for (const { first, boxes } of paths) {
      expect(first).toBe(0)
      expect(boxes).toHaveLength(20)
      for (const [at, box] of boxes.entries()) {
        expect(box.x).toBeLessThanOrEqual(way(at))
        expect(box.y).toBeLessThanOrEqual(30)
        expect(box.x + box.width).toBeGreaterThanOrEqual(way(at) + 20)
        expect(box.y + box.height).toBeGreaterThanOrEqual(50)
        expect(box.width).toBeLessThan(50)
      }
    }
  })

  it('REC-18 covers all of a face up to the cut where the last look took a part for all of it', () => {
    const shot = Array.from({ length: 20 }, (_, at): Looked => ({
      picture: pictureWith(60, 30),
      faces: at === 4 ? [faceAt(60, 30)] : at === 14 ? [faceAt(68, 30)] : [],
    }))
    for (const { boxes } of linkFaces(shot))
      for (const box of boxes.slice(14)) {
        expect(box.x).toBeLessThanOrEqual(60)
        expect(box.x + box.width).toBeGreaterThanOrEqual(80)
      }
    expect(linkFaces(shot)).toHaveLength(1)
  })

  it('REC-18 keeps two faces apart and leaves out what one unsure look took for a face', () => {
    const shot = Array.from({ length: 12 }, (_, at): Looked => ({
      picture: pictureWith(20, 30),
      faces: [
        ...(at % 3 === 0 ? [faceAt(20, 30), faceAt(120, 40)] : []),
        ...(at === 5 ? [faceAt(80, 5, 0.3)] : []),
      ],
    }))
    const paths = linkFaces(shot)
    expect(paths.map(({ boxes }) => Math.round((boxes[6]?.x ?? 0) / 10) * 10).toSorted()).toEqual([
      120, 20,
    ])
  })
})

describe('the vote of the second network', () => {
  /** A shot of seven pictures of one face, which both networks may see, or others beside it. */
  const shotOf = (see: (at: number) => Pick<TwiceLooked, 'faces' | 'seconds'>): TwiceLooked[] =>
    Array.from({ length: 7 }, (_, at) => ({ picture: pictureWith(60, 30), ...see(at) }))
  const first = (at: number): readonly Detection[] => (at % 3 === 0 ? [faceAt(60, 30)] : [])
  /** What the review calls 'Not sure'. */
  const SURE = 0.6

  it('REC-18 is sure of a face that both see, and asks about one that only the first sees', () => {
    const both = linkVoted(shotOf((at) => ({ faces: first(at), seconds: [faceAt(61, 31)] })))
    expect(both.map(({ certainty }) => certainty >= SURE)).toEqual([true])
    const one = linkVoted(shotOf((at) => ({ faces: first(at), seconds: [] })))
    expect(one.map(({ certainty }) => certainty >= SURE)).toEqual([false])
    const once = shotOf((at) => ({ faces: first(at), seconds: at === 5 ? [faceAt(60, 30)] : [] }))
    expect(linkVoted(once).map(({ certainty }) => certainty >= SURE)).toEqual([false])
  })

  it('REC-18 covers and asks about a face that only the second sees again and again', () => {
    const elsewhere = shotOf((at) => ({ faces: first(at), seconds: [faceAt(120, 40, 0.8)] }))
    const paths = linkVoted(elsewhere)
    expect(paths).toHaveLength(2)
    expect(paths.every(({ certainty }) => certainty < SURE)).toBe(true)
    expect(paths[1]?.boxes).toHaveLength(7)
    for (const { x, width } of paths[1]?.boxes ?? []) {
      expect(x).toBeLessThanOrEqual(120)
      expect(x + width).toBeGreaterThanOrEqual(140)
    }
  })

  it('REC-18 leaves out what the second takes for a face twice, or never surely', () => {
    const seen = (wanted: (at: number) => boolean, score: number): number =>
      linkVoted(
        shotOf((at) => ({
          faces: first(at),
          seconds: wanted(at) ? [faceAt(120, 40, score)] : [],
        })),
      ).length
    expect(seen((at) => at === 2 || at === 6, 0.9)).toBe(1)
    expect(seen(() => true, 0.6)).toBe(1)
    expect(seen((at) => at === 2 || at === 4 || at === 6, 0.8)).toBe(2)
  })

  it('REC-18 covers more of a face where the second sees more of it', () => {
    const larger = { x: 56, y: 30, width: 28, height: 32, score: 0.7 }
    const paths = linkVoted(
      shotOf((at) => ({ faces: first(at), seconds: at === 4 ? [larger] : [] })),
    )
    const box = paths[0]?.boxes[4]
    expect(box?.y).toBeLessThanOrEqual(larger.y)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThanOrEqual(62)
    expect(paths).toHaveLength(1)
  })

  it('REC-18 never covers less than the first network alone', () => {
    const face = fc.record({
      x: fc.integer({ min: 20, max: 100 }),
      y: fc.integer({ min: 0, max: 60 }),
      width: fc.integer({ min: 4, max: 60 }),
      height: fc.integer({ min: 4, max: 60 }),
      score: fc.double({ min: 0.4, max: 0.69, noNaN: true }),
    })
    const shot = shotOf((at) => ({ faces: first(at), seconds: [] })).slice(0, 4)
    const [alone] = linkFaces(shot)
    fc.assert(
      fc.property(fc.array(fc.array(face, { maxLength: 1 }), { minLength: 4 }), (all) => {
        const voted = linkVoted(shot.map((each, at) => ({ ...each, seconds: all[at] ?? [] })))
        expect(voted).toHaveLength(1)
        for (const [at, box] of alone?.boxes.entries() ?? []) {
          const now = voted[0]?.boxes[at] ?? faceAt(0, 0)
          expect(around(now, box)).toEqual(around(now, now))
        }
      }),
      { numRuns: runs(4) },
    )
  })
})

describe('turning pictures', () => {
  it('takes the mean of four pixels for a picture of half the size', () => {
    const rgb = Uint8Array.from({ length: 5 * 4 * 3 }, (_, at) => at)
    const half = halved({ width: 5, height: 4, rgb })
    expect([half.width, half.height]).toEqual([2, 2])
    // Of the first pixel the reds are 0, 3, 15 and 18.
    expect(half.rgb.slice(0, 6)).toEqual(Uint8Array.of(9, 10, 11, 15, 16, 17))
  })

  it('says where a box of the turned picture was', () => {
    const picture = { width: 4, height: 3, rgb: Uint8Array.from({ length: 36 }, (_, at) => at) }
    for (const turn of [0, 1, 2, 3] as const satisfies readonly Turn[]) {
      const way = turned(picture, turn)
      for (let y = 0; y < way.height; y += 1)
        for (let x = 0; x < way.width; x += 1) {
          const box = turnedBack({ x, y, width: 1, height: 1 }, way, turn)
          expect(way.rgb[(y * way.width + x) * 3]).toBe(picture.rgb[(box.y * 4 + box.x) * 3])
        }
    }
  })

  it('measures what two boxes share', () => {
    expect(overlap(faceAt(0, 0), faceAt(0, 0))).toBe(1)
    expect(overlap(faceAt(0, 0), faceAt(10, 0))).toBeCloseTo(1 / 3, 9)
    expect(overlap(faceAt(0, 0), faceAt(20, 0))).toBe(0)
  })
})

const times = Array.from({ length: 60 }, (_, index) => index / 10)
const stretch = (fromMs: number, own: [number, number], rest: Partial<StretchFound>) => ({
  fromMs,
  own: { startMs: own[0], endMs: own[1] },
  times,
  cuts: [],
  paths: [],
  ...rest,
})

function joinStretches(stretches: readonly StretchFound[], durationMs: number): FaceFinding | null {
  const joiner = createFindingJoiner(durationMs)
  return stretches.every((each) => joiner.add(each)) ? joiner.finding() : null
}

describe('joining stretches', () => {
  it('makes one track of a face that goes on beyond a stretch, with few boxes', () => {
    const boxes = (offset: number): number[][] =>
      Array.from({ length: 60 }, (_, index) => [(index / 10 + offset) * 0.05, 0.4, 0.1, 0.2])
    const finding = joinStretches(
      [
        stretch(0, [0, 5000], { paths: [{ first: 0, boxes: boxes(0), certainty: 0.5 }] }),
        stretch(4000, [5000, 10_000], { paths: [{ first: 0, boxes: boxes(4), certainty: 0.9 }] }),
      ],
      10_000,
    )
    expect(finding?.shots).toEqual([{ startMs: 0, endMs: 10_000 }])
    expect(finding?.tracks).toHaveLength(1)
    const [track] = finding?.tracks ?? []
    expect(track).toMatchObject({ startMs: 0, endMs: 10_000, certainty: 0.9 })
    expect(track?.boxes.length).toBeLessThan(8)
    expect(faceBoxAt(track ?? { boxes: [] }, 6000).x).toBeCloseTo(0.3, 2)
  })

  it('never lets a track cross a cut, and fills a shot to its ends', () => {
    const still = Array.from({ length: 30 }, () => [0.4, 0.4, 0.1, 0.2])
    const finding = joinStretches(
      [
        stretch(0, [0, 6000], {
          cuts: [2.95],
          paths: [
            { first: 0, boxes: still, certainty: 0.5 },
            { first: 30, boxes: still, certainty: 0.5 },
          ],
        }),
      ],
      6000,
    )
    expect(finding?.tracks.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 2950],
      [2950, 6000],
    ])
  })

  it('keeps the boxes where a face turns, from cut to cut and over the border of stretches', () => {
    const boxes = (fromMs: number): number[][] =>
      times.map((time) => [0.4 - Math.abs(fromMs / 1000 + time - 4) / 10, 0.4, 0.1, 0.2])
    const path = (first: number, count: number, fromMs: number) => ({
      first,
      boxes: boxes(fromMs).slice(first, first + count),
      certainty: 0.5,
    })
    const finding = joinStretches(
      [
        stretch(0, [0, 5000], { cuts: [0.55], paths: [path(6, 54, 0), path(0, 6, 0)] }),
        stretch(4000, [5000, 10_000], { cuts: [4.32], paths: [path(0, 40, 4000)] }),
      ],
      10_000,
    )
    expect(finding?.shots.map(({ startMs }) => startMs)).toEqual([0, 550, 8320])
    expect(
      finding?.tracks.map(({ startMs, endMs, boxes }) => [
        [startMs, endMs],
        boxes.map(({ atMs }) => atMs),
      ]),
    ).toEqual([
      [
        [0, 550],
        [0, 500],
      ],
      [
        [550, 8000],
        [600, 4000, 7900],
      ],
    ])
  })

  it('tells a day of a face that rests by two boxes', () => {
    const way = createTrackWay()
    for (let atMs = 0; atMs < 86_400_000; atMs += 1000)
      way.add({ atMs, x: 0.4, y: 0.4, width: 0.1, height: 0.1 })
    expect(way.boxes().map(({ atMs }) => atMs)).toEqual([0, 86_399_000])
  })

  /** Half a minute in which a cut follows the other at ten a second. */
  const flicker = (index: number, paths: StretchFound['paths']): StretchFound => ({
    fromMs: index * 30_000,
    own: { startMs: index * 30_000, endMs: (index + 1) * 30_000 },
    times: Array.from({ length: 300 }, (_, at) => at / 10),
    cuts: Array.from({ length: 300 }, (_, at) => at / 10),
    paths,
  })
  const faceIn = (first: number) => ({ first, boxes: [[0.4, 0.4, 0.1, 0.1]], certainty: 0.5 })

  it('makes one of shots without a face where a finding could not hold them all', () => {
    const count = Math.ceil(FACE_BOUNDS.shots / 300) + 1
    const durationMs = count * 30_000
    const stretches = Array.from({ length: count }, (_, index) =>
      flicker(index, index === 3 ? [faceIn(15)] : []),
    )
    expect(joinStretches(stretches, durationMs)?.shots).toEqual([
      { startMs: 0, endMs: 91_500 },
      { startMs: 91_500, endMs: 91_600 },
      { startMs: 91_600, endMs: durationMs },
    ])
  })

  it('ends the search as soon as no finding could hold its faces', () => {
    const joiner = createFindingJoiner(24 * 3_600_000)
    const faces = Array.from({ length: 300 }, (_, at) => faceIn(at))
    const goesOn = Array.from({ length: 8 }, (_, index) => joiner.add(flicker(index, faces)))
    expect(goesOn).toEqual([true, true, true, true, true, true, true, false])
  })

  it('keeps to the bounds of a finding and covers no less by it', () => {
    const paths = Array.from({ length: 3000 }, (_, index) => ({
      first: index % 50,
      boxes: [0, 1, 2].map((step) => [(index % 80) / 100, (step + (index % 7)) / 20, 0.1, 0.1]),
      certainty: 0.5,
    }))
    const finding = joinStretches([stretch(0, [0, 6000], { paths })], 6000)
    expect(finding?.tracks.length).toBeLessThanOrEqual(FACE_BOUNDS.tracks)
    const cover = coverOf(finding ?? { tracks: [] }, { uncovered: [], added: [], wholly: [] })
    for (const { first, boxes } of paths.slice(0, 200))
      for (const [step, [x = 0, y = 0, width = 0, height = 0]] of boxes.entries()) {
        const covered = boxesAt(cover, (first + step) * 100)
        const isIn = covered.some(
          (box) =>
            box.x <= x + 1e-6 &&
            box.y <= y + 1e-6 &&
            box.x + box.width >= x + width - 1e-6 &&
            box.y + box.height >= y + height - 1e-6,
        )
        expect(isIn).toBe(true)
      }
  })
})

/** The rows of each PNG of a mask: its compressed part lies between two known names. */
function rowsOf(file: Buffer): Buffer[] {
  const pictures: Buffer[] = []
  for (let at = file.indexOf('IDAT'); at > 0; at = file.indexOf('IDAT', at + 4))
    pictures.push(inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4))))
  return pictures
}

describe('the mask', () => {
  it('REC-18 is white wherever a box is while its picture is shown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mask-'))
    const path = join(folder, 'mask.png')
    const size = { width: 40, height: 24 }
    const share = fc.integer({ min: 0, max: 50 }).map((value) => value / 100)
    const box = fc.record({ x: share, y: share, width: share, height: share })
    await fc.assert(
      fc.asyncProperty(box, box, fc.integer({ min: 0, max: 400 }), async (from, to, startMs) => {
        const track: FaceTrack = {
          id: 'a',
          startMs,
          endMs: startMs + 500,
          certainty: 1,
          boxes: [
            { atMs: startMs, ...from },
            { atMs: startMs + 500, ...to },
          ],
        }
        const wholly = [{ startMs: 950, endMs: 960 }]
        const cover = { tracks: [track], wholly }
        const mask = { name: 'mask.png', cover, size, frameRate: 30, fromMs: 0, durationMs: 1000 }
        await writeMask(path, mask, new AbortController().signal)
        const pictures = rowsOf(await readFile(path))
        expect(pictures).toHaveLength(30)
        for (const [index, rows] of pictures.entries())
          for (const share of [0, 0.5, 0.99])
            for (const hidden of boxesAt(cover, ((index + share) * 1000) / 30)) {
              const column = Math.floor((hidden.x + hidden.width / 2) * size.width - 1e-6)
              const row = Math.floor((hidden.y + hidden.height / 2) * size.height - 1e-6)
              const byte = rows[Math.max(0, row) * 6 + 1 + (Math.max(0, column) >> 3)] ?? 0
              expect(byte & (0x80 >> (Math.max(0, column) & 7))).not.toBe(
                hidden.width * hidden.height > 0 ? 0 : -1,
              )
            }
      }),
      { numRuns: runs(20) },
    )
    await rm(folder, { recursive: true })
  })

  it('REC-18 covers the picture of a cut whose time was rounded up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mask-'))
    const path = join(folder, 'mask.png')
    // Picture 989 of 30000/1001 a second is shown at 32,999.63 ms, with the mask of 32,966.67 ms.
    const boxes = [{ atMs: 33_000, x: 0, y: 0, width: 1, height: 1 }]
    const track: FaceTrack = { id: 'a', startMs: 33_000, endMs: 33_500, certainty: 1, boxes }
    const cover = { tracks: [track], wholly: [] }
    const size = { width: 8, height: 1 }
    const mask = { name: 'mask.png', cover, size, frameRate: 30, fromMs: 0, durationMs: 33_100 }
    await writeMask(path, mask, new AbortController().signal)
    const pictures = rowsOf(await readFile(path))
    expect(pictures[988]?.[1]).toBe(0)
    expect(pictures[989]?.[1]).toBe(255)
    await rm(folder, { recursive: true })
  })

  it('SCL-07 the mask of a segment is that part of the mask of all', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mask-'))
    const boxes = [
      { atMs: 500, x: 0, y: 0, width: 0.2, height: 1 },
      { atMs: 4500, x: 0.8, y: 0, width: 0.2, height: 1 },
    ]
    const track: FaceTrack = { id: 'a', startMs: 500, endMs: 4500, certainty: 1, boxes }
    const cover = { tracks: [track], wholly: [{ startMs: 2900, endMs: 3100 }] }
    const size = { width: 64, height: 2 }
    const written = async (fromMs: number, durationMs: number): Promise<readonly Uint8Array[]> => {
      const path = join(folder, 'mask.png')
      const mask = { name: 'mask.png', cover, size, frameRate: 30, fromMs, durationMs }
      await writeMask(path, mask, new AbortController().signal)
      return rowsOf(await readFile(path))
    }
    const [whole, part] = [await written(0, 6000), await written(2000, 3000)]
    expect(part).toHaveLength(90)
    expect(part).toEqual(whole.slice(60, 150))
    await rm(folder, { recursive: true })
  })
})
