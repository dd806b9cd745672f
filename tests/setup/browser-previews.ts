import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { onTracksOf } from '#recipes/print-args.ts'
import type { PreviewWindow, SourceProbe } from '#recipes/types.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { openDevicePage, type DevicePage } from './device-page.ts'
import { keptClip } from './kept.ts'
import { renderKept } from './kept-render.ts'

const run = promisify(execFile)

const H264 = '-c:v libx264 -preset ultrafast -c:a aac'
/** How large each video is, whether it has noise, its pictures a second, and how it is encoded. */
const SOURCES = {
  // Its noise takes much: with a key frame every second, one is near each window.
  'hd.mp4': ['960x540', true, 12, `${H264} -g 12`],
  'small.mp4': ['480x270', true, 12, `${H264} -g 12`],
  'upright.mov': ['270x480', false, 12, `${H264} -g 24`],
  'hevc.mp4': [
    '480x270',
    false,
    12,
    '-c:v libx265 -preset ultrafast -x265-params log-level=error -g 24 -c:a aac',
  ],
  'av1.mp4': ['480x270', false, 12, '-c:v libsvtav1 -preset 12 -g 24 -c:a aac'],
  'exported.mp4': ['1280x720', false, 25, `${H264} -g 600`],
  'several.mkv': [
    '480x270',
    false,
    12,
    '-filter_complex color=red:s=640x640:r=1:d=1[red];anullsrc=r=48000:cl=mono:d=10[silence] ' +
      `-map [red] -map 0 -map [silence] -map 1 ${H264} -g 12 -disposition:a:0 0 -disposition:a:1 default`,
  ],
  'old.avi': ['480x270', false, 12, '-c:v mpeg4 -q:v 3 -g 24 -c:a libmp3lame'],
} as const
type PreviewSource = keyof typeof SOURCES
const SECONDS = 10

/** The path of a source, made if it is not kept. */
async function pathOf(name: PreviewSource): Promise<string> {
  const [size, isNoisy, rate, codecs] = SOURCES[name]
  return await keptClip(name, [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=${rate}:duration=${SECONDS}`,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=330:sample_rate=48000:duration=${SECONDS}`,
    ...(isNoisy ? ['-vf', 'noise=alls=8:allf=t:all_seed=1'] : []),
    '-pix_fmt',
    'yuv420p',
    ...codecs.split(' '),
  ])
}

export const PREVIEW_WINDOW: PreviewWindow = { startMs: 5_000, durationMs: 3_000 }

/** An edit of one of the sources. */
export interface PreviewedEdit {
  readonly video: PreviewSource
  readonly slug: string
  readonly payload?: unknown
  readonly window?: PreviewWindow
}

interface Rendered {
  readonly files: readonly { readonly name: string; readonly path: string; readonly kind: string }[]
  readonly tookMs: number
  readonly source: SourceProbe
  readonly shares: readonly number[]
}

/** Previews of a browser, and of the ffmpeg of the machine beside them. */
export interface BrowserPreviews {
  readonly device: DevicePage
  readonly choose: (video: PreviewSource) => Promise<void>
  readonly make: (edit: PreviewedEdit) => Promise<Rendered>
  /** Paths by name. */
  readonly native: (
    edit: PreviewedEdit,
    source: SourceProbe,
  ) => Promise<Readonly<Record<string, string>>>
  /** Expects a preview to be what the server makes of the same plan, and small; returns it. */
  readonly expectAlike: (edit: PreviewedEdit) => Promise<Rendered>
  readonly close: () => Promise<void>
}

export async function openBrowserPreviews(): Promise<BrowserPreviews> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-preview-'))
  const device = await openDevicePage()
  const previews = { device, ...makersIn(device, folder) }
  return {
    ...previews,
    expectAlike: async (edit) => await expectAlike(previews, edit),
    close: async () => {
      await device.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function makersIn(
  { page }: DevicePage,
  folder: string,
): Pick<BrowserPreviews, 'choose' | 'make' | 'native'> {
  const choose = async (video: PreviewSource): Promise<void> =>
    await page.setInputFiles('#file', await pathOf(video))
  return {
    choose,
    make: async ({ video, slug, payload, window: part = PREVIEW_WINDOW }) => {
      await choose(video)
      const asked = { slug, payload, window: part, secret: SECRET }
      const made = await page.evaluate((edit) => window.device.preview(edit), asked)
      if (!made.ok) throw new Error(made.error.code)
      const files = await Promise.all(
        made.value.files.map(async ({ name, kind, base64 }) => {
          const path = join(folder, `browser-${name}`)
          await writeFile(path, Buffer.from(base64, 'base64'))
          return { name, kind, path }
        }),
      )
      return { ...made.value, files }
    },
    native: async ({ video, slug, payload, window: part = PREVIEW_WINDOW }, source) => {
      const plan = findRecipe(slug)?.preview?.(source, payload, part, { secret: SECRET })
      if (plan?.ok !== true) throw new Error('no plan')
      const steps = plan.value.steps.map((step) => onTracksOf(source, step))
      return await renderKept({ ...plan.value, steps }, { source: await pathOf(video) })
    },
  }
}

async function expectAlike(
  { make, native }: Pick<BrowserPreviews, 'make' | 'native'>,
  edit: PreviewedEdit,
): Promise<Rendered> {
  const made = await make(edit)
  const { files, tookMs, source, shares } = made
  const expected = await native(edit, source)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const likeness = await ssim(file.path, expected[file.name] ?? '')
    console.info(
      `${edit.slug} of ${edit.video}, ${file.name}: SSIM ${likeness.toFixed(4)}, ${Math.round(tookMs)} ms, ${shares.length} shares`,
    )
    expect(likeness).toBeGreaterThanOrEqual(0.95)
    expect(await shortSide(file.path)).toBeLessThanOrEqual(480)
  }
  expect(shares.at(-1)).toBe(1)
  return made
}

/**
 * Structural likeness of two videos or pictures of the same size, frame by frame; the mean, 1 when
 * they are the same.
 */
export async function ssim(a: string, b: string): Promise<number> {
  const { stderr } = await run('ffmpeg', [
    '-v',
    'info',
    '-i',
    a,
    '-i',
    b,
    '-lavfi',
    '[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]ssim',
    '-f',
    'null',
    '-',
  ])
  return Number(/All:([\d.]+)/.exec(stderr)?.[1] ?? 0)
}

async function shortSide(path: string): Promise<number> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0',
    path,
  ])
  return Math.min(...stdout.trim().split(',').map(Number))
}
