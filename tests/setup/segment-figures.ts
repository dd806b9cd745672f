/** An edit that is made whole and in segments, and what shows that both are the same. */
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cover } from '#recipes/face-cover/types.ts'
import { findRecipe } from '#recipes/presets.ts'
import { divide, SEGMENT_FILE, segmentName } from '#recipes/segments.ts'
import type { AssetSource, Divided, PlanContext, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { boundedStep } from '#server/media/bounds.ts'
import { payloads, probe, SECRET } from '#tests/fixtures/probes.ts'
import { keptClip } from './kept.ts'
import { renderPlan } from './render-plan.ts'
import { runTool } from './run-tool.ts'

export interface MovingClip {
  readonly path: string
  readonly source: SourceProbe
}

/**
 * Pictures that move all the time, with sound; its key frames lie nowhere near those of an edit,
 * and its pictures are stored out of order.
 * @param rate pictures a second, as ffmpeg reads it
 */
export async function movingClip(
  rate: string,
  seconds: number,
  { container = 'mp4', size = '320x180' } = {},
): Promise<MovingClip> {
  const picture = `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
  // AAC would move the picture of Matroska back, and such a video is not divided.
  const audioCodec = container === 'mkv' ? 'pcm_s16le' : 'aac'
  const path = await keptClip(`moving.${container}`, [
    ...`-f lavfi -i ${picture} -f lavfi -i sine=f=300:b=2:d=${seconds}`.split(' '),
    ...'-pix_fmt yuv420p -c:v libx264 -preset veryfast -g 71 -shortest'.split(' '),
    '-c:a',
    audioCodec,
  ])
  const [over = 1, under = 1] = rate.split('/').map(Number)
  const [width = 0, height = 0] = size.split('x').map(Number)
  const source = probe({
    durationMs: seconds * 1000,
    width,
    height,
    frameRate: over / under,
    longestStayMs: Math.round((1000 * under) / over),
    soundFits: true,
    audioCodec,
    fileName: `moving.${container}`,
  })
  return { path, source }
}

/** The same at 30 pictures a second, some of which are left out and none of which is on time. */
export async function unevenClip(seconds: number): Promise<MovingClip> {
  const clip = `testsrc2=size=320x180:rate=30:duration=${seconds}`
  const path = await keptClip('uneven.mp4', [
    ...`-f lavfi -i ${clip} -f lavfi -i sine=f=300:b=2:d=${seconds} -vf`.split(' '),
    "settb=1/600,select='mod(n,17)',setpts='PTS+floor(random(1)*9)'",
    ...'-fps_mode passthrough -enc_time_base 1/600 -video_track_timescale 600'.split(' '),
    ...'-pix_fmt yuv420p -c:v libx264 -preset veryfast -g 71 -c:a aac'.split(' '),
  ])
  const source = probe({
    durationMs: seconds * 1000,
    width: 320,
    height: 180,
    frameRate: 28.24,
    nominalRate: 30,
    longestStayMs: 80,
    soundFits: true,
    fileName: 'uneven.mp4',
  })
  return { path, source }
}

/** A face that moves through the picture, which is wholly hidden for a while. */
export function movingFace(durationMs: number): Cover {
  const size = { width: 0.2, height: 0.3 }
  const boxes = [
    { atMs: 0, x: 0.1, y: 0.1, ...size },
    { atMs: durationMs, x: 0.7, y: 0.4, ...size },
  ]
  return {
    tracks: [{ id: 'face', startMs: 0, endMs: durationMs, certainty: 1, boxes }],
    wholly: [{ startMs: durationMs / 2, endMs: durationMs / 2 + 500 }],
  }
}

/** How an edit is ordered, and made. */
interface Ordered {
  readonly assets?: readonly (AssetSource & { readonly path: string })[]
  readonly payload?: unknown
  readonly faces?: Cover
  /** Encoded so finely that its files show whether the pictures before it were the same. */
  readonly isFine?: boolean
}

/** The files of the same edit made whole, and of its segments joined. */
export async function bothWays(
  slug: string,
  { path, source }: MovingClip,
  { folder, segmentMs }: { readonly folder: string; readonly segmentMs: number },
  { assets = [], payload = payloads[slug], faces, isFine = false }: Ordered = {},
): Promise<{ readonly whole: string; readonly joined: string; readonly count: number }> {
  const recipe = findRecipe(slug)
  const segments = recipe === undefined ? null : divide(recipe, source, segmentMs)
  if (recipe === undefined || segments === null) throw new Error(`${slug} cannot be divided`)
  const context: PlanContext = {
    moments: [],
    assets,
    secret: SECRET,
    ...(faces === undefined ? {} : { faces }),
  }
  const render = async (name: string, divided?: Divided): Promise<string> => {
    const plan = recipe.plan(source, payload, {
      ...context,
      ...(divided === undefined ? {} : { divided }),
    })
    if (!plan.ok) throw new Error(plan.error.message)
    const own = join(folder, name)
    await mkdir(own, { recursive: true })
    const paths = Object.fromEntries(assets.map((asset) => [asset.id, asset.path]))
    const wanted = isFine ? finely(plan.value) : plan.value
    await renderPlan(bounded(wanted, source), { source: path, folder: own, assets: paths })
    return join(own, plan.value.outputs[0]?.name ?? '')
  }
  const whole = await render('whole')
  await mkdir(join(folder, 'joined'))
  for (const [n, segment] of segments.entries()) {
    await render(`segment-${n}`, { kind: 'segment', segment })
    const made = join(folder, `segment-${n}`, SEGMENT_FILE)
    await copyFile(made, join(folder, 'joined', segmentName(n)))
  }
  const joined = await render('joined', { kind: 'joined', segments })
  return { whole, joined, count: segments.length }
}

/** The plan with an encoder that changes next to nothing, and without noise, which is random. */
function finely(plan: RecipePlan): RecipePlan {
  const finest: Readonly<Record<string, string>> = {
    '-crf': '1',
    '-maxrate': '900M',
    '-bufsize': '900M',
  }
  const steps = plan.steps.map((step) => ({
    ...step,
    args: step.args.map((arg, at) => {
      const option = step.args[at - 1]
      const word = typeof arg === 'string' ? arg.replace(/noise=alls=\d+/, 'noise=alls=0') : arg
      return (typeof option === 'string' ? finest[option] : undefined) ?? word
    }),
  }))
  return { ...plan, steps }
}

/** With the ends that the server gives to every input and file. */
function bounded(plan: RecipePlan, source: SourceProbe): RecipePlan {
  const steps = plan.steps.map((step) => ({ ...step, ...boundedStep(step, source) }))
  return { ...plan, steps }
}

/** The tracks of a file, when its pictures are shown, and its sound to the byte. */
export async function streamsOf(path: string): Promise<{
  readonly facts: unknown
  /** In ticks of 90 kHz, in the order in which they are shown. */
  readonly pictureTimes: readonly number[]
  readonly sound: readonly string[]
}> {
  const facts = 'codec_name,profile,width,height,pix_fmt,time_base,start_pts,nb_frames,r_frame_rate'
  const shown = ['-select_streams', 'v:0', '-show_entries', `packet=pts:stream=${facts}`]
  const { stdout } = await runTool('ffprobe', ['-v', 'error', '-of', 'json', ...shown, path])
  const { packets, streams } = JSON.parse(stdout) as {
    packets: readonly { pts: number }[]
    streams: unknown
  }
  const copied = '-map 0:a? -c copy -f framemd5 -'.split(' ')
  const sound = await runTool('ffmpeg', ['-nostdin', '-v', 'error', '-i', path, ...copied])
  return {
    facts: streams,
    pictureTimes: packets.map(({ pts }) => pts).toSorted((a, b) => a - b),
    sound: sound.stdout.split('\n'),
  }
}

/** The most by which pictures of two edits are shown at other times, in ticks. */
export function worstTime(one: readonly number[], other: readonly number[]): number {
  return one.length === other.length
    ? Math.max(...one.map((at, index) => Math.abs(at - (other[index] ?? Infinity))))
    : Infinity
}

/** SSIM of two videos, picture by picture in the order in which they are shown: the worst. */
export async function worstLikeness(path: string, other: string): Promise<number> {
  const graph =
    '[1:v][0:v]scale2ref=flags=bicubic[b][a];[a]setpts=N[c];[b]setpts=N[d];[c][d]ssim=stats_file=-'
  const compared = ['-i', path, '-i', other, '-lavfi', graph, '-f', 'null', '/dev/null']
  const { stdout } = await runTool('ffmpeg', ['-nostdin', '-v', 'error', ...compared])
  return Math.min(...[...stdout.matchAll(/All:([0-9.]+)/g)].map(([, all]) => Number(all)))
}

/** SSIM of two videos, picture by picture in the order in which they are shown. */
export async function likenessTo(path: string, other: string): Promise<number> {
  const graph = '[1:v][0:v]scale2ref=flags=bicubic[b][a];[a]setpts=N[c];[b]setpts=N[d];[c][d]ssim'
  const compared = ['-i', path, '-i', other, '-lavfi', graph, '-f', 'null', '-']
  const { stderr } = await runTool('ffmpeg', ['-nostdin', '-v', 'info', ...compared])
  return Number(/SSIM .*All:([0-9.]+)/.exec(stderr)?.[1] ?? Number.NaN)
}
