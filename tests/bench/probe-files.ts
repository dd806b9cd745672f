import { execFile } from 'node:child_process'
import { access, mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Encoded files are kept (200 MB), because encoding takes longer than measuring. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/probe-bench')
export const MB = 1_000_000
export const GB = 1_000 * MB

/**
 * `fast`: read by mediabunny; `ffmpeg`: only ffmpeg reads it. `pictures`: who decodes it in this
 * Chromium.
 */
export interface BenchFile {
  readonly name: string
  readonly group: 'small' | '300MB' | '5GB' | '25GB'
  readonly reader: 'fast' | 'ffmpeg'
  readonly pictures: 'webcodecs' | 'ffmpeg' | 'none'
  readonly path: string
  readonly sizeBytes: number
}
type Recipe = Omit<BenchFile, 'path' | 'sizeBytes'> & { readonly make: Made | Looped }
interface Made {
  readonly video: '1080p' | '720p' | '4k' | '360p'
  readonly args: readonly string[]
}
/** A small file repeated, without encoding. */
interface Looped {
  readonly of: string
  readonly toBytes: number
}

const SIZES = {
  '4k': '3840x2160',
  '1080p': '1920x1080',
  '720p': '1280x720',
  '360p': '640x360',
} as const
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60'] as const
const HD = [...X264, '-b:v', '8M', '-maxrate', '8M', '-bufsize', '8M'] as const
const UHD = [
  ...X264,
  '-b:v',
  '60M',
  '-maxrate',
  '60M',
  '-bufsize',
  '60M',
  '-x264-params',
  'nal-hrd=cbr',
] as const
const AAC = ['-c:a', 'aac'] as const
const FRONT = ['-movflags', '+faststart'] as const

const RECIPES: readonly Recipe[] = [
  {
    name: 'h264.mp4',
    group: 'small',
    reader: 'fast',
    pictures: 'webcodecs',
    make: { video: '1080p', args: [...HD, ...AAC, ...FRONT] },
  },
  {
    name: 'index-last.mp4',
    group: 'small',
    reader: 'fast',
    pictures: 'none',
    make: { video: '1080p', args: [...HD, ...AAC] },
  },
  {
    name: 'phone.mov',
    group: 'small',
    reader: 'fast',
    pictures: 'none',
    make: { video: '1080p', args: [...HD, ...AAC, '-metadata:s:v:0', 'rotate=90'] },
  },
  {
    name: 'hevc.mp4',
    group: 'small',
    reader: 'fast',
    pictures: 'ffmpeg',
    make: {
      video: '720p',
      args: [
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        'log-level=error:keyint=60',
        '-b:v',
        '2M',
        '-tag:v',
        'hvc1',
        ...AAC,
      ],
    },
  },
  {
    name: 'matroska.mkv',
    group: 'small',
    reader: 'fast',
    pictures: 'none',
    make: { video: '1080p', args: [...HD, ...AAC] },
  },
  {
    name: 'vp9.webm',
    group: 'small',
    reader: 'fast',
    pictures: 'webcodecs',
    make: {
      video: '720p',
      args: [
        '-c:v',
        'libvpx-vp9',
        '-deadline',
        'realtime',
        '-cpu-used',
        '8',
        '-row-mt',
        '1',
        '-b:v',
        '3M',
        '-g',
        '60',
        '-c:a',
        'libopus',
      ],
    },
  },
  {
    name: 'stream.ts',
    group: 'small',
    reader: 'fast',
    pictures: 'none',
    make: { video: '1080p', args: [...HD, ...AAC] },
  },
  {
    name: 'mpeg4.avi',
    group: 'small',
    reader: 'ffmpeg',
    pictures: 'ffmpeg',
    make: {
      video: '360p',
      args: ['-c:v', 'mpeg4', '-b:v', '2M', '-g', '60', '-c:a', 'libmp3lame'],
    },
  },
  {
    name: 'mpeg2.mpg',
    group: 'small',
    reader: 'ffmpeg',
    pictures: 'none',
    make: { video: '720p', args: ['-c:v', 'mpeg2video', '-b:v', '6M', '-c:a', 'mp2'] },
  },
  {
    name: 'windows.wmv',
    group: 'small',
    reader: 'ffmpeg',
    pictures: 'none',
    make: { video: '360p', args: ['-c:v', 'wmv2', '-b:v', '2M', '-c:a', 'wmav2'] },
  },
  {
    name: 'uhd-10s.mp4',
    group: 'small',
    reader: 'fast',
    pictures: 'none',
    make: { video: '4k', args: [...UHD, ...AAC] },
  },
  {
    name: 'uhd.mp4',
    group: '300MB',
    reader: 'fast',
    pictures: 'webcodecs',
    make: { of: 'uhd-10s.mp4', toBytes: 310 * MB },
  },
  {
    name: 'uhd-5gb.mp4',
    group: '5GB',
    reader: 'fast',
    pictures: 'none',
    make: { of: 'uhd-10s.mp4', toBytes: 5 * GB },
  },
  {
    name: 'long-5gb.mp4',
    group: '5GB',
    reader: 'fast',
    pictures: 'none',
    make: { of: 'h264.mp4', toBytes: 5 * GB },
  },
  {
    name: 'matroska-5gb.mkv',
    group: '5GB',
    reader: 'fast',
    pictures: 'none',
    make: { of: 'matroska.mkv', toBytes: 5 * GB },
  },
  {
    name: 'stream-5gb.ts',
    group: '5GB',
    reader: 'fast',
    pictures: 'none',
    make: { of: 'stream.ts', toBytes: 5 * GB },
  },
  {
    name: 'uhd-25gb.mp4',
    group: '25GB',
    reader: 'fast',
    pictures: 'webcodecs',
    make: { of: 'uhd-10s.mp4', toBytes: 25 * GB },
  },
]
export const GROUPS = ['small', '300MB', '5GB', '25GB'] as const
export const FILE_NAMES: readonly string[] = RECIPES.map(({ name }) => name)
const SOURCES: ReadonlySet<string> = new Set(
  RECIPES.flatMap(({ make }) => ('of' in make ? [make.of] : [])),
)

/**
 * Makes the wanted files, by group or name, one after another, and passes each to `visit`. Large
 * ones are made in `folder` and deleted before the next is made. Reports and skips a file that does
 * not fit on the disk.
 */
export async function forEachFile(
  folder: string,
  wanted: ReadonlySet<string>,
  visit: (file: BenchFile) => Promise<void>,
): Promise<void> {
  for (const { make, ...facts } of RECIPES) {
    const path = join('of' in make ? folder : CACHE, facts.name)
    const isWanted = wanted.has(facts.group) || wanted.has(facts.name)
    if (!isWanted && !SOURCES.has(facts.name)) continue
    if ('of' in make) {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < make.toBytes * 1.1) {
        console.log(
          `${facts.name} is left out: it needs ${Math.round(make.toBytes / GB)} GB of disk.`,
        )
        continue
      }
      const { size } = await stat(join(CACHE, make.of))
      await ffmpeg(
        '-stream_loop',
        String(Math.ceil(make.toBytes / size) - 1),
        '-i',
        join(CACHE, make.of),
        '-map',
        '0',
        '-c',
        'copy',
        path,
      )
    } else if (
      !(await access(path).then(
        () => true,
        () => false,
      ))
    ) {
      await mkdir(CACHE, { recursive: true })
      const begun = join(CACHE, `begun-${facts.name}`)
      // Noise, because plain patterns are decoded three times as fast as a camera's pictures.
      await ffmpeg(
        '-f',
        'lavfi',
        '-i',
        `testsrc2=size=${SIZES[make.video]}:rate=30:duration=10,noise=alls=8:allf=t`,
        '-f',
        'lavfi',
        '-i',
        'sine=frequency=440:sample_rate=48000:duration=10',
        ...make.args,
        begun,
      )
      await rename(begun, path)
    }
    if (isWanted) await visit({ ...facts, path, sizeBytes: (await stat(path)).size })
    if ('of' in make) await rm(path)
  }
}

async function ffmpeg(...args: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args])
}
