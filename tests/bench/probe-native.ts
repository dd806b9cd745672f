import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const NEVER_MORE = { maxBuffer: 1 << 24 }

export interface NativeProbe {
  readonly ms: number
  readonly durationMs: number
  readonly width: number
  readonly height: number
  readonly codec: string
}

/** ffprobe as a program, its start included. */
export async function nativeProbe(path: string): Promise<NativeProbe> {
  const startedAt = performance.now()
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    path,
  ])
  const ms = performance.now() - startedAt
  const { format, streams } = JSON.parse(stdout) as {
    readonly format: { readonly duration?: string }
    readonly streams: readonly {
      readonly codec_type: string
      readonly codec_name?: string
      readonly width?: number
      readonly height?: number
    }[]
  }
  const video = streams.find((stream) => stream.codec_type === 'video')
  return {
    ms,
    durationMs: Number(format.duration ?? 0) * 1_000,
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    codec: video?.codec_name ?? '',
  }
}

/** Bytes of the file that it reads, as it reports them. */
export async function nativeBytes(path: string): Promise<number> {
  const { stderr } = await run(
    'ffprobe',
    ['-v', 'verbose', '-show_format', '-show_streams', path],
    NEVER_MORE,
  )
  return Array.from(stderr.matchAll(/Statistics: (\d+) bytes read/g), (match) =>
    Number(match[1]),
  ).reduce((sum, bytes) => sum + bytes, 0)
}

/** One picture, 640 wide, from a tenth of the length. */
export async function nativePoster(path: string, durationMs: number): Promise<number> {
  const startedAt = performance.now()
  await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-y',
      '-ss',
      String(durationMs / 10_000),
      '-i',
      path,
      '-frames:v',
      '1',
      '-vf',
      'scale=640:-2',
      '-f',
      'image2pipe',
      '-c:v',
      'mjpeg',
      '-',
    ],
    { encoding: 'buffer', ...NEVER_MORE },
  )
  return performance.now() - startedAt
}

/**
 * What previews are made of: a small piece with a filter, and a piece of sound with another pitch.
 */
export const RENDERS = {
  preview: {
    args: [
      '-t',
      '3',
      '-vf',
      'scale=-2:480,boxblur=2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-c:a',
      'aac',
    ],
    output: 'preview.mp4',
  },
  voice: {
    args: ['-t', '5', '-vn', '-af', 'asetrate=38400,aresample=48000,atempo=1.25'],
    output: 'voice.wav',
  },
} as const

/** The same with the ffmpeg program. */
export async function nativeRender(
  path: string,
  { args, output }: (typeof RENDERS)[keyof typeof RENDERS],
): Promise<number> {
  const startedAt = performance.now()
  const outPath = join(tmpdir(), `onecut-bench-${process.pid}-${output}`)
  await run('ffmpeg', ['-v', 'error', '-y', '-i', path, ...args, outPath])
  const took = performance.now() - startedAt
  await rm(outPath)
  return took
}

/** Ten pictures, 160 wide, by ten starts that each decode one key frame. */
export async function nativeStrip(path: string, durationMs: number): Promise<number> {
  const startedAt = performance.now()
  for (let index = 0; index < 10; index += 1) {
    const at = String((durationMs / 1_000) * ((index + 0.5) / 10))
    await run(
      'ffmpeg',
      [
        '-v',
        'error',
        '-y',
        '-skip_frame',
        'nokey',
        '-noaccurate_seek',
        '-ss',
        at,
        '-i',
        path,
        '-frames:v',
        '1',
        '-vf',
        'scale=160:-2',
        '-f',
        'image2pipe',
        '-c:v',
        'mjpeg',
        '-',
      ],
      { encoding: 'buffer', ...NEVER_MORE },
    )
  }
  return performance.now() - startedAt
}
