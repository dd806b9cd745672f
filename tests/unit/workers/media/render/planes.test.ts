import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPlaneReader } from '#workers/media/render/draw.ts'
import { emptyPlanes, planesOf, planesOfPixels, turned } from '#workers/media/render/planes.ts'
import type { Planes } from '#workers/media/render/planes.ts'
import { createScaler } from '#workers/media/render/scale.ts'

afterEach(() => vi.restoreAllMocks())

const SIZE = { width: 8, height: 4 }
/** Red and blue in the brightness, as the standards say (BT.601, BT.709). */
const SHARES = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722] } as const

/** A picture whose colours all exist, stored as video is. */
function stored() {
  const planes = emptyPlanes(SIZE)
  const [luma, first, second] = planesOf(planes)
  luma.bytes.forEach((_, at) => (luma.bytes[at] = 90 + 3 * at))
  first.bytes.forEach((_, at) => (first.bytes[at] = 118 + 3 * at))
  second.bytes.forEach((_, at) => (second.bytes[at] = 138 - 2 * at))
  return planes
}

/** What a browser makes of it, each colour for four pixels, between `gap` bytes of other things. */
function pixelsOf(matrix: keyof typeof SHARES, order: 'RGB' | 'BGR', gap: number) {
  const [redShare, blueShare] = SHARES[matrix]
  const [luma, first, second] = planesOf(stored())
  const stride = SIZE.width * 4 + gap
  const bytes = new Uint8Array(gap + stride * SIZE.height).fill(77)
  for (let y = 0; y < SIZE.height; y += 1)
    for (let x = 0; x < SIZE.width; x += 1) {
      const place = (y >> 1) * first.width + (x >> 1)
      const bright = ((luma.bytes[y * SIZE.width + x] ?? 0) - 16) / 219
      const [cb, cr] = [first, second].map(({ bytes: of }) => ((of[place] ?? 0) - 128) / 224)
      const red = bright + 2 * (1 - redShare) * (cr ?? 0)
      const blue = bright + 2 * (1 - blueShare) * (cb ?? 0)
      const green = (bright - redShare * red - blueShare * blue) / (1 - redShare - blueShare)
      const colours = order === 'RGB' ? [red, green, blue] : [blue, green, red]
      colours.forEach((value, at) => {
        bytes[gap + y * stride + 4 * x + at] = Math.round(255 * value)
      })
    }
  return { bytes, planes: [{ offset: gap, stride }] }
}

describe.each(['bt601', 'bt709'] as const)('pixels made by %s', (matrix) => {
  it.each([
    ['RGBX', 'RGB', 0],
    ['RGBA', 'RGB', 12],
    ['BGRX', 'BGR', 0],
    ['BGRA', 'BGR', 20],
  ] as const)('NOW-05 become the stored planes again: %s', (format, order, gap) => {
    const { bytes, planes } = pixelsOf(matrix, order, gap)
    const found = emptyPlanes(SIZE)
    planesOfPixels(bytes, { format, planes }, matrix, found)
    const wanted = stored().bytes
    for (const [at, value] of found.bytes.entries())
      expect(Math.abs(value - (wanted[at] ?? 0)), `at ${at}`).toBeLessThanOrEqual(1)
  })
})

/** Noise, edges and even places. */
function busy(size: { readonly width: number; readonly height: number }) {
  const planes = emptyPlanes(size)
  let noise = 1
  planes.bytes.forEach((_, at) => {
    noise = (noise * 1_103_515_245 + 12_345) % 2 ** 31
    const isNoisy = Math.floor(at / 512) % 3 === 0
    planes.bytes[at] = isNoisy ? noise >> 23 : at % size.width < size.width / 3 ? 0 : 255
  })
  return planes
}

it.each([
  [
    { width: 192, height: 108 },
    { width: 96, height: 54 },
  ],
  [
    { width: 192, height: 108 },
    { width: 128, height: 72 },
  ],
  [
    { width: 64, height: 36 },
    { width: 160, height: 90 },
  ],
  [
    { width: 322, height: 182 },
    { width: 34, height: 20 },
  ],
  [
    { width: 6, height: 4 },
    { width: 50, height: 46 },
  ],
])(
  'NOW-05 a browser that works on eight values at once scales %o to %o as one without',
  (from, whole) => {
    const place = { whole, part: { width: 16, height: 12 }, left: 10, top: 4 }
    const picture = busy(from)
    const byEights = createScaler(from, place)(picture).bytes
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
    const oneByOne = createScaler(from, place)(picture).bytes
    expect(new Set(oneByOne).size).toBeGreaterThan(20)
    for (const [at, value] of byEights.entries())
      expect(Math.abs(value - (oneByOne[at] ?? 0)), `at ${at}`).toBeLessThanOrEqual(1)
  },
)

/** A decoded picture of these planes. */
function frameOf({ width, height, bytes }: Planes): VideoFrame {
  const luma = width * height
  const planes = [
    { offset: 0, stride: width },
    { offset: luma, stride: width / 2 },
    { offset: luma * 1.25, stride: width / 2 },
  ]
  return {
    format: 'I420',
    visibleRect: { x: 0, y: 0, width, height },
    colorSpace: { fullRange: false },
    allocationSize: () => bytes.byteLength,
    copyTo: async (into: Uint8Array) => {
      into.set(bytes)
      return planes
    },
  } as unknown as VideoFrame
}

it.each([90, 180, 270] as const)(
  'NOW-05 a part of a picture that is turned by %i degrees is what it is of the turned picture',
  async (turn) => {
    const stored = busy({ width: 128, height: 72 })
    const upright = turned(stored, turn)
    const smaller = { width: upright.width / 2 + 4, height: upright.height / 2 + 8 }
    const size = { width: 24, height: 16 }
    for (const whole of [smaller, upright]) {
      const crop = { whole, part: size, left: 6, top: 10 }
      const read = createPlaneReader({ size, matrix: 'bt709', turn })
      const found = await read({ frame: frameOf(stored), crop })
      expect(found).toMatchObject(size)
      const wanted = createScaler(upright, crop)(upright).bytes
      for (const [at, value] of found.bytes.entries())
        expect(Math.abs(value - (wanted[at] ?? 0)), `at ${at}`).toBeLessThanOrEqual(2)
    }
  },
)
