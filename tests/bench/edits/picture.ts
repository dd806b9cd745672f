/** Whether the picture of an edit is that of its source, whatever camera made it. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { leastContrast, likenessBeside } from '#tests/setup/watermark-figures.ts'
import type { Figure } from './figure.ts'
import {
  BITS,
  hdr,
  interlaced,
  oddMatrix,
  OF_WHICH_ONE_IS_LEFT_OUT,
  PATCHES,
  grainy,
  ground,
  plain,
  uneven,
} from './picture-sources.ts'
import { renderEdit, serverFfmpeg } from './render-edit.ts'

const run = promisify(execFile)
const TEXT = { text: '@name' }
const CUT = { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] }

/** The section `picture` of `npm run bench -- edits`. */
export async function* picture(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  yield* fields(ffmpeg)
  yield* rhythm(ffmpeg)
  yield* whites(ffmpeg)
  yield* matrices(ffmpeg)
  yield* names(ffmpeg)
  yield* watermark(ffmpeg)
}

async function* fields(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const source = await interlaced()
  for (const [slug, payload] of [
    ['teaser-15s', undefined],
    ['dynamic-watermark', TEXT],
  ] as const) {
    const edit = await renderEdit(ffmpeg, slug, payload, source)
    const { stderr } = await run('ffmpeg', [
      '-nostats',
      '-i',
      edit.file(`${slug}.mp4`),
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
    const value = (first + second) / (first + second + whole)
    yield {
      edit: slug,
      of: 'combed pictures, PAL source',
      value,
      unit: '',
      bound: { atMost: 0.01 },
    }
  }
}

async function* rhythm(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const source = await uneven()
  for (const [slug, payload] of [
    ['teaser-15s', undefined],
    ['tube-cut', CUT],
  ] as const) {
    const edit = await renderEdit(ffmpeg, slug, payload, source)
    const shown = await numbersIn(edit.file(`${slug}.mp4`))
    const steps = shown.slice(1).map((number, index) => ({ from: shown[index] ?? 0, to: number }))
    // Within a passage the picture stays or goes on by what lies between two pictures.
    const within = steps.filter(({ from, to }) => to >= from && to - from <= 4)
    const skipped = within.filter(
      ({ from, to }) => to > (isLeftOut(from + 1) ? from + 2 : from + 1),
    )
    const stays = within.filter(({ from, to }) => to === from && !isLeftOut(from + 1))
    for (const [of, found] of [
      ['pictures skipped, 30 a second with gaps', skipped],
      ['pictures repeated without a gap in the source', stays],
    ] as const)
      yield {
        edit: slug,
        of,
        value: found.length / within.length,
        unit: '',
        bound: { atMost: 0.01 },
      }
  }
}

function isLeftOut(number: number): boolean {
  return number % OF_WHICH_ONE_IS_LEFT_OUT === OF_WHICH_ONE_IS_LEFT_OUT - 1
}

/** The number that each picture carries; NaN of one that fades into another. */
async function numbersIn(path: string): Promise<readonly number[]> {
  const pixels = await rawPixels(path, `scale=${BITS}:1:flags=area,format=gray`)
  return Array.from({ length: Math.floor(pixels.length / BITS) }, (_, picture) => {
    const bits = [...pixels.subarray(picture * BITS, (picture + 1) * BITS)]
    if (bits.some((value) => value > 55 && value < 195)) return NaN
    return bits.reduce((sum, value, bit) => sum + (value > 125 ? 2 ** bit : 0), 0)
  })
}

async function* whites(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  for (const curve of ['pq', 'hlg'] as const) {
    const edit = await renderEdit(ffmpeg, 'teaser-15s', undefined, await hdr(curve))
    const [white = NaN, skin = NaN] = await patchesOf(
      edit.file('teaser-15s.mp4'),
      (shown, meant) =>
        meant[0] === 255
          ? Math.min(...shown)
          : Math.max(...shown.map((value, part) => Math.abs(value / (meant[part] ?? 1) - 1))),
    )
    const of = `of ${curve.toUpperCase()}, white of 203 nits`
    yield { edit: 'teaser-15s', of, value: white, unit: 'of 255', bound: { atLeast: 235 } }
    yield {
      edit: 'teaser-15s',
      of: `error of skin of ${curve.toUpperCase()}`,
      value: skin,
      unit: '',
      bound: { atMost: 0.1 },
    }
  }
}

async function* matrices(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  for (const [size, tag] of [
    ['1280x720', 'BT.601'],
    ['640x360', 'BT.709'],
  ] as const)
    for (const [slug, name, most] of [
      ['teaser-15s', 'teaser-15s.mp4', 6],
      ['still-pack', 'still-01.jpg', 6],
      ['social-media-gif-pack', 'gif-wide.gif', 12],
      ['social-media-gif-pack', 'loop.mp4', 6],
    ] as const) {
      const edit = await renderEdit(ffmpeg, slug, undefined, await oddMatrix(size))
      const errors = await patchesOf(edit.file(name), (shown, meant) =>
        Math.max(...shown.map((value, part) => Math.abs(value - (meant[part] ?? 0)))),
      )
      const value = Math.max(...errors)
      yield {
        edit: slug,
        of: `largest error of a colour, ${name} of ${size} in ${tag}`,
        value,
        unit: 'of 255',
        bound: { atMost: most },
      }
    }
}

/** What `judge` says of each patch as a player shows it: its middle in the first picture. */
async function patchesOf(
  path: string,
  judge: (shown: readonly number[], meant: readonly number[]) => number,
): Promise<readonly number[]> {
  const width = PATCHES.length * 8
  // Players take what does not say its matrix by its size, as this does.
  const pixels = await rawPixels(path, `scale=${width}:8:flags=area,format=rgb24`, 1)
  return PATCHES.map((meant, index) => {
    const at = (4 * width + index * 8 + 4) * 3
    return judge([...pixels.subarray(at, at + 3)], meant)
  })
}

async function rawPixels(path: string, filter: string, pictures?: number): Promise<Buffer> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      path,
      '-an',
      '-vf',
      filter,
      ...(pictures === undefined ? [] : ['-frames:v', String(pictures)]),
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      '-',
    ],
    { encoding: 'buffer', maxBuffer: 1 << 30 },
  )
  return stdout
}

async function* names(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const source = await plain('640x360', 40)
  for (const [slug, payload] of [
    ['teaser-15s', undefined],
    ['tube-cut', CUT],
    ['dynamic-watermark', TEXT],
    ['voice-mask-full-scene', undefined],
    ['social-media-gif-pack', undefined],
    ['still-pack', undefined],
  ] as const) {
    const edit = await renderEdit(ffmpeg, slug, payload, source)
    const files = await Promise.all(
      edit.plan.outputs.map(({ name }) => readFile(join(edit.folder, name), 'latin1')),
    )
    const value = files.filter((bytes) => /x264|lavc|lavf|ffmpeg/i.test(bytes)).length
    yield { edit: slug, of: 'files that name their encoder', value, unit: '', bound: { atMost: 0 } }
  }
}

async function* watermark(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const edit = 'dynamic-watermark'
  const source = await grainy()
  const marked = (await renderEdit(ffmpeg, edit, TEXT, source)).file('dynamic-watermark.mp4')
  yield {
    edit,
    of: 'SSIM beside the text, 720p with grain',
    value: await likenessBeside(marked, source),
    unit: '',
    bound: { atLeast: 0.98 },
  }
  for (const color of ['black', 'gray', 'white'])
    for (const size of ['320x180', '1280x720']) {
      const made = await renderEdit(ffmpeg, edit, TEXT, await ground(color, size))
      yield {
        edit,
        of: `least contrast of the text on ${color}, ${size}`,
        value: await leastContrast(made.file('dynamic-watermark.mp4')),
        unit: 'to 1',
        bound: { atLeast: 3 },
      }
    }
}
