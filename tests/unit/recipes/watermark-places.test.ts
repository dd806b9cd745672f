import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stopsBesideFaces, type MarkBox } from '#recipes/dynamic-watermark/beside-faces.ts'
import { logoFactsOf, refuseLogo, type LogoFacts } from '#recipes/dynamic-watermark/logo.ts'
import {
  GLIDE_S,
  motion,
  PLACES,
  shareAt,
  STAY_S,
  type Stop,
} from '#recipes/dynamic-watermark/places.ts'
import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceRectangle, FaceTrack } from '#recipes/face-cover/types.ts'
import { tracksOfHeads, writeHeads } from '#recipes/heads.ts'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { runs } from '#tests/seeds.ts'

const STAY_MS = STAY_S * 1000
const MARK: MarkBox = { width: 0.3, height: 0.1, marginX: 0.02, marginY: 0.03 }

const face = (startMs: number, endMs: number, ...boxes: readonly FaceRectangle[]): FaceTrack => ({
  id: 'a',
  startMs,
  endMs,
  certainty: 1,
  boxes: boxes.map((box, index) => ({
    ...box,
    atMs: startMs + ((endMs - startMs) * index) / Math.max(1, boxes.length - 1),
  })),
})

/** Where the mark is at a time, by the expression that ffmpeg reads. */
function markAt(stops: readonly Stop[] | null): (atS: number) => FaceRectangle {
  // In thousandths of the picture; margins are the same on both axes in pixels only.
  const [x, y] = [MARK.marginX, MARK.marginY].map((margin, axis) =>
    evaluator(
      motion({ whole: ['W', 'H'], own: ['w', 'h'] }, margin * 1000, stops)[axis === 0 ? 'x' : 'y'],
    ),
  )
  const { width, height } = MARK
  return (atS) => ({ x: (x?.(atS) ?? 0) / 1000, y: (y?.(atS) ?? 0) / 1000, width, height })
}

/** What ffmpeg computes of an expression of t, with its own functions and `st` and `ld`. */
function evaluator(text: string): (t: number) => number {
  const words = text.match(/[a-z]+|[A-Z]|\d+(?:\.\d+)?|[-+*/(),;]/g) ?? []
  let at = 0
  const eats = (...any: readonly string[]): string | null =>
    any.includes(words[at] ?? '') ? (words[at++] ?? null) : null
  const row = (part: () => Value, signs: readonly string[]): Value => {
    let value = part()
    for (let sign = eats(...signs); sign !== null; sign = eats(...signs))
      value = joined(sign, value, part())
    return value
  }
  const all = (): Value => row(() => row(() => row(single, ['*', '/']), ['+', '-']), [';'])
  const single = (): Value => {
    const word = words[at++] ?? ''
    const given: Value[] = []
    if (word === '(') given.push(all())
    else if (eats('(') !== null)
      do given.push(all())
      while (eats(',') !== null)
    else return (env) => env.names[word] ?? Number(word)
    eats(')')
    return word === '(' ? (given[0] ?? (() => NaN)) : called(word, given)
  }
  const value = all()
  const sides = { W: 1000, H: 1000, w: MARK.width * 1000, h: MARK.height * 1000 }
  return (t) => value({ names: { ...sides, t }, registers: [] })
}

interface Env {
  readonly names: Readonly<Record<string, number>>
  readonly registers: number[]
}
type Value = (env: Env) => number

function joined(sign: string, left: Value, right: Value): Value {
  return (env) => {
    const [a, b] = [left(env), right(env)]
    return { '*': a * b, '/': a / b, '+': a + b, '-': a - b, ';': b }[sign] ?? NaN
  }
}

function called(name: string, given: readonly Value[]): Value {
  return (env) => {
    const values = given.map((each) => each(env))
    const [a = NaN, b = NaN, c = NaN] = values
    if (name === 'ld') return env.registers[a] ?? 0
    if (name === 'st') return (env.registers[a] = b)
    return FUNCTIONS[name]?.(a, b, c) ?? NaN
  }
}

const FUNCTIONS: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  if: (test, yes, no) => (test === 0 ? no : yes),
  eq: (a, b) => Number(a === b),
  lt: (a, b) => Number(a < b),
  gte: (a, b) => Number(a >= b),
  mod: (a, b) => a - Math.floor(a / b) * b,
  clip: (a, low, high) => Math.min(Math.max(a, low), high),
  floor: (a) => Math.floor(a),
  pow: (a, b) => a ** b,
}

function shared(one: FaceRectangle, other: FaceRectangle): number {
  const along = (side: 'x' | 'y', length: 'width' | 'height'): number =>
    Math.max(
      0,
      Math.min(one[side] + one[length], other[side] + other[length]) -
        Math.max(one[side], other[side]),
    )
  return along('x', 'width') * along('y', 'height')
}

const spots = PLACES.map(([x, y]): FaceRectangle => ({
  x: MARK.marginX + (1 - MARK.width - 2 * MARK.marginX) * x,
  y: MARK.marginY + (1 - MARK.height - 2 * MARK.marginY) * y,
  width: MARK.width,
  height: MARK.height,
}))

const anyBox = fc
  .tuple(
    fc.double({ min: 0, max: 0.9, noNaN: true }),
    fc.double({ min: 0, max: 0.9, noNaN: true }),
    fc.double({ min: 0.02, max: 0.5, noNaN: true }),
  )
  .map(([x, y, side]) => ({ x, y, width: Math.min(side, 1 - x), height: Math.min(side, 1 - y) }))
const anyFace = fc
  .tuple(
    fc.integer({ min: 0, max: 50_000 }),
    fc.integer({ min: 200, max: 40_000 }),
    fc.array(anyBox, { minLength: 1, maxLength: 4 }),
  )
  .map(([startMs, lengthMs, boxes]) => face(startMs, startMs + lengthMs, ...boxes))

describe('the places of a watermark', () => {
  it('DEL-03 it is never over a face that was found, at rest or on its way, where a free place exists', () => {
    fc.assert(
      fc.property(fc.array(anyFace, { minLength: 1, maxLength: 5 }), (tracks) => {
        const durationMs = 64_000
        const where = markAt(stopsBesideFaces(tracks, MARK, durationMs))
        for (let startMs = 0; startMs < durationMs; startMs += STAY_MS) {
          const faces = Array.from({ length: 80 }, (_, step) => startMs + step * 100).map(
            (atMs) =>
              [
                atMs,
                tracks
                  .filter((track) => track.startMs <= atMs && atMs <= track.endMs)
                  .map((track) => faceBoxAt(track, atMs)),
              ] as const,
          )
          // Free with hair and chin, and between the instants that are looked at here.
          const around = (box: FaceRectangle) => ({
            x: box.x - box.width * 0.3 - 0.05,
            y: box.y - box.height * 0.3 - 0.05,
            width: box.width * 1.6 + 0.1,
            height: box.height * 1.6 + 0.1,
          })
          const isFree = spots.some((spot) =>
            faces.every(([, boxes]) => boxes.every((box) => shared(spot, around(box)) === 0)),
          )
          if (!isFree) continue
          for (const [atMs, boxes] of faces) {
            if (boxes.length === 0) continue
            const mark = where(atMs / 1000)
            for (const box of boxes) expect(shared(mark, box)).toBe(0)
          }
        }
      }),
      { numRuns: runs(20) },
    )
  })

  it('DEL-03 it is never over a head that a search for moments saw', () => {
    const face = { left: 0.08, top: 0.1, right: 0.2, bottom: 0.3 }
    const seen = { shows: 'lively', score: 1, startsShot: false, stillMs: 0, likeness: '' } as const
    const tracks = tracksOfHeads([
      { ...seen, atMs: 2000, lengthMs: 1000, heads: writeHeads([face]) },
      { ...seen, atMs: 3000, lengthMs: 1000, heads: '' },
      { ...seen, atMs: 4000, lengthMs: 1000 },
    ])
    expect(tracks).toHaveLength(1)
    const box = { x: 0.08, y: 0.1, width: 0.12, height: 0.2 }
    // Where nothing is known, the mark begins there.
    expect(shared(markAt(null)(2.5), box)).toBeGreaterThan(0)
    expect(shared(markAt(stopsBesideFaces(tracks, MARK, 16_000))(2.5), box)).toBe(0)
  })

  it('DEL-03 it takes the place that hides least where faces touch all of them', () => {
    const nearlyAll = face(0, 8000, { x: 0, y: 0, width: 1, height: 0.88 })
    const [stop] = stopsBesideFaces([nearlyAll], MARK, 8000) ?? []
    // Only these two lie at the lower edge.
    expect([2, 4]).toContain(stop?.place)
  })

  it('DEL-03 it goes to all places in turn where no face is, and moves at every stay', () => {
    expect(stopsBesideFaces([], MARK, 60_000)).toBeNull()
    const late = face(400_000, 401_000, { x: 0.4, y: 0.4, width: 0.1, height: 0.1 })
    const stops = stopsBesideFaces([late], MARK, 120_000) ?? []
    expect(stops.slice(0, 15).map(({ place }) => place)).toEqual(
      Array.from({ length: 15 }, (_, stay) => stay % PLACES.length),
    )
    const [inTurn, byStops] = [markAt(null), markAt(stops)]
    for (let atS = 0; atS < 118; atS += 0.37) expect(byStops(atS)).toEqual(inTurn(atS))
    const left = face(0, 400_000, { x: 0, y: 0, width: 0.4, height: 1 })
    const beside = stopsBesideFaces([left], MARK, 400_000) ?? []
    for (const [index, { place }] of beside.slice(0, -2).entries())
      expect(beside[index + 1]?.place).not.toBe(place)
  })

  it('DEL-03 a jump is over when the stay is, and a day of faces fits into one argument', () => {
    const stops = [
      { place: 0, glides: false },
      { place: 1, glides: true },
      { place: 1, glides: true },
    ]
    const where = markAt(stops)
    expect(where(STAY_S - GLIDE_S / 2)).toMatchObject({ x: MARK.marginX })
    expect(where(STAY_S).x).toBeCloseTo(1 - MARK.marginX - MARK.width)
    const day = Array.from({ length: (24 * 3600) / STAY_S }, (_, stay) => ({
      place: (stay * 5) % 8,
      glides: stay % 3 > 0,
    }))
    const { x, y } = motion({ whole: ['w', 'h'], own: ['tw', 'th'] }, 51, day)
    expect(x.length + y.length).toBeLessThan(100_000)
    expect(markAt(day)(24 * 3600 - 5).x).toBeCloseTo(spots[day.at(-1)?.place ?? 0]?.x ?? -1)
  })
})

describe('the logo of a watermark', () => {
  const good: LogoFacts = { width: 600, height: 200, isTransparent: true }

  it('DEL-03 needs transparent parts, a size that is not blurred and a shape that is seen on a phone', () => {
    expect(refuseLogo(good)).toBeNull()
    expect(refuseLogo({ ...good, width: 2000 })).toBeNull()
    expect(refuseLogo({ ...good, width: 128, height: 13 })).toBeNull()
    expect(refuseLogo({ ...good, isTransparent: false })).toContain('PNG with a transparent ground')
    expect(refuseLogo({ ...good, width: 4000 })).toContain('4000 × 200, too thin')
    expect(refuseLogo({ ...good, width: 20, height: 400 })).toContain('too thin')
    expect(refuseLogo({ ...good, width: 127, height: 90 })).toContain('127 × 90, so it would be')
    expect(refuseLogo({ ...good, width: 0 })).toContain('Nothing is to be seen')
  })

  it('DEL-03 is measured without its transparent margins, and by its format where nothing was measured', () => {
    const drawn = { x: 0.25, y: 0, width: 0.5, height: 1, isOpaque: false }
    const image = probe({ width: 400, height: 300, pixelFormat: 'rgba' })
    expect(logoFactsOf({ ...image, drawn })).toEqual({ ...good, width: 200, height: 300 })
    expect(logoFactsOf(image)).toEqual({ ...good, width: 400, height: 300 })
    expect(logoFactsOf({ ...image, pixelFormat: 'rgb24' }).isTransparent).toBe(false)
    const opaque = { x: 0, y: 0, width: 1, height: 1, isOpaque: true }
    expect(logoFactsOf({ ...image, drawn: opaque }).isTransparent).toBe(false)
  })

  it('DEL-03 has the area of its size, whatever its shape, inside of what it may have of the picture', () => {
    const sizeOf = (width: number, height: number, size: string): readonly number[] => {
      const image = probe({ width, height, pixelFormat: 'rgba' })
      const plan = findRecipe('dynamic-watermark')?.plan(
        probe(),
        { logoMediaAssetId: 'l', size },
        { moments: [], assets: [{ id: 'l', kind: 'image', probe: image }], secret: SECRET },
      )
      if (plan?.ok !== true) throw new Error('no plan')
      const step = plan.value.steps[0]
      if (step === undefined) throw new Error('no step')
      const [, scaled = ''] = /,scale=(\d+:\d+):/.exec(printArgs(step, () => '/f').join(' ')) ?? []
      return scaled.split(':').map(Number)
    }
    expect(sizeOf(512, 512, 'small')).toEqual([154, 154])
    expect(sizeOf(512, 512, 'medium')).toEqual([192, 192])
    expect(sizeOf(512, 512, 'large')).toEqual([269, 269])
    expect(sizeOf(1600, 400, 'medium')).toEqual([384, 96])
    expect(sizeOf(200, 2000, 'large')).toEqual([32, 324])
    expect(sizeOf(2000, 200, 'large')).toEqual([850, 85])
  })
})

it('NOW-05 a device moves the mark as ffmpeg does where no face is known', () => {
  const ofFfmpeg = markAt(null)
  for (let atS = 0; atS < 3 * STAY_S * PLACES.length; atS += 0.29) {
    const { x, y } = ofFfmpeg(atS)
    const [across, down] = shareAt(atS)
    expect(MARK.marginX + (1 - MARK.width - 2 * MARK.marginX) * across).toBeCloseTo(x, 9)
    expect(MARK.marginY + (1 - MARK.height - 2 * MARK.marginY) * down).toBeCloseTo(y, 9)
  }
})
