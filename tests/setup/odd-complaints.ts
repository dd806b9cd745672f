import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import type { PlannedOutput, RecipePlan, SourceProbe } from '#recipes/types.ts'
import type { OddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { runTool } from './run-tool.ts'

/** One finished file and all that says how it should be. */
interface Result {
  readonly slug: string
  readonly source: {
    readonly path: string
    readonly probe: SourceProbe
    readonly odd: Partial<OddSource>
  }
  readonly plan: RecipePlan
  readonly output: PlannedOutput
  readonly path: string
  /** What `shownOf` says of it, where that is known. */
  readonly shown?: string
  /** True where it is known to decode. */
  readonly isDecoded?: boolean
}

/** Edits that show the whole source, from end to end. */
const WHOLE: ReadonlySet<string> = new Set([
  'blur-video-and-audio',
  'dynamic-watermark',
  'example-low-resolution-video',
  'example-high-resolution-video',
  'denoised-full-scene',
  'enhanced-audio-full-scene',
  'remove-background-music',
  'face-blurred-full-scene',
  'incognito-full-scene',
  'voice-mask-full-scene',
])
/** Lengths of those that do not, at most so much of a source of at least this length. */
const LENGTHS_S: Readonly<Record<string, number>> = {
  'teaser-15s': 15,
  'teaser-60s': 60,
  'teaser-square': 15,
  'teaser-upright': 15,
  'tube-cut': 6,
  'uniform-sampling': 10,
}
/** Of those of another shape than the source. */
const SHAPES: Readonly<Record<string, readonly [number, number]>> = {
  'teaser-square': [1, 1],
  'teaser-upright': [9, 16],
}
/** Those that take the sound away, or leave only the picture as it is stored. */
const SILENT: ReadonlySet<string> = new Set(['team-skeet-thumbnail-video', 'social-media-gif-pack'])
/** Two pictures at 24 a second, and a packet of sound. */
const LENGTH_TOLERANCE_S = 0.11
/** Where it becomes visible on lips. */
const SYNC_TOLERANCE_S = 0.05

/** What is wrong with a finished file; nothing where it is as it should be. */
export async function complaintsAbout(result: Result): Promise<readonly string[]> {
  const { output, path, source } = result
  if (output.kind === 'archive') return []
  const bytes = await readFile(path)
  // Its bytes tell all of an image: the check of the results has decoded it.
  if (output.kind === 'image') return traceComplaints(bytes, '').map(named(output))
  const facts = factsIn(result.shown ?? (await shownOf(path)))
  const isWhole = source.odd.isSpoilt !== true && result.isDecoded !== true
  const isTimed = hasClaps(result, facts)
  const decoded = isWhole || isTimed ? await decode(path, isTimed) : null
  return [
    ...(isWhole && decoded !== null ? decodingComplaints(decoded) : []),
    ...traceComplaints(bytes, facts.text),
    ...(output.kind === 'video' ? await videoComplaints(result, facts, decoded) : []),
  ].map(named(output))
}

function named({ name }: PlannedOutput): (complaint: string) => string {
  return (complaint) => `${name}: ${complaint}`
}

function decodingComplaints({ errors }: Decoded): readonly string[] {
  return errors === '' ? [] : [`does not decode: ${errors.trim().slice(0, 200)}`]
}

/** True where the flashes and the beeps of the source are to be seen and heard. */
function hasClaps({ slug, source, output }: Result, { video, audio }: Facts): boolean {
  const { odd } = source
  const isShown = odd.hasClaps !== false && odd.isTurned !== true && slug !== 'team-skeet-trailer'
  return isShown && output.kind === 'video' && video !== undefined && audio !== undefined
}

const TRACES = /private|52\.52|Lavc|x264/

/** @param headers what ffprobe prints of them; an image has none that its bytes do not show */
function traceComplaints(bytes: Buffer, headers: string): readonly string[] {
  const isTraced =
    headers === ''
      ? TRACES.test(bytes.toString('latin1'))
      : bytes.includes('private') || TRACES.test(headers)
  const moov = bytes.indexOf('moov')
  const isLate = moov > 0 && moov > bytes.indexOf('mdat')
  return [
    ...(isTraced ? ['holds traces of its source'] : []),
    ...(isLate ? ['cannot be played before it is loaded'] : []),
  ]
}

async function videoComplaints(
  { slug, source, plan }: Result,
  { video, audio, others, text }: Facts,
  decoded: Decoded | null,
): Promise<readonly string[]> {
  if (video === undefined) return ['has no picture']
  const { probe, odd } = source
  const wanted: string[] = []
  const expect = (isKept: boolean, complaint: string): unknown =>
    isKept ? null : wanted.push(complaint)
  if (others > 0) wanted.push(`has ${others} other tracks`)
  if (!copiesPicture(slug, plan)) {
    expect(!/"rotation"|"rotate"/.test(text), 'is turned')
    const isHdr = video.pixelFormat === 'yuv420p10le' && slug === 'example-high-resolution-video'
    expect(isHdr || video.pixelFormat === 'yuv420p', `is ${video.pixelFormat}`)
    expect(['1:1', 'N/A'].includes(video.shape), `has pixels of ${video.shape}`)
    const [width, height] = SHAPES[slug] ?? odd.size ?? [probe.width, probe.height]
    const isWhole = WHOLE.has(slug) || slug in LENGTHS_S
    const off = Math.abs(Math.log((video.width / video.height) * (height / width)))
    // The sides are even numbers.
    const tolerance = Math.log(1 + 2.1 / Math.min(video.width, video.height))
    expect(!isWhole || off <= tolerance, `is ${video.width}x${video.height} of ${width}x${height}`)
  }
  const isSilent = SILENT.has(slug) || (!probe.hasAudio && slug !== 'team-skeet-trailer')
  expect(isSilent === (audio === undefined), isSilent ? 'has sound' : 'has no sound')
  const seconds = probe.durationMs / 1000
  const lengthS = WHOLE.has(slug) ? seconds : Math.min(seconds, LENGTHS_S[slug] ?? NaN)
  expect(
    Number.isNaN(lengthS) || Math.abs(video.endS - lengthS) < LENGTH_TOLERANCE_S,
    `picture ends at ${video.endS} s of ${lengthS} s`,
  )
  expect(video.startS < 0.002, `picture begins at ${video.startS} s`)
  expect(
    audio === undefined ||
      Number.isNaN(lengthS) ||
      Math.abs(audio.endS - lengthS) < LENGTH_TOLERANCE_S,
    `sound ends at ${audio?.endS} s of ${lengthS} s`,
  )
  const off = decoded === null ? null : syncOf(decoded)
  if (off !== null) {
    const isOff = Math.abs(off) > SYNC_TOLERANCE_S
    // Joined recordings are off by up to a packet of sound themselves.
    const own = isOff ? (syncOf(await decode(source.path, true)) ?? 0) : 0
    expect(!isOff || Math.abs(off - own) <= SYNC_TOLERANCE_S, `sound is off by ${off} s`)
  }
  return wanted
}

/** True where the picture is that of the source, bit for bit, with how it is held and stored. */
function copiesPicture(slug: string, { steps }: RecipePlan): boolean {
  const args = steps.at(-1)?.args ?? []
  return WHOLE.has(slug) && args.some((each, at) => each === '-c:v' && args[at + 1] === 'copy')
}

interface Track {
  readonly width: number
  readonly height: number
  readonly shape: string
  readonly pixelFormat: string
  readonly startS: number
  readonly endS: number
}
interface Facts {
  readonly video: Track | undefined
  readonly audio: Track | undefined
  /** Tracks beside one picture and one sound. */
  readonly others: number
  readonly text: string
}

/** What ffprobe shows of a file, of its chapters and of its first picture. */
export async function shownOf(path: string): Promise<string> {
  const all = '-show_format -show_streams -show_chapters -show_frames -read_intervals %+#1'
  const args = ['-v', 'error', '-print_format', 'json', ...all.split(' '), path]
  return (await runTool('ffprobe', args)).stdout
}

function factsIn(text: string): Facts {
  const { streams } = JSON.parse(text)
  const ofKind = (kind: string): Track | undefined => {
    const found = streams.find((each: { codec_type: string }) => each.codec_type === kind)
    return found === undefined
      ? undefined
      : {
          width: found.width,
          height: found.height,
          pixelFormat: found.pix_fmt,
          shape: found.sample_aspect_ratio ?? 'N/A',
          startS: Number(found.start_time),
          endS: Number(found.start_time) + Number(found.duration),
        }
  }
  const [video, audio] = [ofKind('video'), ofKind('audio')]
  const named = [video, audio].filter((track) => track !== undefined).length
  return { video, audio, others: streams.length - named, text }
}

/** What ffmpeg complains of when it decodes all of these files in one run. */
export async function decodingErrors(paths: readonly string[]): Promise<string> {
  const inputs = paths.flatMap((path) => ['-i', path])
  const maps = paths.flatMap((_, index) => ['-map', String(index)])
  const args = ['-nostdin', '-v', 'error', ...inputs, ...maps, '-f', 'null', '-']
  return (await runTool('ffmpeg', args)).stderr
}

/** What one run of ffmpeg over all of a file says. */
interface Decoded {
  readonly errors: string
  /** Where it was timed: when flashes and beeps begin, in seconds. */
  readonly flashes: readonly number[]
  readonly beeps: readonly number[]
}

/**
 * Decodes all of a file once, because a start of ffmpeg costs as much as the pictures.
 * @param isTimed whether to look for flashes and beeps in its first picture and sound
 */
async function decode(path: string, isTimed: boolean): Promise<Decoded> {
  const filter =
    'crop=iw/4:ih/4:iw/8:ih/8,format=yuv420p,signalstats,' +
    "metadata=print:key=lavfi.signalstats.YAVG:file='pipe\\:3'"
  const flashes = ['-map', '0:v:0', '-vf', filter, '-f', 'null', '-']
  const beeps = '-map 0:a:0 -ac 1 -ar 8000 -f s16le pipe:1'.split(' ')
  const all = ['-nostdin', '-v', 'error', '-i', path, '-map', '0', '-f', 'null', '-']
  const child = spawn('ffmpeg', [...all, ...(isTimed ? [...flashes, ...beeps] : [])], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const [sound, errors, levels] = await Promise.all([
    buffer(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
  ])
  const [code] = (await closed) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}: ${errors}`)
  return { errors, flashes: flashesIn(levels), beeps: beepsIn(sound) }
}

/** How much later beeps are than their flashes, in the middle; null where there are too few. */
function syncOf({ flashes, beeps }: Decoded): number | null {
  const offsets = flashes.flatMap((flash) => {
    const near = beeps.map((beep) => beep - flash).filter((off) => Math.abs(off) < 0.35)
    return near.toSorted((a, b) => Math.abs(a) - Math.abs(b)).slice(0, 1)
  })
  if (offsets.length < 3) return null
  const middle = offsets.toSorted((a, b) => a - b)[Math.floor(offsets.length / 2)]
  return Math.round((middle ?? 0) * 1000) / 1000
}

function flashesIn(printed: string): readonly number[] {
  const levels = [...printed.matchAll(/pts_time:([\d.]+)\s+lavfi\.signalstats\.YAVG=([\d.]+)/g)]
  return levels.flatMap(([, at, level], index) =>
    Number(level) > 160 && Number(levels[index - 1]?.[2] ?? 255) <= 160 ? [Number(at)] : [],
  )
}

/** @param sound samples of 16 bits, 8,000 a second */
function beepsIn(sound: Buffer): readonly number[] {
  // Windows of 5 ms.
  const levels = Array.from({ length: Math.floor(sound.length / 80) }, (_, index) =>
    Math.max(
      ...Array.from({ length: 40 }, (_each, at) =>
        Math.abs(sound.readInt16LE((index * 40 + at) * 2)),
      ),
    ),
  )
  const half = Math.max(...levels) * 0.4
  // A beep begins where half a tenth of a second was quiet.
  return levels.flatMap((level, index) =>
    index > 20 && level > half && levels.slice(index - 20, index).every((each) => each <= half)
      ? [index / 200]
      : [],
  )
}
