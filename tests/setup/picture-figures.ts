import { BITS, OF_WHICH_ONE_IS_LEFT_OUT, PATCHES } from './picture-sources.ts'
import { rawPictures } from './raw-pictures.ts'
import { runTool } from './run-tool.ts'

/** The share of pictures, 0 to 1, that show two fields of different times at once. */
export async function combedShare(path: string): Promise<number> {
  const { stderr } = await runTool('ffmpeg', [
    '-nostats',
    '-i',
    path,
    '-vf',
    'idet',
    '-an',
    '-f',
    'null',
    '-',
  ])
  const counts = /Multi frame detection: TFF:\s*(\d+) BFF:\s*(\d+) Progressive:\s*(\d+)/.exec(
    stderr,
  )
  const [first = NaN, second = NaN, whole = NaN] = (counts ?? []).slice(1).map(Number)
  return (first + second) / (first + second + whole)
}

/** A row must differ by as much from both beside it, and by as much of the points of a picture. */
const COMB = { step: 30, share: 0.01 } as const

/**
 * How many pictures of a video, a GIF or a still show two fields of different times at once, each
 * judged by itself.
 */
export async function combedPictures(
  path: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<{ readonly combed: number; readonly pictures: number }> {
  const all = await rawPictures(path, `scale=${width}:${height},format=gray`)
  const size = width * height
  const pictures = Math.floor(all.length / size)
  // Of tens of millions of points: an array for each would cost more than all of ffmpeg.
  const isCombed = (picture: Buffer): boolean => {
    let points = 0
    for (let at = width; at < size - width; at += 1) {
      const own = picture[at] ?? 0
      const fromAbove = (picture[at - width] ?? 0) - own
      const fromBelow = (picture[at + width] ?? 0) - own
      if (Math.min(fromAbove, fromBelow) > COMB.step || Math.max(fromAbove, fromBelow) < -COMB.step)
        points += 1
    }
    return points > size * COMB.share
  }
  const combed = Array.from({ length: pictures }, (_, at) =>
    isCombed(all.subarray(at * size, (at + 1) * size)),
  ).filter(Boolean).length
  return { combed, pictures }
}

/** Of an edit of the uneven source, shares of 0 to 1 of the steps from picture to picture. */
export interface Rhythm {
  readonly skipped: number
  /** Shown twice where the source has no gap. */
  readonly repeated: number
}

/** How the pictures of an edit of the uneven source go on within its passages. */
export async function rhythmOf(path: string): Promise<Rhythm> {
  const shown = await numbersIn(path)
  const steps = shown.slice(1).map((number, index) => ({ from: shown[index] ?? 0, to: number }))
  // Within a passage the picture stays or goes on by what lies between two pictures.
  const within = steps.filter(({ from, to }) => to >= from && to - from <= 4)
  const skipped = within.filter(({ from, to }) => to > (isLeftOut(from + 1) ? from + 2 : from + 1))
  const repeated = within.filter(({ from, to }) => to === from && !isLeftOut(from + 1))
  return {
    skipped: skipped.length / within.length,
    repeated: repeated.length / within.length,
  }
}

function isLeftOut(number: number): boolean {
  return number % OF_WHICH_ONE_IS_LEFT_OUT === OF_WHICH_ONE_IS_LEFT_OUT - 1
}

/** The number that each picture carries; NaN of one that fades into another. */
async function numbersIn(path: string): Promise<readonly number[]> {
  const pixels = await rawPictures(path, `scale=${BITS}:1:flags=area,format=gray`)
  return Array.from({ length: Math.floor(pixels.length / BITS) }, (_, picture) => {
    const bits = [...pixels.subarray(picture * BITS, (picture + 1) * BITS)]
    if (bits.some((value) => value > 55 && value < 195)) return NaN
    return bits.reduce((sum, value, bit) => sum + (value > 125 ? 2 ** bit : 0), 0)
  })
}

/** How an edit of an HDR source shows white, of 255, and the largest error of skin, 0 to 1. */
export async function whiteOf(
  path: string,
): Promise<{ readonly white: number; readonly skinError: number }> {
  const [white = NaN, skinError = NaN] = await patchesOf(path, (shown, meant) =>
    meant[0] === 255
      ? Math.min(...shown)
      : Math.max(...shown.map((value, part) => Math.abs(value / (meant[part] ?? 1) - 1))),
  )
  return { white, skinError }
}

/** The largest error of a patch of an edit, of 255. */
export async function colourError(path: string): Promise<number> {
  const errors = await patchesOf(path, (shown, meant) =>
    Math.max(...shown.map((value, part) => Math.abs(value - (meant[part] ?? 0)))),
  )
  return Math.max(...errors)
}

/** What `judge` says of each patch as a player shows it: its middle in the first picture. */
async function patchesOf(
  path: string,
  judge: (shown: readonly number[], meant: readonly number[]) => number,
): Promise<readonly number[]> {
  const width = PATCHES.length * 8
  // Players take what does not say its matrix by its size, as this does.
  const pixels = await rawPictures(path, `scale=${width}:8:flags=area,format=rgb24`, { count: 1 })
  return PATCHES.map((meant, index) => {
    const at = (4 * width + index * 8 + 4) * 3
    return judge([...pixels.subarray(at, at + 3)], meant)
  })
}
