import { planesOf, type Plane, type Planes } from './planes.ts'

const SIDE = 8
const VALUES = SIDE * SIDE
/** Of Wang et al. 2004, for 8 bits and sums over a square: (0.01 x 255)² and (0.03 x 255)². */
const LIGHT = 0.01 ** 2 * 255 ** 2 * VALUES ** 2
const DETAIL = 0.03 ** 2 * 255 ** 2 * VALUES ** 2

/**
 * How like two pictures of one size are (SSIM), each of their three planes: 1 for the same. In
 * squares of 8x8 side by side; what is left at the right and below counts for nothing, and planes
 * without a square are alike.
 */
export function likenessOf(one: Planes, other: Planes): readonly number[] {
  const others = planesOf(other)
  return planesOf(one).map((plane, at) => likenessOfPlane(plane, others[at]?.bytes ?? plane.bytes))
}

function likenessOfPlane({ width, height, bytes }: Plane, others: Uint8Array): number {
  let [sum, squares] = [0, 0]
  for (let top = 0; top + SIDE <= height; top += SIDE)
    for (let left = 0; left + SIDE <= width; left += SIDE) {
      sum += likenessOfSquare(bytes, others, top * width + left, width)
      squares += 1
    }
  return squares === 0 ? 1 : sum / squares
}

function likenessOfSquare(one: Uint8Array, other: Uint8Array, from: number, width: number): number {
  let [first, second, squared, crossed] = [0, 0, 0, 0]
  for (let row = from; row < from + SIDE * width; row += width)
    for (let at = row; at < row + SIDE; at += 1) {
      const a = one[at] ?? 0
      const b = other[at] ?? 0
      first += a
      second += b
      squared += a * a + b * b
      crossed += a * b
    }
  const means = first * second
  const ofMeans = first * first + second * second
  const spread = squared * VALUES - ofMeans
  const together = crossed * VALUES - means
  const light = (2 * means + LIGHT) / (ofMeans + LIGHT)
  return (light * (2 * together + DETAIL)) / (spread + DETAIL)
}
