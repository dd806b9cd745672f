/**
 * A program of its own, which the server confines as it does ffmpeg. It looks for faces in one
 * stretch of a video: `search --width 576 --height 324 --large-width 960 --large-height 540`.
 * Its folder holds what ffmpeg wrote (small.rgb, large.rgb, times.txt, cuts.txt), the weights
 * (weights.json, weights.bin, second.tflite) and TensorFlow.js; it writes faces.json and, for each
 * picture, a line like `12/300`. It opens nothing else.
 */
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { GreyPicture } from './follow.ts'
import { takeTensors } from './library.ts'
import { makeFaceNetwork, type Detection } from './network.ts'
import { makeSecondNetwork } from './second-network.ts'
import { halved, turned, turnedBack, type Picture, type Turn } from './turns.ts'
import { linkVoted, SECOND_LEAST_SCORE, type TwiceLooked } from './vote.ts'

/**
 * How each of ten pictures, one second, is looked at; null = only followed. The first of a shot is
 * looked at upright whatever its turn, or a face that is there for some frames only is never seen.
 */
const LOOKS: readonly ('large' | Turn | null)[] = ['large', 1, null, 0, 3, 2, 0, 1, null, 3]
/**
 * How the second network looks, in pictures of half the size, which cost it an eighth of a look of
 * the first. It knows faces that lean as far as half a right angle.
 */
const SECOND_LOOKS: readonly Turn[] = [0, 1, 0, 3, 0, 2, 0, 1, 0, 3]
/** Below this score the network sees faces in curtains. */
const LEAST_SCORE = 0.25
/** A picture differs so much more from the one before than that from its own: ffmpeg's scdet. */
const CUT_SCORE = 7
/** Cuts so soon after another are a flash or a fast pan. */
const SHORTEST_SHOT_S = 0.3

const { values } = parseArgs({
  options: {
    width: { type: 'string' },
    height: { type: 'string' },
    'large-width': { type: 'string' },
    'large-height': { type: 'string' },
  },
})
const small = { width: Number(values.width), height: Number(values.height) }
const large = { width: Number(values['large-width']), height: Number(values['large-height']) }

const tensors = await takeTensors()
const network = makeFaceNetwork(
  tensors,
  readFileSync('weights.json', 'utf8'),
  readFileSync('weights.bin'),
)
const second = makeSecondNetwork(tensors, readFileSync('second.tflite'))
const times = timesOf(readFileSync('times.txt', 'utf8'))
const cuts = cutsOf(readFileSync('cuts.txt', 'utf8'))
writeFileSync('faces.json', JSON.stringify({ cuts, times, ...search() }))

function search(): object {
  const smallFile = openSync('small.rgb', 'r')
  const largeFile = openSync('large.rgb', 'r')
  const looked = times.map((_, at): TwiceLooked => {
    const picture = pictureAt(smallFile, small, at)
    const inCycle = LOOKS[at % LOOKS.length] ?? null
    const look = inCycle !== 'large' && isFirstOfShot(at) ? 0 : inCycle
    const faces =
      look === 'large'
        ? scaled(
            network.detect(pictureAt(largeFile, large, at / LOOKS.length), LEAST_SCORE),
            small.width / large.width,
          )
        : inTurn(picture, look)
    process.stdout.write(`${at + 1}/${times.length}\n`)
    return { picture: greyOf(picture), faces, seconds: secondsIn(picture, at) }
  })
  closeSync(smallFile)
  closeSync(largeFile)
  const paths = shotsOf(looked).flatMap(({ first, shot }) =>
    linkVoted(shot).map((path) => ({ ...path, first: path.first + first })),
  )
  return { paths: paths.map((path) => ({ ...path, boxes: path.boxes.map(asShares) })) }
}

function inTurn(picture: Picture, look: Turn | null): readonly Detection[] {
  if (look === null) return []
  const way = turned(picture, look)
  return network
    .detect(way, LEAST_SCORE)
    .map((face) => ({ ...turnedBack(face, way, look), score: face.score }))
}

/** What the second network sees: the first picture of a shot is looked at upright by it too. */
function secondsIn(picture: Picture, at: number): readonly Detection[] {
  const look = isFirstOfShot(at) ? 0 : (SECOND_LOOKS[at % SECOND_LOOKS.length] ?? 0)
  const half = halved(picture)
  const way = turned(half, look)
  const faces = second.detect(way, SECOND_LEAST_SCORE).map((face): Detection => {
    return { ...turnedBack(face, way, look), score: face.score }
  })
  return scaled(faces, small.width / half.width)
}

function scaled(faces: readonly Detection[], factor: number): readonly Detection[] {
  return faces.map(({ x, y, width, height, score }) => ({
    x: x * factor,
    y: y * factor,
    width: width * factor,
    height: height * factor,
    score,
  }))
}

function asShares(box: Pick<Detection, 'x' | 'y' | 'width' | 'height'>): readonly number[] {
  const clamp = (value: number): number => Math.min(1, Math.max(0, value))
  const [left, right] = [clamp(box.x / small.width), clamp((box.x + box.width) / small.width)]
  const [top, bottom] = [clamp(box.y / small.height), clamp((box.y + box.height) / small.height)]
  return [left, top, right - left, bottom - top].map((value) => Number(value.toFixed(5)))
}

/** The pictures from cut to cut. */
function shotsOf(looked: readonly TwiceLooked[]): { first: number; shot: TwiceLooked[] }[] {
  const shots: { first: number; shot: TwiceLooked[] }[] = []
  for (const [at, each] of looked.entries())
    if (isFirstOfShot(at)) shots.push({ first: at, shot: [each] })
    else shots.at(-1)?.shot.push(each)
  return shots
}

function isFirstOfShot(at: number): boolean {
  const [from, to] = [times[at - 1] ?? -Infinity, times[at] ?? 0]
  return at === 0 || cuts.some((cut) => cut > from && cut <= to)
}

function pictureAt(
  file: number,
  { width, height }: { readonly width: number; readonly height: number },
  index: number,
): Picture {
  const rgb = new Uint8Array(width * height * 3)
  readSync(file, rgb, 0, rgb.length, index * rgb.length)
  return { width, height, rgb }
}

function greyOf({ width, height, rgb }: Picture): GreyPicture {
  const grey = new Uint8Array(width * height)
  for (let index = 0; index < grey.length; index += 1) {
    const at = index * 3
    grey[index] = ((rgb[at] ?? 0) * 77 + (rgb[at + 1] ?? 0) * 150 + (rgb[at + 2] ?? 0) * 29) >> 8
  }
  return { width, height, grey }
}

/** Seconds of the pictures, from the beginning of the stretch. */
function timesOf(text: string): number[] {
  return [...text.matchAll(/pts_time:(\S+)/g)].map(([, time]) => Number(time))
}

function cutsOf(text: string): number[] {
  const scores = [
    ...text.matchAll(/pts_time:(\S+)\nlavfi\.scd\.mafd=\S+\nlavfi\.scd\.score=(\S+)/g),
  ]
  const cuts: number[] = []
  for (const [, time, score] of scores)
    if (Number(score) >= CUT_SCORE && Number(time) - (cuts.at(-1) ?? -1) >= SHORTEST_SHOT_S)
      cuts.push(Number(time))
  return cuts
}
