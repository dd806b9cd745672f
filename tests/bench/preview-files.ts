import { execFile } from 'node:child_process'
import { access, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Encoded files are kept (100 MB), because encoding takes longer than measuring. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/preview-bench')

interface Recipe {
  readonly name: string
  readonly size: string
  readonly loops: number
  readonly args: readonly string[]
}

const SECONDS = 10
const AAC = ['-c:a', 'aac'] as const
const HD = [
  '-c:v',
  'libx264',
  '-pix_fmt',
  'yuv420p',
  '-b:v',
  '8M',
  '-maxrate',
  '8M',
  '-bufsize',
  '8M',
] as const
/** Recordings of some minutes. */
const RECIPES: readonly Recipe[] = [
  {
    name: 'hd.mp4',
    size: '1920x1080',
    loops: 18,
    args: [...HD, '-preset', 'ultrafast', '-g', '60', ...AAC],
  },
  // As editing programs export: few key frames, and pictures that depend on later ones.
  {
    name: 'hd-export.mp4',
    size: '1920x1080',
    loops: 18,
    args: [...HD, '-preset', 'veryfast', '-g', '300', ...AAC],
  },
  {
    name: 'hd-upright.mov',
    size: '1920x1080',
    loops: 18,
    args: [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=error:keyint=30:bframes=0',
      '-pix_fmt',
      'yuv420p',
      '-b:v',
      '8M',
      '-tag:v',
      'hvc1',
      '-metadata:s:v:0',
      'rotate=90',
      ...AAC,
    ],
  },
  {
    name: 'uhd.mp4',
    size: '3840x2160',
    loops: 18,
    args: [
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
      '-preset',
      'ultrafast',
      '-b:v',
      '50M',
      '-maxrate',
      '50M',
      '-bufsize',
      '50M',
      '-g',
      '60',
      ...AAC,
    ],
  },
  {
    name: 'uhd-hdr-upright.mov',
    size: '3840x2160',
    loops: 18,
    args: [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=error:keyint=30:bframes=0:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc',
      '-pix_fmt',
      'yuv420p10le',
      '-b:v',
      '28M',
      '-tag:v',
      'hvc1',
      '-color_primaries',
      'bt2020',
      '-color_trc',
      'arib-std-b67',
      '-colorspace',
      'bt2020nc',
      '-metadata:s:v:0',
      'rotate=90',
      ...AAC,
    ],
  },
]

export interface PreviewFile {
  readonly name: string
  readonly path: string
}

/**
 * The paths of the videos that previews are measured on; looped copies are made in `folder`, by `-c
 * copy`.
 */
export async function previewFiles(
  folder: string,
  wanted: readonly string[],
): Promise<readonly PreviewFile[]> {
  await mkdir(CACHE, { recursive: true })
  const files: PreviewFile[] = []
  for (const { name, size, loops, args } of RECIPES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const once = join(CACHE, name)
    if (
      !(await access(once).then(
        () => true,
        () => false,
      ))
    ) {
      const begun = join(CACHE, `begun-${name}`)
      // Noise, because plain patterns are decoded three times as fast as a camera's pictures.
      await ffmpeg(
        '-f',
        'lavfi',
        '-i',
        `testsrc2=size=${size}:rate=30:duration=${SECONDS},noise=alls=8:allf=t`,
        '-f',
        'lavfi',
        '-i',
        `sine=frequency=440:sample_rate=48000:duration=${SECONDS}`,
        ...args,
        begun,
      )
      await rename(begun, once)
    }
    const path = join(folder, name)
    await ffmpeg('-stream_loop', String(loops - 1), '-i', once, '-map', '0', '-c', 'copy', path)
    files.push({ name, path })
  }
  return files
}

async function ffmpeg(...args: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args])
}
