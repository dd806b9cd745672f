import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { rawPictures } from '#tests/setup/raw-pictures.ts'

const run = promisify(execFile)

export interface MediaFacts {
  readonly durationMs: number
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
}

/** The smallest video that the check has nothing to say of. */
export const SCENE_SIZE = { width: 854, height: 480 }

/** A video of four different scenes of the same length, with sound. */
export async function makeScene(
  path: string,
  seconds: number,
  { width, height } = SCENE_SIZE,
  rate = 25,
): Promise<void> {
  const scenes = [
    `testsrc2=size=${width}x${height}:rate=${rate}`,
    `gradients=size=320x180:rate=${rate}:speed=0.05:seed=4,scale=${width}:${height}`,
    `testsrc2=size=${width}x${height}:rate=${rate},negate`,
    `gradients=size=320x180:rate=${rate}:speed=0.05:seed=9,scale=${width}:${height}`,
  ]
  const graph = scenes
    .map(
      (scene, index) =>
        `${scene},trim=duration=${seconds / 4},setpts=PTS-STARTPTS,setsar=1,format=yuv420p[s${index}]`,
    )
    .join(';')
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330:sample_rate=48000',
    '-filter_complex',
    `${graph};${scenes.map((_, index) => `[s${index}]`).join('')}concat=n=${scenes.length}:v=1:a=0[v]`,
    '-map',
    '[v]',
    '-map',
    '0:a',
    '-t',
    String(seconds),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '28',
    '-g',
    String(2 * rate),
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    path,
  ])
}

/** What ffprobe reports about a file. */
export async function probeFile(path: string): Promise<MediaFacts> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    path,
  ])
  const probe = JSON.parse(stdout) as {
    format: { duration?: string }
    streams: { codec_type: string; width?: number; height?: number }[]
  }
  const video = probe.streams.find((stream) => stream.codec_type === 'video')
  return {
    durationMs: Number(probe.format.duration ?? 0) * 1000,
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    hasAudio: probe.streams.some((stream) => stream.codec_type === 'audio'),
  }
}

/** 0 to 255 over one picture; a black one is near 16. */
export async function averageBrightness(path: string, atSeconds: number): Promise<number> {
  const picture = await grey(path, atSeconds, '64:36')
  return picture.reduce((sum, value) => sum + value, 0) / picture.length
}

/**
 * Whether two videos show something different at a moment: a watermark changes a small place
 * strongly, encoding changes all a little.
 */
export async function differsFrom(
  path: string,
  original: string,
  atSeconds: number,
): Promise<boolean> {
  const [a, b] = await Promise.all([
    grey(path, atSeconds, '640:360'),
    grey(original, atSeconds, '640:360'),
  ])
  const strong = a.filter((value, index) => Math.abs(value - (b[index] ?? 0)) > 60).length
  return strong > 40
}

const grey = (path: string, atSeconds: number, size: string): Promise<Buffer> =>
  rawPictures(path, `scale=${size},format=gray`, { fromS: atSeconds, count: 1 })

/** Pictures that no encoder makes small: 2 MB or more a second. */
export async function makeNoise(path: string, seconds: number): Promise<void> {
  const picture = 'color=gray:size=320x180:rate=25,noise=alls=100:allf=t:all_seed=7'
  const made = `-v error -y -f lavfi -i ${picture} -f lavfi -i sine=frequency=330 -t ${seconds}`
  const coded = '-c:v libx264 -preset ultrafast -crf 3 -pix_fmt yuv420p -c:a aac'
  await run('ffmpeg', [...`${made} ${coded}`.split(' '), path])
}
