import { expect, it } from 'vitest'
import { placesToTry, shareFor } from '#workers/media/render/find-rate.ts'
import { likenessOf } from '#workers/media/render/likeness.ts'
import { emptyPlanes } from '#workers/media/render/planes.ts'

it('NOW-05 takes the least rate whose likeness stays, by the plane that loses most', () => {
  const atCap = [0.997, 0.996, 0.996]
  const shares = [0.999, 0.5, 0.9975].map((tried) => shareFor([1, 1, 1], [1, tried, 1]))
  expect(shares[0]).toBeCloseTo(1 / 3)
  expect(shares[1]).toBeGreaterThan(0.99)
  expect(shares[2]).toBeCloseTo(0.5)
  expect(shareFor(atCap, [0.9965, 0.9935, 0.9958])).toBeCloseTo(0.5)
})

it('NOW-05 leaves grain and what could not be compared at the cap', () => {
  expect(shareFor([0.47, 0.6, 0.62], [0.47, 0.6, 0.62])).toBe(1)
  expect(shareFor([], [])).toBe(1)
})

it('NOW-05 tries places spread over an edit, and none of a short one', () => {
  expect(placesToTry(15, 6)).toEqual([1, 4])
  expect(placesToTry(60, 11)).toEqual([1, 5, 9])
  expect(placesToTry(90, 1)).toEqual([0])
  expect(placesToTry(5, 6)).toEqual([])
})

it('NOW-05 compares each plane: the same is alike, and noise is seen where it lies', () => {
  const one = emptyPlanes({ width: 32, height: 32 })
  one.bytes.forEach((_, at) => (one.bytes[at] = (at * 37) % 251))
  const other = { ...one, bytes: one.bytes.slice() }
  expect(likenessOf(one, other)).toEqual([1, 1, 1])
  for (let at = 32 * 32; at < 32 * 32 + 256; at += 2) other.bytes[at] = (at * 91) % 241
  const [luma = 0, first = 1, second = 0] = likenessOf(one, other)
  expect([luma, second]).toEqual([1, 1])
  expect(first).toBeLessThan(0.8)
})
