import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright'
import { findRecipe } from '#recipes/presets.ts'
import { loudnessIn, LOUDNESS_METER } from '#recipes/loudness.ts'
import type { PlanStep, RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { MakeProgress } from '#src/local/made/make.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { openDevicePage, startChromium, type DevicePage } from './device-page.ts'
import { keptClip } from './kept.ts'
import { renderKept } from './kept-render.ts'
import { ffmpeg } from './render-plan.ts'
import { printedBy, runTool } from './run-tool.ts'

const SOUND = 'tremolo=f=0.7:d=0.9[a]'
const CODECS = '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -crf 23 -c:a aac -ac 2'

/** Pictures lie 21 ms off the grid that passages have, and are stored out of order. */
const OFF_GRID = {
  rate: '30000/1001',
  // Long, so that an edit leaves most of it out; the same pictures again cost no encoder.
  seconds: 30,
  times: 4,
  sound: 44_100,
  offS: 0.021,
  more: '-bf 2 -g 75 -fps_mode passthrough',
} as const

/** Videos with faint noise, so that no two pictures are alike, and with a sound that swells. */
const SOURCES = {
  'hd.mp4': { size: '1280x720', rate: '25', seconds: 40, sound: 48_000, offS: 0, more: '-g 50' },
  // Of few pictures.
  'slow.mp4': { size: '640x360', rate: '5', seconds: 20, sound: 48_000, offS: 0, more: '-g 10' },
  'off-grid.mp4': { size: '640x360', ...OFF_GRID },
  'small.mp4': { size: '320x180', ...OFF_GRID },
  // No longer than what a device marks.
  'short.mp4': { size: '320x180', ...OFF_GRID, seconds: 14, times: 1 },
  // More pictures a second than an edit has.
  'fast.mp4': { size: '640x360', rate: '120', seconds: 14, sound: 48_000, offS: 0, more: '-g 240' },
  'full-hd.mp4': {
    size: '1920x1080',
    rate: '50',
    seconds: 70,
    sound: 48_000,
    offS: 0,
    more: '-g 100',
  },
  'tall.mp4': { size: '720x1280', rate: '30', seconds: 40, sound: 48_000, offS: 0, more: '-g 60' },
} as const
export type MadeSource = keyof typeof SOURCES

/** The path of a source, made if it is not kept. */
export async function madeSource(name: MadeSource): Promise<string> {
  const source = SOURCES[name]
  const { size, rate, seconds, sound, offS, more } = source
  const picture = `noise=alls=4:allf=t:all_seed=1,setpts=PTS+${offS}/TB[v]`
  const once = await keptClip(name, [
    ...`-f lavfi -i testsrc2=s=${size}:r=${rate}:d=${seconds}`.split(' '),
    ...`-f lavfi -i anoisesrc=r=${sound}:d=${seconds}:a=0.1:seed=1`.split(' '),
    ...`-filter_complex [0:v]${picture};[1:a]${SOUND} -map [v] -map [a]`.split(' '),
    ...`${CODECS} ${more}`.split(' '),
  ])
  if (!('times' in source)) return once
  return await keptClip(name, ['-stream_loop', String(source.times - 1), '-i', once, '-c', 'copy'])
}

export interface MadeHere {
  /** Of the first file. */
  readonly path: string
  readonly fileName: string
  /** Where each file is, by what it is called. */
  readonly paths: Readonly<Record<string, string>>
  readonly source: SourceProbe
  readonly progress: readonly MakeProgress[]
  /** The names of the pieces that were made, without their hash. */
  readonly kept: readonly string[]
  /** Bytes that the media worker read of the video, to look at it and to make the edit. */
  readonly readBytes: number
  /** Those that ffmpeg's worker read. */
  readonly readByFfmpeg: number
  /** The most decoded pictures that were there at once. */
  readonly mostPictures: number
}

/** Edits that a real browser makes. */
export interface DeviceEdits {
  readonly device: DevicePage
  readonly make: (video: MadeSource, slug: string, payload?: unknown) => Promise<MadeHere>
  /** Makes the edit before again, of which all is kept but the pieces whose names end so. */
  readonly goOn: (
    video: MadeSource,
    slug: string,
    without: string,
    payload?: unknown,
  ) => Promise<MadeHere>
  readonly close: () => Promise<void>
}

/** @param prelude runs first in each worker: what the browser lacks there */
export async function openDeviceEdits(
  startBrowser: () => Promise<Browser> = startChromium,
  prelude = '',
): Promise<DeviceEdits> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-made-'))
  const device = await openDevicePage(startBrowser, (context) =>
    prepareWorkers(context, `${prelude}${COUNTER}`),
  )
  await device.page.evaluate(() => {
    const counted = { media: 0, ffmpeg: 0, pictures: 0 }
    Object.assign(window, { counted })
    new BroadcastChannel('pictures').addEventListener('message', ({ data }) => {
      counted.pictures = Math.max(counted.pictures, Number(data))
    })
    new BroadcastChannel('reads').addEventListener('message', ({ data }) => {
      counted[data.by === 'onecut-media' ? 'media' : 'ffmpeg'] += Number(data.bytes)
    })
  })
  const make = async (
    video: MadeSource,
    slug: string,
    { payload, without }: { readonly payload?: unknown; readonly without?: string },
  ): Promise<MadeHere> => {
    await device.page.setInputFiles('#file', await madeSource(video))
    const asked = { edit: { slug, payload, moments: [] }, without }
    const made = await device.page.evaluate(
      ({ edit, without: lost }) => window.device.make(edit, lost),
      asked,
    )
    if (!made.ok) throw new Error(made.error.code)
    const paths: Record<string, string> = {}
    const part = without === undefined ? '' : 'again-'
    for (const { fileName, base64 } of made.value.files) {
      const path = join(folder, `${part}${slug}-of-${video}-${fileName}`)
      await writeFile(path, Buffer.from(base64, 'base64'))
      paths[fileName] = path
    }
    const [[fileName, path] = ['', '']] = Object.entries(paths)
    const {
      media,
      ffmpeg: readByFfmpeg,
      pictures: mostPictures,
    } = await device.page.evaluate(
      () =>
        (window as unknown as { counted: Record<'media' | 'ffmpeg' | 'pictures', number> }).counted,
    )
    const kept = made.value.kept.map((name) => name.replace(/^\w+\./, ''))
    return {
      ...made.value,
      kept,
      path,
      fileName,
      paths,
      readBytes: media,
      readByFfmpeg,
      mostPictures,
    }
  }
  return {
    device,
    make: (video, slug, payload) => make(video, slug, { payload }),
    goOn: (video, slug, without, payload) => make(video, slug, { payload, without }),
    close: async () => {
      await device.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Both of the workers' ways to read a file say how much they read, and decoders how many of their
 * pictures are not closed.
 */
const COUNTER = `
const reads = new BroadcastChannel('reads');
const whole = Blob.prototype.slice;
Blob.prototype.slice = function (start = 0, end = this.size, ...rest) {
  const part = whole.call(this, start, end, ...rest);
  if (this instanceof File) reads.postMessage({ by: self.name, bytes: part.size });
  return part;
};
if (self.VideoDecoder) {
  const pictures = new BroadcastChannel('pictures');
  const open = new Set();
  let most = 0;
  self.VideoDecoder = class extends VideoDecoder {
    constructor({ output, error }) {
      super({ error, output: (frame) => {
        open.add(frame);
        if (open.size > most) pictures.postMessage(most = open.size);
        output(frame);
      } });
    }
  };
  const close = VideoFrame.prototype.close;
  VideoFrame.prototype.close = function () {
    open.delete(this);
    close.call(this);
  };
}
`

async function prepareWorkers(context: BrowserContext, prelude: string): Promise<void> {
  await context.route(/worker[^/]*\.js$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `${prelude}${await answer.text()}` })
  })
}

/** What the server makes of the edit; `isFine`: nearly without loss, as the source shows it. */
export async function madeByServer(
  video: MadeSource,
  { slug, payload, isFine = false }: { slug: string; payload?: unknown; isFine?: boolean },
  source: SourceProbe,
): Promise<string> {
  const plan = planOf(slug, payload, source)
  const paths = await renderKept(isFine ? fine(plan) : plan, { source: await madeSource(video) })
  return paths[`${slug}.mp4`] ?? ''
}

/** All files that the server makes of an edit, by what they are called. */
export async function filesByServer(
  video: MadeSource,
  slug: string,
  source: SourceProbe,
): Promise<Readonly<Record<string, string>>> {
  const plan = planOf(slug, undefined, source)
  const paths = await renderKept(plan, { source: await madeSource(video) })
  return Object.fromEntries(plan.outputs.map(({ name, fileName }) => [fileName, paths[name] ?? '']))
}

function planOf(slug: string, payload: unknown, source: SourceProbe): RecipePlan {
  const context = { moments: [], assets: [], secret: SECRET }
  const plan = findRecipe(slug)?.plan(source, payload, context)
  if (plan?.ok !== true) throw new Error('no plan')
  return plan.value
}

/** The plan that makes the same nearly without loss. */
export function fine(plan: RecipePlan): RecipePlan {
  const steps = plan.steps.map((step): PlanStep => {
    const args = step.args.map((arg, at) => {
      const option = step.args[at - 1]
      if (option === '-crf') return '1'
      return option === '-maxrate' || option === '-bufsize' ? '900000k' : arg
    })
    return { ...step, args }
  })
  return { ...plan, steps }
}

const SMALL = { width: 160, height: 90 }

/** Of how many pictures the other video's picture of the same number is the one most like it. */
export async function shareAtPlace(path: string, other: string): Promise<number> {
  const [own, its] = [await greys(path), await greys(other)]
  const size = SMALL.width * SMALL.height
  const count = own.length / size
  if (its.length !== own.length) return 0
  const difference = (a: number, b: number): number => {
    if (b < 0 || b >= count) return Infinity
    let sum = 0
    for (let at = 0; at < size; at += 1) {
      const step = (own[a * size + at] ?? 0) - (its[b * size + at] ?? 0)
      sum += step * step
    }
    return sum
  }
  const alike = Array.from({ length: count }, (_, at) => at).filter((at) => {
    const here = difference(at, at)
    return here < Math.min(difference(at, at - 1), difference(at, at + 1))
  })
  return alike.length / count
}

async function greys(path: string): Promise<Uint8Array> {
  const scaled = `scale=${SMALL.width}:${SMALL.height}:flags=area,format=gray`
  const args = ['-v', 'error', '-i', path, '-vf', scaled, '-f', 'rawvideo', '-']
  const { stdout } = await printedBy('ffmpeg', args)
  return stdout
}

/**
 * Structural likeness of brightness and of both colours, over all pictures or those of the first
 * seconds. Pictures are compared by their number: by their times, a film whose clock rounds
 * otherwise was compared with the pictures before.
 */
export async function likenessOf(
  path: string,
  other: string,
  { scaledTo, seconds }: { readonly scaledTo?: string; readonly seconds?: number } = {},
): Promise<Readonly<Record<'Y' | 'U' | 'V', number>>> {
  const scale = scaledTo === undefined ? '' : `scale=${scaledTo},`
  const shown = `${scale}format=yuv420p,settb=1/25,setpts=N`
  const length = seconds === undefined ? [] : ['-t', String(seconds)]
  const args = [
    '-v',
    'info',
    ...length,
    '-i',
    path,
    ...length,
    '-i',
    other,
    '-lavfi',
    `[0:v]${shown}[a];[1:v]${shown}[b];[a][b]ssim=shortest=1`,
    '-f',
    'null',
    '-',
  ]
  const { stderr } = await runTool('ffmpeg', args)
  const of = (plane: string): number =>
    Number(new RegExp(`SSIM.* ${plane}:([\\d.]+)`).exec(stderr)?.[1] ?? 0)
  return { Y: of('Y'), U: of('U'), V: of('V') }
}

/** Of the picture that differs most from that of the other video: PSNR of its brightness, in dB. */
export async function poorestLikeness(path: string, other: string): Promise<number> {
  const args = ['-v', 'info', '-i', path, '-i', other, '-lavfi', '[0:v][1:v]psnr=stats_file=-']
  const { stdout } = await runTool('ffmpeg', [...args, '-f', 'null', '-'])
  const pictures = [...stdout.matchAll(/psnr_y:([\d.]+|inf)/g)]
  return Math.min(...pictures.map(([, decibels]) => (decibels === 'inf' ? 99 : Number(decibels))))
}

/** What a stream is made of: times and hashes of its packets, in their order. */
export async function packetsOf(
  path: string,
  stream: 'v' | 'a',
): Promise<readonly { readonly pts_time?: string; readonly data_hash?: string }[]> {
  const wanted = ['-show_entries', 'packet=pts_time,data_hash', '-show_data_hash', 'md5']
  const args = ['-v', 'error', '-of', 'json', '-select_streams', `${stream}:0`, ...wanted, path]
  const { stdout } = await runTool('ffprobe', args)
  return (JSON.parse(stdout) as { packets: { pts_time?: string; data_hash?: string }[] }).packets
}

export async function loudnessOf(path: string): Promise<number> {
  const printed = await ffmpeg(['-i', path, '-vn', '-af', LOUDNESS_METER, '-f', 'null', '-'])
  return loudnessIn(printed) ?? -Infinity
}

const RATE = 48_000
/** Looked for in each direction. */
const MOST_LAG = 960

/** By how many milliseconds a sound comes later than another one, at some places. */
export async function lagsMs(
  path: string,
  other: string,
  atSeconds: readonly number[],
): Promise<readonly number[]> {
  const [own, its] = [await samples(path), await samples(other)]
  return atSeconds.map((second) => {
    const start = Math.round(second * RATE)
    const likeness = (lag: number): number => {
      let sum = 0
      for (let at = 0; at < RATE / 10; at += 1)
        sum += (own[start + at + lag] ?? 0) * (its[start + at] ?? 0)
      return sum
    }
    let best = 0
    for (let lag = -MOST_LAG; lag <= MOST_LAG; lag += 1)
      if (likeness(lag) > likeness(best)) best = lag
    return (best / RATE) * 1000
  })
}

async function samples(path: string): Promise<Float32Array> {
  const args = `-v error -i ${path} -vn -ac 1 -ar ${RATE} -f f32le -`.split(' ')
  const { stdout } = await printedBy('ffmpeg', args)
  return new Float32Array(Uint8Array.from(stdout).buffer)
}

export interface Inspected {
  readonly streams: readonly Readonly<Record<string, unknown>>[]
  readonly format: { readonly tags?: Readonly<Record<string, string>> }
}

export async function inspect(path: string): Promise<Inspected> {
  const args = `-v error -of json -show_streams -show_format ${path}`.split(' ')
  const { stdout } = await runTool('ffprobe', args)
  return JSON.parse(stdout) as Inspected
}

/** The kinds of its boxes, in their order. */
export async function boxesOf(path: string): Promise<readonly string[]> {
  const kinds: string[] = []
  const [file, { size }] = [await open(path), await stat(path)]
  try {
    const head = Buffer.alloc(8)
    for (let at = 0; at < size; at += head.readUInt32BE(0)) {
      await file.read(head, 0, 8, at)
      kinds.push(head.toString('latin1', 4, 8))
      if (head.readUInt32BE(0) < 8) break
    }
  } finally {
    await file.close()
  }
  return kinds
}
