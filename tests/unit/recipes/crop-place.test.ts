import { describe, expect, it } from 'vitest'
import { actionIn, LOOK_BYTES, LOOK_WIDTH, readPictures } from '#recipes/analysis-picture.ts'
import { placeToCrop } from '#recipes/crop-place.ts'
import { writeHeads } from '#recipes/heads.ts'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'

const WIDE = { width: 640, height: 360 }
const UPRIGHT = { width: 202, height: 360 }
const PASSAGE = { startMs: 1000, durationMs: 3000 }

function moment(atMs: number, action?: string): Moment {
  const known = action === undefined ? {} : { action }
  return {
    atMs,
    lengthMs: 1000,
    shows: 'lively',
    score: 0.5,
    startsShot: false,
    stillMs: atMs,
    likeness: '',
    ...known,
  }
}

/** A bright square of 32 pixels at this place, on an even ground. */
function squareAt(left: number, top: number): Uint8Array {
  const bytes = new Uint8Array(LOOK_BYTES).fill(100)
  for (let y = top; y < top + 32; y += 1)
    bytes.fill(220, y * LOOK_WIDTH + left, y * LOOK_WIDTH + left + 32)
  return bytes
}

describe('where something moves', () => {
  it('REC-20 is told for columns and rows, and nowhere where only the light changes', () => {
    const moving = Array.from({ length: 6 }, (_, index) => squareAt(192 + 4 * index, 16))
    const action = actionIn(readPictures(Buffer.concat(moving)))
    expect(action).toMatch(/^0{12}[1-9a-f]{3,4}/)
    expect(action.slice(16)).toMatch(/^0[1-9a-f]{2}0{6}$/)
    const light = [100, 120, 140].map((level) => new Uint8Array(LOOK_BYTES).fill(level))
    expect(actionIn(readPictures(Buffer.concat(light)))).toBe('')
  })
})

describe('the place of a part', () => {
  it('REC-03 has in it what moves, wherever that is', () => {
    const rows = '0f0000000'
    for (const column of Array.from({ length: 16 }, (_, index) => index)) {
      const columns = `${'0'.repeat(column)}f${'0'.repeat(15 - column)}`
      const moments = [0, 1000, 2000, 3000].map((atMs) => moment(atMs, columns + rows))
      const { x } = placeToCrop(WIDE, UPRIGHT, PASSAGE, moments)
      const left = x * (WIDE.width - UPRIGHT.width)
      expect(left).toBeLessThanOrEqual(column * 40 + 1)
      expect(left + UPRIGHT.width).toBeGreaterThanOrEqual(column * 40 + 39)
    }
  })

  it('REC-03 is the usual one where all of the picture moves, as it does in a hand', () => {
    const usual = placeToCrop(WIDE, UPRIGHT, PASSAGE, [])
    expect(usual).toEqual({ x: 0.5, y: 0.3, cutHeads: 0, shown: 0 })
    const shaking = [1000, 2000, 3000].map((atMs) => moment(atMs, '9bafdcbabcdcab99' + '9aabfecba'))
    expect(placeToCrop(WIDE, UPRIGHT, PASSAGE, shaking)).toEqual(usual)
  })

  it('REC-03 follows nothing but the passage', () => {
    const left = `ff${'0'.repeat(14)}${'0'.repeat(9)}`
    const elsewhere = [
      moment(0, left),
      moment(1000),
      moment(2000),
      moment(3000),
      moment(4000, left),
    ]
    expect(placeToCrop(WIDE, UPRIGHT, PASSAGE, elsewhere).x).toBe(0.5)
    expect(placeToCrop(WIDE, UPRIGHT, PASSAGE, [...elsewhere, moment(2500, left)]).x).toBe(0)
  })
})

describe('the square and the upright teaser', () => {
  /** A person who walks from the left to the right within the source. */
  const walked = Array.from({ length: 60 }, (_, index): Moment => {
    const left = 0.05 + (0.75 * index) / 60
    return {
      ...moment(index * 1000),
      startsShot: index % 5 === 0,
      likeness: (index % 16).toString(16).repeat(48),
      heads: writeHeads([{ left, top: 0.3, right: left + 0.08, bottom: 0.5 }]),
    }
  })
  const piecesOf = (slug: string, source: SourceProbe, moments: readonly Moment[] = []) => {
    const plan = findRecipe(slug)?.plan(source, undefined, { moments, assets: [], secret: SECRET })
    if (plan?.ok !== true) throw new Error('no plan')
    const pieces = plan.value.steps.filter(({ id }) => id.startsWith('piece-')).toReversed()
    return pieces.map((step) => {
      const words = printArgs(step, () => '').join(' ')
      const [, scale = ''] = /scale=(\d+:\d+):/.exec(words) ?? []
      const [, crop = null] = /crop=(\d+:\d+:\d+:\d+),/.exec(words) ?? []
      return { startMs: step.inputs[0]?.seekMs ?? 0, scale, crop }
    })
  }
  const minute = (width: number, height: number): SourceProbe =>
    probe({ durationMs: 60_000, width, height, frameRate: 25 })

  it('REC-29 have the whole head of who walks through the scene in each of their passages', () => {
    for (const slug of ['teaser-square', 'teaser-upright']) {
      const pieces = piecesOf(slug, minute(1920, 1080), walked)
      expect(pieces).toHaveLength(6)
      for (const { startMs, crop } of pieces) {
        const [width = 0, , left = 0] = crop?.split(':').map(Number) ?? []
        const at = (0.05 + (0.75 * startMs) / 60_000) * 1920
        expect(left).toBeLessThanOrEqual(at)
        expect(left + width).toBeGreaterThanOrEqual(at + 0.08 * 1920)
      }
      expect(new Set(pieces.map(({ crop }) => crop)).size).toBeGreaterThan(3)
    }
  })

  it.each([
    ['teaser-square', 1920, 1080, '1920:1080', /^1080:1080:/],
    ['teaser-square', 3840, 2160, '1920:1080', /^1080:1080:/],
    ['teaser-square', 1080, 1920, '1080:1920', /^1080:1080:0:/],
    ['teaser-square', 641, 359, '642:360', /^358:358:/],
    ['teaser-upright', 1920, 1080, '1920:1080', /^606:1080:/],
    ['teaser-upright', 3840, 2160, '3416:1922', /^1080:1920:/],
    ['teaser-upright', 2560, 1080, '2560:1080', /^606:1080:/],
    ['teaser-upright', 1440, 1920, '1440:1920', /^1080:1920:/],
  ])('REC-29 a %s of %ix%i is scaled to %s and cut out, not enlarged', (slug, ...size) => {
    const [width, height, scale, crop] = size
    const [piece] = piecesOf(slug, minute(width, height))
    expect(piece).toMatchObject({ scale, crop: expect.stringMatching(crop) })
  })

  it('REC-29 show all of a picture that has their shape already', () => {
    for (const [width, height, scale] of [
      [1080, 1920, '1080:1920'],
      [2160, 3840, '1080:1920'],
      [540, 960, '540:960'],
    ] as const)
      expect(piecesOf('teaser-upright', minute(width, height))[0]).toMatchObject({
        scale,
        crop: null,
      })
  })
})
