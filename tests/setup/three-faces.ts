import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rawPictures } from './raw-pictures.ts'
import { ffmpeg } from './render-plan.ts'

/** Size of the video of `makeThreeFaces`. */
export const [WIDTH, HEIGHT] = [640, 360] as const
/** Left, top, width and height of something, in pixels of that video. */
export type Rectangle = readonly [number, number, number, number]
/** Where people's faces are in it. */
export const FACES: readonly [Rectangle, Rectangle, Rectangle] = [
  [196, 100, 71, 80],
  [350, 58, 80, 95],
  [489, 88, 73, 84],
]
/** A photograph of three people, of the package that has the weights of the search for faces. */
export const photographOfThree = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo/sample3.jpg',
)
/** A part without a face. */
export const GROUND: Rectangle = [20, 250, 100, 100]

/**
 * Makes a video of a photograph of three people.
 * @param more further arguments of ffmpeg: other inputs, and how they are encoded
 */
export async function makeThreeFaces(
  path: string,
  seconds: number,
  rate: number,
  more: readonly string[] = [],
): Promise<void> {
  const filter = `scale=${WIDTH}:450,crop=${WIDTH}:${HEIGHT}:0:16,format=yuv420p`
  const input = [
    '-loop',
    '1',
    '-framerate',
    String(rate),
    '-t',
    String(seconds),
    '-i',
    photographOfThree,
  ]
  const encoded = ['-vf', filter, '-c:v', 'libx264', '-preset', 'ultrafast']
  await ffmpeg([...input, ...more, ...encoded, path])
}

/** The brightness of each pixel at a time of a video. */
export const frameOf = (path: string, atS: number): Promise<Uint8Array> =>
  rawPictures(path, 'format=gray', { fromS: atS, count: 1 })

/** The mean difference of brightness in a rectangle of pictures of a width. */
export function difference(
  a: Uint8Array,
  b: Uint8Array,
  [x, y, width, height]: Rectangle,
  pictureWidth: number = WIDTH,
): number {
  let sum = 0
  for (let row = y; row < y + height; row += 1)
    for (let column = x; column < x + width; column += 1) {
      const at = row * pictureWidth + column
      sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0))
    }
  return sum / (width * height)
}
