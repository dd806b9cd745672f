import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ffmpeg as plainFfmpeg } from '#tests/setup/render-plan.ts'
import type { Figure } from './figure.ts'
import { renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'

const run = promisify(execFile)
const folder = join(tmpdir(), 'onecut-bench-copies')

/** The small and the large copy of a whole video. */
export async function* copies(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  const plain = await source('plain.mp4', '1280x720', plainVideo)
  const hdr = await source('hdr.mp4', '1280x720', hdrVideo)
  const large = await source('large.mp4', '3840x2160', plainVideo, 4)
  yield* lowCopy(await renderEdit(ffmpeg, LOW, undefined, plain), plain)
  for (const [name, path] of [
    ['720p', plain],
    ['HDR', hdr],
    ['4K', large],
  ] as const) {
    const made = await renderEdit(ffmpeg, HIGH, undefined, path, {
      availableEncoders: ffmpeg.encoders,
    })
    const file = made.file('high-resolution.mp4')
    yield {
      edit: HIGH,
      of: `SSIM, ${name}`,
      value: await ssim(file, path, 'null'),
      unit: '',
      bound: { atLeast: 0.99 },
    }
    yield* costOf(HIGH, name, made)
    if (name !== 'HDR') continue
    const kept = ['yuv420p10le', 'smpte2084', 'bt2020']
    const stored = await run('ffprobe', ['-v', 'error', '-show_streams', file])
    yield {
      edit: HIGH,
      of: 'marks of ten bits, PQ and BT.2020 in the file, HDR',
      value: kept.filter((mark) => stored.stdout.includes(mark)).length,
      unit: 'of 3',
      bound: { atLeast: kept.length },
    }
  }
}

const LOW = 'example-low-resolution-video'
const HIGH = 'example-high-resolution-video'
const SECONDS = 12

type Made = Awaited<ReturnType<typeof renderEdit>>

async function* lowCopy(made: Made, path: string): AsyncIterable<Figure> {
  const file = made.file('low-resolution.mp4')
  yield {
    edit: LOW,
    of: 'SSIM with the scaled source, 720p',
    value: await ssim(file, path, 'scale=852:480:flags=bicubic'),
    unit: '',
    bound: { atLeast: 0.97 },
  }
  yield {
    edit: LOW,
    of: 'size of the source, 720p',
    value: statSync(file).size / statSync(path).size,
    unit: '',
    bound: { atMost: 0.5 },
  }
  yield {
    edit: LOW,
    of: 'loudness',
    value: await loudness(file),
    unit: 'LUFS',
    bound: { atLeast: -16.5 },
  }
  yield {
    edit: LOW,
    of: 'loudness',
    value: await loudness(file),
    unit: 'LUFS',
    bound: { atMost: -15.5 },
  }
  yield* costOf(LOW, '720p', made)
}

function* costOf(edit: string, name: string, made: Made): Iterable<Figure> {
  const seconds = made.source.durationMs / 1000
  yield {
    edit,
    of: `processor seconds for a second, ${name}`,
    value: made.cpuSeconds / seconds,
    unit: 's',
  }
  yield {
    edit,
    of: `memory, ${name}`,
    value: made.peakBytes / 1e6,
    unit: 'MB',
    bound: { atMost: 700 },
  }
}

const plainVideo = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-pix_fmt', 'yuv420p']
const hdrVideo = [
  '-c:v',
  'libx265',
  '-preset',
  'superfast',
  '-crf',
  '16',
  '-pix_fmt',
  'yuv420p10le',
  '-color_primaries',
  'bt2020',
  '-color_trc',
  'smpte2084',
  '-colorspace',
  'bt2020nc',
  '-x265-params',
  'log-level=error',
]

/** Motion at every scale with light grain, and speech-like tones that come and go, made once. */
async function source(
  name: string,
  size: string,
  video: readonly string[],
  seconds = SECONDS,
): Promise<string> {
  const path = join(folder, name)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const half = join(folder, `half-${name}`)
  await plainFfmpeg([
    '-f',
    'lavfi',
    '-i',
    `mandelbrot=s=${size}:r=30:start_scale=0.5:end_scale=0.05:end_pts=400`,
    '-f',
    'lavfi',
    '-i',
    "aevalsrc='0.1*sin(2*PI*220*t)*gt(sin(2*PI*t/3),-0.5)*(0.6+0.4*sin(2*PI*4*t))':s=48000",
    '-t',
    String(seconds),
    '-vf',
    'noise=alls=3:allf=t',
    ...video,
    '-c:a',
    'aac',
    half,
  ])
  await rename(half, path)
  return path
}

/** Structural likeness to the source after `filter`, the mean of all frames. */
async function ssim(file: string, path: string, filter: string): Promise<number> {
  const { stderr } = await run('ffmpeg', [
    '-i',
    file,
    '-i',
    path,
    '-lavfi',
    `[0:v]null[a];[1:v]${filter}[b];[a][b]ssim`,
    '-f',
    'null',
    '-',
  ])
  return Number(/All:([\d.]+)/.exec(stderr)?.[1] ?? Number.NaN)
}

async function loudness(file: string): Promise<number> {
  const { stderr } = await run('ffmpeg', ['-i', file, '-af', 'ebur128', '-f', 'null', '-'])
  return Number(/Integrated loudness:\s+I:\s+(-?[\d.]+)/.exec(stderr)?.[1] ?? Number.NaN)
}
