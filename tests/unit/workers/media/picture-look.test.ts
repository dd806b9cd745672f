import { describe, expect, it } from 'vitest'
import { judgeLooks, lookAt } from '#workers/media/picture-look.ts'

/** RGBA of 32 × 18 pixels by a grey value for each. */
function picture(grey: (x: number, y: number) => number): Uint8Array {
  const rgba = new Uint8Array(32 * 18 * 4)
  for (let y = 0; y < 18; y += 1)
    for (let x = 0; x < 32; x += 1) rgba.fill(grey(x, y), (y * 32 + x) * 4, (y * 32 + x) * 4 + 3)
  return rgba
}
const look = (atMs: number, grey: (x: number, y: number) => number) =>
  lookAt(picture(grey), 32, 18, atMs)

describe('what a picture looks like', () => {
  it('has the mean and the spread of its grey values', () => {
    expect(look(0, () => 100)).toMatchObject({
      mean: expect.closeTo(100, 5),
      deviation: expect.closeTo(0, 3),
    })
    expect(look(0, (x) => (x < 16 ? 0 : 200))).toMatchObject({
      mean: expect.closeTo(100, 5),
      deviation: expect.closeTo(100, 3),
    })
  })
})

describe('what pictures say of the whole', () => {
  it('tells black from dim', () => {
    expect(judgeLooks([look(0, () => 16), look(1_000, (x) => x)])).toMatchObject({
      looked: 2,
      black: 1,
    })
  })

  it('counts pictures that stay the same, and one small thing that moves is enough', () => {
    const still = (x: number): number => x * 4
    expect(judgeLooks([look(0, still), look(1_000, still), look(2_000, still)])).toMatchObject({
      frozen: 2,
    })
    expect(
      judgeLooks([look(0, still), look(1_000, (x, y) => (x < 2 && y < 2 ? 255 : still(x)))]),
    ).toMatchObject({ frozen: 0 })
  })

  it('counts one frame that was taken twice only once, in any order', () => {
    expect(
      judgeLooks([look(2_000, () => 90), look(0, () => 10), look(2_000, () => 90)]),
    ).toMatchObject({ looked: 2, frozen: 0 })
    expect(judgeLooks([])).toBeNull()
  })
})
