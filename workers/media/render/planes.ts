import type { Matrix, Size } from '#recipes/picture.ts'

/**
 * [Note: pictures of an edit] Pictures stay as video stores them: brightness, and two colours of a
 * quarter of its pixels, 8 bits each. Through a canvas a fade to black came out visibly worse (SSIM
 * of the brightness 0.924 instead of 0.965), and took twice the memory.
 */
export interface Planes extends Size {
  /** Brightness row by row, then both colours. Even sides. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

export function emptyPlanes({ width, height }: Size): Planes {
  return { width, height, bytes: new Uint8Array((width * height * 3) / 2) }
}

/** One of the three planes. */
export interface Plane extends Size {
  readonly bytes: Uint8Array<ArrayBuffer>
}

export function planesOf({ width, height, bytes }: Planes): readonly [Plane, Plane, Plane] {
  const luma = width * height
  const half = { width: width / 2, height: height / 2 }
  return [
    { width, height, bytes: bytes.subarray(0, luma) },
    { ...half, bytes: bytes.subarray(luma, luma + luma / 4) },
    { ...half, bytes: bytes.subarray(luma + luma / 4) },
  ]
}

/** How a decoder laid a picture out: the formats that say `I420` and `NV12`. */
export interface Layout {
  readonly format: 'I420' | 'NV12'
  readonly planes: readonly { readonly offset: number; readonly stride: number }[]
}

/** Copies what a decoder laid out into planes without gaps. */
export function packPlanes(bytes: Uint8Array, { format, planes }: Layout, into: Planes): void {
  const [luma, first, second] = planesOf(into)
  const [y, u, v] = planes
  if (y === undefined || u === undefined) throw new TypeError('a picture without colours')
  copyRows(bytes, y, 1, luma)
  if (format === 'NV12') {
    // Both colours in one plane, by turns.
    copyRows(bytes, u, 2, first)
    copyRows(bytes, { ...u, offset: u.offset + 1 }, 2, second)
  } else if (v !== undefined) {
    copyRows(bytes, u, 1, first)
    copyRows(bytes, v, 1, second)
  }
}

function copyRows(
  bytes: Uint8Array,
  { offset, stride }: { readonly offset: number; readonly stride: number },
  step: 1 | 2,
  into: Plane,
): void {
  const { width, height } = into
  for (let row = 0; row < height; row += 1) {
    const from = offset + row * stride
    if (step === 1) into.bytes.set(bytes.subarray(from, from + width), row * width)
    else
      for (let at = 0; at < width; at += 1) into.bytes[row * width + at] = bytes[from + at * 2] ?? 0
  }
}

/** Clockwise, as players turn a picture before they show it. */
export type Turn = 0 | 90 | 180 | 270

/** The picture turned; the same object where it is upright. */
export function turned(planes: Planes, turn: Turn): Planes {
  if (turn === 0) return planes
  const { width, height } = planes
  const result = emptyPlanes(turn === 180 ? { width, height } : { width: height, height: width })
  const into = planesOf(result)
  for (const [index, plane] of planesOf(planes).entries()) {
    const target = into[index]
    if (target !== undefined) turnPlane(plane, turn, target.bytes)
  }
  return result
}

function turnPlane({ width, height, bytes }: Plane, turn: 90 | 180 | 270, into: Uint8Array): void {
  // Where the first value comes to lie, and how far the next one of its row and of its column.
  const [start, right, down] =
    turn === 90
      ? [height - 1, height, -1]
      : turn === 180
        ? [width * height - 1, -1, -width]
        : [(width - 1) * height, -height, 1]
  for (let y = 0; y < height; y += 1)
    for (let x = 0, at = start + y * down; x < width; x += 1, at += right)
      into[at] = bytes[y * width + x] ?? 0
}

/** From all 256 steps to the range of video, 16 to 235 and 240. */
export function toVideoRange(planes: Planes): void {
  const luma = planes.width * planes.height
  const { bytes } = planes
  for (let at = 0; at < luma; at += 1) bytes[at] = VIDEO_LUMA[bytes[at] ?? 0] ?? 0
  for (let at = luma; at < bytes.length; at += 1) bytes[at] = VIDEO_COLOUR[bytes[at] ?? 0] ?? 0
}

const VIDEO_LUMA = Uint8Array.from({ length: 256 }, (_, value) =>
  Math.round(16 + (value * 219) / 255),
)
const VIDEO_COLOUR = Uint8Array.from({ length: 256 }, (_, value) =>
  Math.round(128 + ((value - 128) * 224) / 255),
)

/** How a decoder laid out red, green and blue of each pixel, one of four bytes each. */
export interface RgbLayout {
  readonly format: 'RGBA' | 'RGBX' | 'BGRA' | 'BGRX'
  readonly planes: readonly { readonly offset: number; readonly stride: number }[]
}

/** Shares of red and of blue in the brightness. */
const LUMA = { bt709: [0.2126, 0.0722], bt601: [0.299, 0.114] } as const

/**
 * Makes planes of pixels again. Firefox gives no others, made of the stored planes by `matrix`: the
 * same way back gives these planes, but for rounding.
 */
export function planesOfPixels(
  bytes: Uint8Array,
  { format, planes: [pixels] }: RgbLayout,
  matrix: Matrix,
  into: Planes,
): void {
  if (pixels === undefined) throw new TypeError('a picture without pixels')
  const [redAt, blueAt] = format.startsWith('R') ? ([0, 2] as const) : ([2, 0] as const)
  const [redShare, blueShare] = LUMA[matrix]
  const greenShare = 1 - redShare - blueShare
  const { width, height } = into
  const { offset, stride } = pixels
  const [luma, first, second] = planesOf(into)
  // No array or object for each pixel: full HD has two million of them.
  const valueAt = (at: number): number => bytes[at] ?? 0
  const bright = (at: number): number =>
    redShare * valueAt(at + redAt) + greenShare * valueAt(at + 1) + blueShare * valueAt(at + blueAt)
  const fourOf = (at: number): number =>
    valueAt(at) + valueAt(at + 4) + valueAt(at + stride) + valueAt(at + stride + 4)
  const inVideo = (brightness: number): number => Math.round(16 + (219 / 255) * brightness)
  const ofColour = (four: number, share: number): number =>
    Math.round(128 + ((224 / 255) * four) / 8 / (1 - share))
  for (let row = 0; row < height; row += 2) {
    for (let column = 0; column < width; column += 2) {
      const at = offset + row * stride + 4 * column
      const above = row * width + column
      const below = above + width
      const one = bright(at)
      const two = bright(at + 4)
      const three = bright(at + stride)
      const four = bright(at + stride + 4)
      luma.bytes[above] = inVideo(one)
      luma.bytes[above + 1] = inVideo(two)
      luma.bytes[below] = inVideo(three)
      luma.bytes[below + 1] = inVideo(four)
      const all = one + two + three + four
      const place = (row / 2) * first.width + column / 2
      first.bytes[place] = ofColour(fourOf(at + blueAt) - all, blueShare)
      second.bytes[place] = ofColour(fourOf(at + redAt) - all, redShare)
    }
  }
}
