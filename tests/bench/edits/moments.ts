/**
 * What the search for moments costs, and what the edits that use it show of videos whose content is
 * known. One file, because all figures are of one corpus that takes minutes to make.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tilePlaces, usualPassages } from '#recipes/picture-places.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, SourceProbe, TimelinePassage } from '#recipes/types.ts'
import { analyseMoments, recordMoments } from '#server/media/analyse.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeMomentPictures } from '#server/media/moment-pictures.ts'
import { joinMomentVideo } from '#server/media/moment-video.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { sharesOf, shownOfCorpus, timesShown } from '#tests/setup/corpus-figures.ts'
import { corpusVideo, sceneAt, twoHours, type CorpusOrder, type CorpusVideo } from './corpus.ts'
import type { Figure, Section } from './figure.ts'
import { probed, serverFfmpeg } from '#tests/setup/render-edit.ts'
import { HEIGHT, WIDTH } from './time-code.ts'

const run = promisify(execFile)
const never = new AbortController().signal

/** Where key frames lie decides what a search can look at for little. */
const sources: readonly CorpusOrder[] = [
  { name: 'ten-minutes', seconds: 600, seed: 11, encoding: [] },
  {
    name: 'ten-minutes-rare-keys',
    seconds: 600,
    seed: 12,
    encoding: ['-g', '300', '-keyint_min', '300', '-sc_threshold', '0'],
  },
  { name: 'forty-minutes', seconds: 2400, seed: 13, encoding: [] },
]

/** What the search for moments costs, and what the edits that use it show. */
export const moments: Section = async function* () {
  // Without confinement: the processor time of confined tools is not counted for this process.
  const confinement = { kind: 'none', uid: null, nice: null } as const
  const ffmpeg = { ...(await serverFfmpeg()), confinement }
  for (const order of sources) {
    const video = await corpusVideo(order)
    const source = await probed(ffmpeg, video.plain)
    const { found, cpuS } = await search(ffmpeg, video.plain, source)
    yield {
      edit: 'all',
      of: `${order.name}: processor time of the search`,
      value: cpuS,
      unit: 's',
      bound: { atMost: 240 },
    }
    yield* shownBy('teaser-15s', {}, order, video, source, found)
    yield* shownBy('teaser-60s', {}, order, video, source, found)
    yield* shownBy('social-media-gif-pack', {}, order, video, source, found)
    yield* tubeCut(order, video, source, found)
    yield* stills(order, video, source, found)
    if (order.name !== 'forty-minutes') yield* rendered(ffmpeg, order, video, source, found)
  }
  yield* twoHoursOf1080p(ffmpeg)
}

/** What a search ahead of an edit and everything that it makes for the moment board cost. */
async function* twoHoursOf1080p(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const [first] = sources
  if (first === undefined) return
  const path = await twoHours(await corpusVideo(first))
  const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-board-'))
  try {
    const source = await probed(ffmpeg, path)
    const places = { source: path, folder, assetPaths: new Map<string, string>() }
    const { cpuS } = await search(ffmpeg, path, source)
    const begun = await cpuSeconds()
    let found: readonly Moment[] = []
    let passages: readonly TimelinePassage[] = []
    let searched = 0
    const pieces = await recordMoments(ffmpeg, source, places, never, async (moments) => {
      searched = (await cpuSeconds()) - begun
      found = moments
      passages = await usualPassages(source, moments, async () => {})
      return passages
    })
    const { video, path: joined } = await joinMomentVideo(ffmpeg, pieces, places, never)
    const recorded = (await cpuSeconds()) - begun
    const placesMs = tilePlaces(source, found, passages)
    await makeMomentPictures(ffmpeg, { source, placesMs, places, signal: never })
    const all = (await cpuSeconds()) - begun
    const shown = video.stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
    const of = (what: string): string => `two hours of 1080p: ${what}`
    const figures = [
      ['processor time of the search', cpuS, 's', 240],
      ['the same with what it sees in motion', searched, 's', 240],
      ['and with what edits show by themselves', recorded, 's', 240],
      ['and with the pictures of the board', all, 's', 240],
      ['length of the video', shown / 1000, 's', null],
      ['size of the video', joined === null ? 0 : (await stat(joined)).size / 1e6, 'MB', 40],
    ] as const
    for (const [what, value, unit, atMost] of figures)
      yield {
        edit: 'all',
        of: of(what),
        value,
        unit,
        ...(atMost === null ? {} : { bound: { atMost } }),
      }
  } finally {
    await rm(path)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Searches as the server does, and counts the processor time of ffmpeg and of this process. */
async function search(
  ffmpeg: Ffmpeg,
  path: string,
  source: SourceProbe,
): Promise<{ readonly found: readonly Moment[]; readonly cpuS: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-moments-'))
  try {
    const before = await cpuSeconds()
    const places = { source: path, folder, assetPaths: new Map<string, string>() }
    const found = await analyseMoments(ffmpeg, source, places, never, () => undefined)
    return { found, cpuS: (await cpuSeconds()) - before }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of this process and of those that it has started and that have ended. */
async function cpuSeconds(): Promise<number> {
  const words = (await readFile('/proc/self/stat', 'utf8')).split(') ')[1]?.split(' ') ?? []
  return words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

async function* shownBy(
  slug: string,
  payload: unknown,
  order: CorpusOrder,
  video: CorpusVideo,
  source: SourceProbe,
  found: readonly Moment[],
): AsyncIterable<Figure> {
  const passages = passagesOf(slug, payload, source, found)
  const shares = sharesOf(
    video,
    passages.flatMap(({ startMs, endMs }) => timesIn(startMs, endMs)),
  )
  const name = (what: string): string => `${order.name}: ${what}`
  yield { edit: slug, of: name('lively'), value: shares.lively, unit: '', bound: { atLeast: 0.9 } }
  yield {
    edit: slug,
    of: name('black or title'),
    value: shares.bare,
    unit: '',
    bound: { atMost: 0 },
  }
  const crossing = passages.filter(({ startMs, endMs }) =>
    video.scenes.some((scene) => scene.startMs > startMs + 20 && scene.startMs < endMs - 60),
  )
  yield {
    edit: slug,
    of: name(`passages of ${passages.length} across a cut`),
    value: crossing.length,
    unit: '',
    bound: { atMost: 0 },
  }
  const looks = new Set(passages.map(({ startMs }) => sceneAt(video, startMs + 500).look))
  yield { edit: slug, of: name('places shown'), value: looks.size, unit: '' }
}

async function* tubeCut(
  order: CorpusOrder,
  video: CorpusVideo,
  source: SourceProbe,
  found: readonly Moment[],
): AsyncIterable<Figure> {
  const payload = {
    targetDuration: 120_000,
    introMediaAssetIds: [],
    outroMediaAssetIds: [],
  }
  const passages = passagesOf('tube-cut', payload, source, found)
  const shown = sharesOf(
    video,
    passages.flatMap(({ startMs, endMs }) => timesIn(startMs, endMs)),
  )
  const whole = sharesOf(video, timesIn(0, video.durationMs))
  const name = (what: string): string => `${order.name}: ${what}`
  yield { edit: 'tube-cut', of: name('lively'), value: shown.lively, unit: '' }
  yield {
    edit: 'tube-cut',
    of: name('lively, of what the source has'),
    value: shown.lively / whole.lively,
    unit: '',
    bound: { atLeast: 1.5 },
  }
  yield {
    edit: 'tube-cut',
    of: name('black or title'),
    value: shown.bare,
    unit: '',
    bound: { atMost: 0.02 },
  }
}

async function* stills(
  order: CorpusOrder,
  video: CorpusVideo,
  source: SourceProbe,
  found: readonly Moment[],
): AsyncIterable<Figure> {
  const times = passagesOf('still-pack', {}, source, found).map(({ startMs }) => startMs)
  const kinds = times.map((atMs) => sceneAt(video, atMs).kind)
  const name = (what: string): string => `${order.name}: ${what}`
  const count = (...bad: readonly string[]): number =>
    kinds.filter((kind) => bad.includes(kind)).length
  yield {
    edit: 'still-pack',
    of: name('stills'),
    value: times.length,
    unit: '',
    bound: { atLeast: 12 },
  }
  yield {
    edit: 'still-pack',
    of: name('black or title'),
    value: count('black', 'title'),
    unit: '',
    bound: { atMost: 0 },
  }
  yield {
    edit: 'still-pack',
    of: name('soft or dark'),
    value: count('blurred', 'dim'),
    unit: '',
    bound: { atMost: 0 },
  }
  const pictures = await Promise.all(times.map((atMs) => pictureAt(video.plain, atMs)))
  const distances = pictures.flatMap((a, index) =>
    pictures.slice(index + 1).map((b) => distance(a, b)),
  )
  yield {
    edit: 'still-pack',
    of: name('nearest two, mean difference of brightness'),
    value: Math.min(...distances),
    unit: 'of 255',
    bound: { atLeast: 6 },
  }
}

/** The teaser itself, told by the bar codes of its frames. */
async function* rendered(
  ffmpeg: Ffmpeg,
  order: CorpusOrder,
  video: CorpusVideo,
  source: SourceProbe,
  found: readonly Moment[],
): AsyncIterable<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-teaser-'))
  try {
    const plan = findRecipe('teaser-15s')?.plan(
      source,
      {},
      {
        moments: found,
        assets: [],
        secret: SECRET,
      },
    )
    if (plan?.ok !== true) throw new Error('no plan')
    const places = { source: video.coded, folder, assetPaths: new Map<string, string>() }
    const done = await renderPlan(
      ffmpeg,
      plan.value,
      { source, assets: [] },
      places,
      never,
      () => undefined,
    )
    if (!done.ok) throw new Error(done.error.detail)
    const shown = await shownOfCorpus(join(folder, 'teaser-15s.mp4'))
    const shares = sharesOf(video, timesShown(shown))
    const name = (what: string): string => `${order.name}, rendered: ${what}`
    yield {
      edit: 'teaser-15s',
      of: name('frames'),
      value: shown.frames.length,
      unit: '',
      bound: { atLeast: 375 },
    }
    yield {
      edit: 'teaser-15s',
      of: name('lively'),
      value: shares.lively,
      unit: '',
      bound: { atLeast: 0.9 },
    }
    yield {
      edit: 'teaser-15s',
      of: name('black or title'),
      value: shares.bare,
      unit: '',
      bound: { atMost: 0 },
    }
    yield {
      edit: 'teaser-15s',
      of: name('brightness of the first frame'),
      value: shown.firstBrightness,
      unit: 'of 255',
      bound: { atLeast: 40 },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function passagesOf(
  slug: string,
  payload: unknown,
  source: SourceProbe,
  found: readonly Moment[],
): readonly { readonly startMs: number; readonly endMs: number }[] {
  const passages = findRecipe(slug)?.timeline?.(source, payload, { moments: found })
  if (passages?.ok !== true) throw new Error(`${slug} has no timeline`)
  return passages.value
}

function timesIn(startMs: number, endMs: number): readonly number[] {
  return Array.from({ length: Math.floor((endMs - startMs) / 40) }, (_, at) => startMs + at * 40)
}

async function pictureAt(path: string, atMs: number): Promise<Uint8Array> {
  const [picture] = split(
    await raw(['-ss', (atMs / 1000).toFixed(3), '-i', path, '-frames:v', '1']),
  )
  if (picture === undefined) throw new Error(`no picture at ${atMs} ms`)
  return picture
}

async function raw(input: readonly string[]): Promise<Buffer> {
  const { stdout } = await run(
    'ffmpeg',
    ['-nostdin', '-v', 'error', ...input, '-an', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 30 },
  )
  return stdout
}

function split(bytes: Buffer): readonly Uint8Array[] {
  const size = WIDTH * HEIGHT
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

/** Mean difference of brightness in 20 by 20 pixels each, so that grain is no difference. */
function distance(a: Uint8Array, b: Uint8Array): number {
  const [first, second] = [blocksOf(a), blocksOf(b)]
  return (
    first.reduce((sum, value, at) => sum + Math.abs(value - (second[at] ?? 0)), 0) / first.length
  )
}

function blocksOf(picture: Uint8Array): readonly number[] {
  const side = 20
  return Array.from({ length: (WIDTH / side) * (HEIGHT / side) }, (_, block) => {
    const left = (block % (WIDTH / side)) * side
    const top = Math.floor(block / (WIDTH / side)) * side
    let sum = 0
    for (let y = top; y < top + side; y += 1)
      for (let x = left; x < left + side; x += 1) sum += picture[y * WIDTH + x] ?? 0
    return sum / side ** 2
  })
}
