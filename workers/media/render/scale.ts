import { emptyPlanes, planesOf, type Plane, type Planes } from './planes.ts'
import { kernelScaler, type Taps } from './scale-kernel.ts'
import type { Size } from '#recipes/picture.ts'

/** The picture at another size, and what is kept of it. */
export interface Scaled {
  /** Of all of the picture. */
  readonly whole: Size
  readonly part: Size
  readonly left: number
  readonly top: number
}

/**
 * Makes a function that brings pictures of one size to another as ffmpeg's `scale=flags=bicubic`
 * does, and cuts a part out. Only that part is computed.
 */
export function createScaler(
  from: Size,
  { whole, part, left, top }: Scaled,
): (planes: Planes) => Planes {
  const isScaled = from.width !== whole.width || from.height !== whole.height
  const result = emptyPlanes(part)
  const half = (size: Size): Size => ({ width: size.width / 2, height: size.height / 2 })
  const place = { ...part, left, top }
  const halfPlace = { ...half(part), left: left / 2, top: top / 2 }
  const luma = isScaled ? planeScaler(from, whole, place) : planeCutter(place)
  const colour = isScaled ? planeScaler(half(from), half(whole), halfPlace) : planeCutter(halfPlace)
  return (planes) => {
    const into = planesOf(result)
    for (const [index, plane] of planesOf(planes).entries()) {
      const target = into[index]
      if (target !== undefined) (index === 0 ? luma : colour)(plane, target)
    }
    return result
  }
}

/** Makes one plane into another one. */
type PlaneWork = (plane: Plane, into: Plane) => void

function planeCutter({ left, top }: Part): PlaneWork {
  return ({ width, bytes }, into) => {
    for (let y = 0; y < into.height; y += 1) {
      const from = (top + y) * width + left
      into.bytes.set(bytes.subarray(from, from + into.width), y * into.width)
    }
  }
}

interface Part extends Size {
  readonly left: number
  readonly top: number
}

/** Row by row of the result: first down, where weights are the same for all of a row. */
function planeScaler(from: Size, whole: Size, part: Part): PlaneWork {
  const across = tapsOf(from.width, whole.width, part.left, part.width)
  const down = tapsOf(from.height, whole.height, part.top, part.height)
  const first = across.starts[0] ?? 0
  const row = new Float64Array((across.starts.at(-1) ?? 0) + across.count - first)
  for (let x = 0; x < part.width; x += 1) across.starts[x] = (across.starts[x] ?? 0) - first
  const byEights = kernelScaler(from, first, { across, down })
  if (byEights !== null) return byEights
  return ({ bytes, width }, into) => {
    for (let y = 0; y < part.height; y += 1) {
      const weights = down.weights.subarray(y * down.count, (y + 1) * down.count)
      joinRows({ bytes, at: (down.starts[y] ?? 0) * width + first, width }, weights, row)
      scaleRow(row, across, into.bytes, y * part.width)
    }
  }
}

/**
 * Values at a time, in browsers without SIMD: one by one a picture of 4K takes 125 ms instead of
 * 79, which is 13 by eights.
 */
const STEP = 4

/** Rows below each other, each by its weight. */
function joinRows(
  { bytes, at, width }: { readonly bytes: Uint8Array; readonly at: number; readonly width: number },
  weights: Float64Array,
  into: Float64Array,
): void {
  into.fill(0)
  let tap = 0
  for (; tap + STEP <= weights.length; tap += STEP) {
    const [one = 0, two = 0, three = 0, four = 0] = weights.subarray(tap)
    const start = at + tap * width
    const second = start + width
    const third = second + width
    const fourth = third + width
    for (let x = 0; x < into.length; x += 1)
      into[x] =
        (into[x] ?? 0) +
        one * (bytes[start + x] ?? 0) +
        two * (bytes[second + x] ?? 0) +
        three * (bytes[third + x] ?? 0) +
        four * (bytes[fourth + x] ?? 0)
  }
  for (; tap < weights.length; tap += 1) {
    const weight = weights[tap] ?? 0
    const start = at + tap * width
    for (let x = 0; x < into.length; x += 1)
      into[x] = (into[x] ?? 0) + weight * (bytes[start + x] ?? 0)
  }
}

function scaleRow(
  row: Float64Array,
  { count, starts, weights }: Taps,
  into: Uint8Array,
  at: number,
): void {
  for (let x = 0; x < starts.length; x += 1) {
    let sum = 0.5
    let from = starts[x] ?? 0
    let weight = x * count
    const end = weight + count
    for (; weight + STEP <= end; weight += STEP, from += STEP)
      sum +=
        (row[from] ?? 0) * (weights[weight] ?? 0) +
        (row[from + 1] ?? 0) * (weights[weight + 1] ?? 0) +
        (row[from + 2] ?? 0) * (weights[weight + 2] ?? 0) +
        (row[from + 3] ?? 0) * (weights[weight + 3] ?? 0)
    for (; weight < end; weight += 1, from += 1) sum += (row[from] ?? 0) * (weights[weight] ?? 0)
    into[at + x] = sum < 0 ? 0 : sum > 255 ? 255 : sum
  }
}

/** Of ffmpeg's bicubic filter: how much it sharpens. */
const SHARP = 0.6

function tapsOf(from: number, whole: number, offset: number, length: number): Taps {
  const ratio = from / whole
  // Where it shrinks, the filter is as much wider, so that it sees every value.
  const stretch = Math.max(1, ratio)
  // Values at its very edge count nothing.
  const count = Math.min(from, Math.ceil(4 * stretch))
  const starts = new Int32Array(length)
  const weights = new Float64Array(length * count)
  for (let index = 0; index < length; index += 1) {
    const centre = (offset + index + 0.5) * ratio - 0.5
    const wanted = Math.floor(centre - 2 * stretch) + 1
    const start = Math.max(0, Math.min(from - count, wanted))
    starts[index] = start
    let sum = 0
    // What lies beyond the edge counts as the edge.
    for (let at = wanted; at <= centre + 2 * stretch; at += 1) {
      const weight = cubic(Math.abs(at - centre) / stretch)
      const tap = Math.max(0, Math.min(from - 1, at)) - start
      const slot = index * count + Math.max(0, Math.min(count - 1, tap))
      weights[slot] = (weights[slot] ?? 0) + weight
      sum += weight
    }
    for (let tap = 0; tap < count; tap += 1)
      weights[index * count + tap] = (weights[index * count + tap] ?? 0) / sum
  }
  return { count, starts, weights }
}

/** The cubic of Mitchell and Netravali with B = 0. */
function cubic(distance: number): number {
  const squared = distance * distance
  const cubed = squared * distance
  if (distance < 1) return 1 - (3 - SHARP) * squared + (2 - SHARP) * cubed
  if (distance < 2) return SHARP * (4 - 8 * distance + 5 * squared - cubed)
  return 0
}
