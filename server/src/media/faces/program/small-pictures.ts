/**
 * A program of its own, confined as the search for faces is. It looks once, upright, for faces in
 * small pictures, with left and right exchanged in every second one: of faces in profile or turned
 * to a side, the network sees some in one way only.
 * `small-pictures --width 256 --height 144 --wide 384 --high 216` enlarges raw pictures of 4:2:0 in
 * pictures.yuv to the shape that the source has. Its folder holds those, the weights and
 * TensorFlow.js; it writes faces.json. It opens nothing else.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { takeTensors } from './library.ts'
import { makeFaceNetwork } from './network.ts'
import { shareInside } from './rectangle.ts'
import type { Picture } from './turns.ts'

/** Below this score the network sees faces in curtains. */
const LEAST_SCORE = 0.3
/**
 * So many pixels beside each edge repeat what is inside of it, as a mirror does: a face that the
 * edge cuts becomes one that the network knows. Of 56 faces of which a fifth to three fifths were
 * to be seen, it found 43 with twice as many pixels, and 18 without (docs/bench-log/moments.md).
 */
const MARGIN = 16
/** A box with less of it in the picture is the mirrored copy of a face. */
const LEAST_INSIDE = 0.3

const { values } = parseArgs({
  options: {
    width: { type: 'string' },
    height: { type: 'string' },
    wide: { type: 'string' },
    high: { type: 'string' },
  },
})
const small = { width: Number(values.width), height: Number(values.height) }
const large = { width: Number(values.wide), height: Number(values.high) }
const bytesEach = (small.width * small.height * 3) / 2
const pictures = readFileSync('pictures.yuv')
const network = makeFaceNetwork(
  await takeTensors(),
  readFileSync('weights.json', 'utf8'),
  readFileSync('weights.bin'),
)
const faces = Array.from({ length: Math.floor(pictures.length / bytesEach) }, (_, index) => {
  const isMirrored = index % 2 === 1
  const bytes = pictures.subarray(index * bytesEach, (index + 1) * bytesEach)
  const picture = withMargin(enlarged(bytes, isMirrored))
  return network
    .detect(picture, LEAST_SCORE)
    .map((face) => ({ ...face, x: face.x - MARGIN, y: face.y - MARGIN }))
    .filter((face) => shareInside(face, { x: 0, y: 0, ...large }) >= LEAST_INSIDE)
    .map(({ x, y, width, height }) => [
      asShare((isMirrored ? large.width - x - width : x) / large.width),
      asShare(y / large.height),
      asShare((isMirrored ? large.width - x : x + width) / large.width),
      asShare((y + height) / large.height),
    ])
})
writeFileSync('faces.json', JSON.stringify(faces))

function asShare(value: number): number {
  return Number(Math.min(1, Math.max(0, value)).toFixed(4))
}

/** The colours of video, between pixels evenly mixed. */
function enlarged(yuv: Uint8Array, isMirrored: boolean): Picture {
  const { width, height } = large
  const rgb = new Uint8Array(width * height * 3)
  const half = { width: small.width / 2, height: small.height / 2 }
  const luma = yuv.subarray(0, small.width * small.height)
  const blue = yuv.subarray(luma.length, luma.length * 1.25)
  const red = yuv.subarray(luma.length * 1.25)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [right, down] = [(x + 0.5) / width, (y + 0.5) / height]
      const light = 1.164 * (mixed(luma, small, right, down) - 16)
      const b = mixed(blue, half, right, down) - 128
      const r = mixed(red, half, right, down) - 128
      const to = (y * width + (isMirrored ? width - 1 - x : x)) * 3
      rgb[to] = asByte(light + 1.793 * r)
      rgb[to + 1] = asByte(light - 0.213 * b - 0.533 * r)
      rgb[to + 2] = asByte(light + 2.112 * b)
    }
  return { width, height, rgb }
}

function withMargin({ width, height, rgb }: Picture): Picture {
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN]
  const all = new Uint8Array(wide * high * 3)
  const inside = (at: number, length: number): number =>
    at < 0 ? -1 - at : at >= length ? 2 * length - 1 - at : at
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      const from = (inside(y - MARGIN, height) * width + inside(x - MARGIN, width)) * 3
      all.set(rgb.subarray(from, from + 3), (y * wide + x) * 3)
    }
  return { width: wide, height: high, rgb: all }
}

function asByte(value: number): number {
  return Math.min(255, Math.max(0, value))
}

/** The value at a place of a plane, by shares of its sides. */
function mixed(
  plane: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  right: number,
  down: number,
): number {
  const x = Math.min(width - 1, Math.max(0, right * width - 0.5))
  const y = Math.min(height - 1, Math.max(0, down * height - 0.5))
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [nextLeft, nextTop] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)]
  const at = (column: number, row: number): number => plane[row * width + column] ?? 0
  const above = at(left, top) * (left + 1 - x) + at(nextLeft, top) * (x - left)
  const below = at(left, nextTop) * (left + 1 - x) + at(nextLeft, nextTop) * (x - left)
  return above * (top + 1 - y) + below * (y - top)
}
