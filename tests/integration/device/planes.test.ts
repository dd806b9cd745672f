import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { crossFadeInto, darkenInto, shareBeforeBlack } from '#workers/media/render/blend.ts'
import {
  emptyPlanes,
  packPlanes,
  planesOf,
  toVideoRange,
  turned,
  type Planes,
} from '#workers/media/render/planes.ts'
import { createScaler } from '#workers/media/render/scale.ts'

const SIZE = { width: 96, height: 64 }
const PAL = { text: '25', value: 25 }

/** Some pictures as ffmpeg makes them. */
function pictures(filters: string, size = SIZE, count = 1): readonly Planes[] {
  const source = `testsrc2=s=${SIZE.width}x${SIZE.height}:r=25:d=2,format=yuv420p,noise=alls=9:all_seed=1,format=yuv420p`
  const args = ['-v', 'error', '-f', 'lavfi', '-i', `${source}${filters}`]
  const output = ['-frames:v', String(count), '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-']
  const bytes = execFileSync('ffmpeg', [...args, ...output])
  const length = (size.width * size.height * 3) / 2
  return Array.from({ length: count }, (_, at) => ({
    ...size,
    bytes: Uint8Array.from(bytes.subarray(at * length, (at + 1) * length)),
  }))
}

function farthest(a: Planes | undefined, b: Planes | undefined): number {
  if (a === undefined || a.bytes.length !== b?.bytes.length) return Infinity
  return a.bytes.reduce(
    (most, value, at) => Math.max(most, Math.abs(value - (b.bytes[at] ?? 0))),
    0,
  )
}

it('NOW-05 fades one picture into another, brightness and colours alike', () => {
  const [from, to, made] = [emptyPlanes(SIZE), emptyPlanes(SIZE), emptyPlanes(SIZE)]
  from.bytes.fill(200)
  to.bytes.fill(101)
  const faded = [1, 0.75, 0.5, 0].map((share) => {
    crossFadeInto(from, to, share, made)
    return [...new Set(made.bytes)]
  })
  expect(faded).toEqual([[200], [175], [151], [101]])
})

it('NOW-05 fades to black as ffmpeg does, by whole pictures', () => {
  // 49.5 pictures to 62.
  const [plain, faded] = [
    pictures('', SIZE, 50),
    pictures(',trim=end_frame=50,fade=t=out:st=1.500:d=0.500', SIZE, 50),
  ]
  const made = emptyPlanes(SIZE)
  for (const at of [36, 37, 38, 43, 49]) {
    const picture = plain[at]
    if (picture === undefined) throw new Error('too few pictures')
    darkenInto(picture, shareBeforeBlack(at, 50, 500, PAL), made)
    expect(farthest(made, faded[at]), String(at)).toBeLessThanOrEqual(1)
  }
})

it.each([
  [{ width: 48, height: 32 }, 'smaller'],
  [{ width: 70, height: 46 }, 'by an odd factor'],
])('NOW-05 brings a picture to %j (%s) as ffmpeg does', (size) => {
  const [plain] = pictures('')
  const [scaled] = pictures(`,scale=${size.width}:${size.height}:flags=bicubic`, size)
  if (plain === undefined) throw new Error('no picture')
  const made = createScaler(SIZE, { whole: size, part: size, left: 0, top: 0 })(plain)
  expect(farthest(made, scaled)).toBeLessThanOrEqual(3)
})

it('NOW-05 cuts a part out of a picture, scaled or not', () => {
  const [plain] = pictures('')
  if (plain === undefined) throw new Error('no picture')
  const part = { width: 32, height: 40 }
  const cut = createScaler(SIZE, { whole: SIZE, part, left: 22, top: 8 })(plain)
  expect(farthest(cut, pictures(',crop=32:40:22:8', part)[0])).toBe(0)
  const whole = { width: 72, height: 48 }
  const both = createScaler(SIZE, { whole, part, left: 22, top: 8 })(plain)
  const filters = ',scale=72:48:flags=bicubic,crop=32:40:22:8'
  expect(farthest(both, pictures(filters, part)[0])).toBeLessThanOrEqual(3)
})

it.each([
  [90, ',transpose=clock'],
  [180, ',hflip,vflip'],
  [270, ',transpose=cclock'],
] as const)('turns a picture by %i degrees', (turn, filters) => {
  const [plain] = pictures('')
  const size = turn === 180 ? SIZE : { width: SIZE.height, height: SIZE.width }
  if (plain === undefined) throw new Error('no picture')
  const made = turned(plain, turn)
  expect(made).toMatchObject(size)
  expect(farthest(made, pictures(filters, size)[0])).toBe(0)
})

it('reads what decoders lay out, with gaps and with both colours by turns', () => {
  const [plain] = pictures('')
  if (plain === undefined) throw new Error('no picture')
  const stride = SIZE.width + 10
  const laid = new Uint8Array(stride * SIZE.height * 2)
  const [luma, first, second] = planesOf(plain)
  const colourAt = stride * SIZE.height
  for (let y = 0; y < SIZE.height; y += 1)
    laid.set(luma.bytes.subarray(y * SIZE.width, (y + 1) * SIZE.width), y * stride)
  for (let y = 0; y < first.height; y += 1)
    for (let x = 0; x < first.width; x += 1) {
      laid[colourAt + y * stride + 2 * x] = first.bytes[y * first.width + x] ?? 0
      laid[colourAt + y * stride + 2 * x + 1] = second.bytes[y * first.width + x] ?? 0
    }
  const packed = emptyPlanes(SIZE)
  const planes = [
    { offset: 0, stride },
    { offset: colourAt, stride },
  ]
  packPlanes(laid, { format: 'NV12', planes }, packed)
  expect(farthest(packed, plain)).toBe(0)
})

it('brings all 256 steps to the range of video', () => {
  const planes = emptyPlanes({ width: 2, height: 2 })
  planes.bytes.set([0, 255, 128, 64, 0, 255])
  toVideoRange(planes)
  expect([...planes.bytes]).toEqual([16, 235, 126, 71, 16, 240])
})
