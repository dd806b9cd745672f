import { describe, expect, it } from 'vitest'
import { actionIn, LOOK_BYTES, LOOK_WIDTH, readPictures } from '#recipes/analysis-picture.ts'
import { placeToCrop } from '#recipes/crop-place.ts'
import type { Moment } from '#recipes/types.ts'

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
    expect(usual).toEqual({ x: 0.5, y: 0.3, cutHeads: 0 })
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
