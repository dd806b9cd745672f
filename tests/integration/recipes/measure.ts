import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { LOUDNESS_METER, loudnessIn } from '#recipes/loudness.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const streamSchema = v.looseObject({
  codec_type: v.string(),
  codec_name: v.string(),
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  duration: v.optional(v.string()),
})
const probeSchema = v.looseObject({
  streams: v.array(streamSchema),
  format: v.looseObject({ duration: v.optional(v.string()) }),
})

/** What ffprobe says of a finished file. */
export interface Streams {
  readonly durationS: number
  readonly video: v.InferOutput<typeof streamSchema> | undefined
  readonly audio: v.InferOutput<typeof streamSchema> | undefined
}

/** Reads a finished file with ffprobe; rejects when it is not there. */
export async function streamsOf(path: string | undefined): Promise<Streams> {
  const { stdout } = await runTool('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    path ?? '',
  ])
  return streamsIn(stdout)
}

/** @param shown what ffprobe shows of a file as JSON */
export function streamsIn(shown: string): Streams {
  const { streams, format } = v.parse(probeSchema, JSON.parse(shown))
  const ofKind = (kind: string): Streams['video'] =>
    streams.find((stream) => stream.codec_type === kind)
  return { durationS: Number(format.duration ?? 0), video: ofKind('video'), audio: ofKind('audio') }
}

/** A place in a file to compare from. */
export interface Place {
  readonly path: string | undefined
  readonly atS: number
}

/**
 * Mean SSIM (brightness) of the pictures of a preview and of a finished edit, frame by frame from
 * these places on, after the edit was shrunk to the preview's size. Both must have the same frame
 * rate.
 */
export async function similarity(preview: Place, edit: Place, lengthS: number): Promise<number> {
  // A hair before the frame, so that rounding does not pick its neighbour.
  const cut = (atS: number): string =>
    `trim=start=${Math.max(0, atS - 0.005).toFixed(6)}:duration=${lengthS.toFixed(3)},setpts=N/30/TB`
  const graph = `[0:v]${cut(preview.atS)},format=yuv420p[p];[1:v]${cut(edit.atS)}[large];[large][p]scale2ref=flags=bicubic[small][q];[small]format=yuv420p[e];[q][e]ssim=shortest=1`
  const { stderr } = await runTool('ffmpeg', [
    '-nostdin',
    '-i',
    preview.path ?? '',
    '-i',
    edit.path ?? '',
    '-filter_complex',
    graph,
    '-f',
    'null',
    '-',
  ])
  return Number(/SSIM Y:([\d.]+)/.exec(stderr)?.[1])
}

/**
 * How loud a file is, in LUFS; NaN where nothing is heard.
 * @param filters of ffmpeg, before it is measured
 */
export async function loudnessOf(path: string, filters = 'anull'): Promise<number> {
  const meter = ['-af', `${filters},${LOUDNESS_METER}`, '-f', 'null', '-']
  const { stdout } = await runTool('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    path,
    '-vn',
    ...meter,
  ])
  return loudnessIn(stdout) ?? Number.NaN
}

/** The same of several files, by their paths, in one run of ffmpeg. */
export async function loudnessOfAll(
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'loudness-'))
  const printedOf = (index: number): string => join(folder, `${index}.txt`)
  try {
    const meters = paths.flatMap((_, index) => {
      const meter = LOUDNESS_METER.replace('file=-', `file=${printedOf(index)}`)
      return ['-map', `${index}:a:0`, '-af', meter, '-f', 'null', '-']
    })
    const inputs = paths.flatMap((path) => ['-i', path])
    await runTool('ffmpeg', ['-nostdin', '-v', 'error', ...inputs, ...meters])
    const levels = new Map<string, number>()
    for (const [index, path] of paths.entries())
      levels.set(path, loudnessIn(await readFile(printedOf(index), 'utf8')) ?? Number.NaN)
    return levels
  } finally {
    await rm(folder, { recursive: true })
  }
}
