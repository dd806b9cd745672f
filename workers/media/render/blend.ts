import type { Planes } from './planes.ts'
import type { FrameRate } from '#recipes/encoding.ts'
import { nearestPicture } from '#recipes/picture-at.ts'

/** 1 as a share in whole numbers. */
const ONE = 65_536
const HALF = ONE / 2

/**
 * A fade from one picture into another, as ffmpeg's `xfade` does it: `share` 1 is all of the first.
 * @param into may be one of the two
 */
export function crossFadeInto(from: Planes, to: Planes, share: number, into: Planes): void {
  const [a, b, result] = [from.bytes, to.bytes, into.bytes]
  const own = Math.round(share * ONE)
  const other = ONE - own
  for (let at = 0; at < result.length; at += 1)
    result[at] = ((a[at] ?? 0) * own + (b[at] ?? 0) * other + HALF) >> 16
}

/** Brightness of black, and the colour of grey. */
const [BLACK, GREY] = [16, 128]

/** A fade to black, as ffmpeg's `fade` does it: `share` 1 is the picture, 0 is black. */
export function darkenInto(from: Planes, share: number, into: Planes): void {
  const factor = Math.floor(share * (ONE - 1))
  const luma = toward(BLACK, factor)
  const colour = toward(GREY, factor)
  const ofLuma = from.width * from.height
  const [source, result] = [from.bytes, into.bytes]
  for (let at = 0; at < ofLuma; at += 1) result[at] = luma[source[at] ?? 0] ?? 0
  for (let at = ofLuma; at < result.length; at += 1) result[at] = colour[source[at] ?? 0] ?? 0
}

function toward(ground: number, factor: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, value) => {
    const faded = ((value - ground) * factor + (ground << 16) + HALF) >> 16
    return Math.max(0, Math.min(255, faded))
  })
}

/**
 * How much is left of picture `at` of a passage that fades to black at its end. ffmpeg counts both
 * the beginning and the length of a fade in whole pictures.
 */
export function shareBeforeBlack(
  at: number,
  frames: number,
  outMs: number,
  rate: FrameRate,
): number {
  const start = nearestPicture((frames / rate.value) * 1000 - outMs, rate)
  const length = Math.max(1, nearestPicture(outMs, rate))
  return 1 - Math.max(0, Math.min(1, (at - start) / length))
}
