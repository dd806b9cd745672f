import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {} from '#tests/fixtures/device-page/main.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { PreviewWindow, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'

const run = promisify(execFile)

let device: DevicePage
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-preview-'))
  const made = async (name: string, size: string, ...codec: readonly string[]): Promise<void> => {
    const inputs = [
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=${size}:rate=25:duration=13`,
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=330:sample_rate=48000:duration=13',
    ]
    await run('ffmpeg', [
      '-v',
      'error',
      '-y',
      ...inputs,
      '-vf',
      'noise=alls=8:allf=t',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '50',
      ...codec,
      join(folder, name),
    ])
  }
  // Its noise takes 27 Mbit/s: with a key frame every second, one is near each window.
  await made(
    'hd.mp4',
    '1280x720',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-c:a',
    'aac',
  )
  await made(
    'small.mp4',
    '480x270',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-c:a',
    'aac',
  )
  await made('upright.mov', '270x480', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac')
  await made(
    'hevc.mp4',
    '480x270',
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
    '-c:a',
    'aac',
  )
  await made('av1.mp4', '480x270', '-c:v', 'libsvtav1', '-preset', '12', '-c:a', 'aac')
  await made(
    'exported.mp4',
    '1280x720',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '600',
    '-c:a',
    'aac',
  )
  await made('old.avi', '480x270', '-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'libmp3lame')
  device = await openDevicePage()
  // The engine is loaded once, which is not part of a preview.
  await preview('old.avi', 'still-pack', undefined, WINDOW)
})

afterAll(async () => {
  await device.close()
  await rm(folder, { recursive: true, force: true })
})

interface Made {
  readonly name: string
  readonly path: string
  readonly kind: string
}
interface Rendered {
  readonly files: readonly Made[]
  readonly tookMs: number
  readonly source: SourceProbe
  readonly shares: readonly number[]
}

/** Makes a preview in the browser and writes its files beside the video. */
async function preview(
  video: string,
  slug: string,
  payload: unknown,
  part: PreviewWindow,
): Promise<Rendered> {
  await device.page.setInputFiles('#file', join(folder, video))
  const made = await device.page.evaluate((edit) => window.device.preview(edit), {
    slug,
    payload,
    window: part,
    secret: SECRET,
  })
  if (!made.ok) throw new Error(made.error.code)
  const files = await Promise.all(
    made.value.files.map(async ({ name, kind, base64 }) => {
      const path = join(folder, `browser-${name}`)
      await writeFile(path, Buffer.from(base64, 'base64'))
      return { name, kind, path }
    }),
  )
  return { ...made.value, files }
}

/** Renders the same plan by the ffmpeg of the machine; paths by name. */
async function native(
  video: string,
  source: SourceProbe,
  slug: string,
  payload: unknown,
  window: PreviewWindow,
): Promise<{ readonly paths: Readonly<Record<string, string>>; readonly tookMs: number }> {
  const plan = findRecipe(slug)?.preview?.(source, payload, window, { secret: SECRET })
  if (plan?.ok !== true) throw new Error('no plan')
  const place = join(folder, 'native')
  await mkdir(place, { recursive: true })
  const startedAt = performance.now()
  const paths = await renderPlan(plan.value, { source: join(folder, video), folder: place })
  return { paths, tookMs: performance.now() - startedAt }
}

/**
 * Structural likeness of two videos or pictures of the same size, frame by frame; the mean, 1 when
 * they are the same.
 */
async function ssim(a: string, b: string): Promise<number> {
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

/**
 * How loud the difference of two sounds is at its mean, in dB of full scale; far below 0 when they
 * are the same.
 */
async function differenceDb(a: string, b: string): Promise<number> {
  const graph = '[1:a]volume=-1[b];[0:a][b]amix=inputs=2:normalize=0,volumedetect'
  const { stderr } = await run('ffmpeg', [
    '-v',
    'info',
    '-i',
    a,
    '-i',
    b,
    '-filter_complex',
    graph,
    '-f',
    'null',
    '-',
  ])
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? 0)
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

const WINDOW: PreviewWindow = { startMs: 7_000, durationMs: 3_000 }
// One of each kind of plan: the longer teaser and samplings have that of the shorter teaser. One is
// of a large video, which is made smaller.
const EDITS: readonly (readonly [slug: string, payload: unknown, video: string])[] = [
  ['dynamic-watermark', { text: "@someusername 100% :it's" }, 'small.mp4'],
  ['teaser-15s', undefined, 'small.mp4'],
  ['social-media-gif-pack', undefined, 'small.mp4'],
  ['still-pack', undefined, 'hd.mp4'],
  ['short-trailer-gif', { includeKumshot: false }, 'small.mp4'],
  ['tube-cut', { targetDuration: 10_000 }, 'small.mp4'],
  ['example-low-resolution-video', undefined, 'small.mp4'],
  ['blur-video-and-audio', undefined, 'small.mp4'],
]

describe('previews made in the browser', () => {
  it.each(EDITS)(
    '%s is what the server makes of the same plan, and small',
    async (slug, payload, video) => {
      const { files, tookMs, source, shares } = await preview(video, slug, payload, WINDOW)
      const expected = await native(video, source, slug, payload, WINDOW)
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) {
        const likeness = await ssim(file.path, expected.paths[file.name] ?? '')
        console.info(
          `${slug} ${file.name}: SSIM ${likeness.toFixed(4)}, ${Math.round(tookMs)} ms, ${shares.length} shares`,
        )
        expect(likeness).toBeGreaterThanOrEqual(0.95)
        expect(await shortSide(file.path)).toBeLessThanOrEqual(480)
      }
      expect(shares.at(-1)).toBe(1)
    },
  )

  it.each(['upright.mov', 'hevc.mp4', 'old.avi', 'av1.mp4'])('of %s too', async (video) => {
    const { files, tookMs, source } = await preview(
      video,
      'dynamic-watermark',
      { text: '@someusername' },
      WINDOW,
    )
    const expected = await native(
      video,
      source,
      'dynamic-watermark',
      { text: '@someusername' },
      WINDOW,
    )
    const likeness = await ssim(files[0]?.path ?? '', expected.paths[files[0]?.name ?? ''] ?? '')
    console.info(`${video}: SSIM ${likeness.toFixed(4)}, ${Math.round(tookMs)} ms`)
    expect(likeness).toBeGreaterThanOrEqual(0.95)
  })

  it('begins at the nearest key frame where key frames are rare, instead of decoding all that is before', async () => {
    const { files, source } = await preview('exported.mp4', 'teaser-15s', undefined, WINDOW)
    const likenessFrom = async (startMs: number): Promise<number> =>
      ssim(
        files[0]?.path ?? '',
        (await native('exported.mp4', source, 'teaser-15s', undefined, { ...WINDOW, startMs }))
          .paths['teaser-15s.mp4'] ?? '',
      )
    expect(await likenessFrom(150)).toBeGreaterThanOrEqual(0.95)
    expect(await likenessFrom(WINDOW.startMs)).toBeLessThan(0.95)
  })

  // The engine has no decoder for the picture of the second, which is not looked at.
  it.each(['small.mp4', 'av1.mp4'])(
    'REC-08 lets a masked voice be heard before and after, the same as the server makes it: %s',
    async (video) => {
      const window = { startMs: 7_000, durationMs: 5_000 }
      const { files, source, shares } = await preview(
        video,
        'voice-mask-full-scene',
        undefined,
        window,
      )
      const { paths } = await native(video, source, 'voice-mask-full-scene', undefined, window)
      expect(files.map(({ name, kind }) => [name, kind])).toEqual([
        ['before.wav', 'audio'],
        ['after.wav', 'audio'],
      ])
      for (const file of files)
        expect(await differenceDb(file.path, paths[file.name] ?? '')).toBeLessThan(-40)
      expect(shares.at(-1)).toBe(1)
    },
  )

  it('ends when it is called off, and the next one is made all the same', async () => {
    await device.page.setInputFiles('#file', join(folder, 'small.mp4'))
    const { made } = await device.page.evaluate((edit) => window.device.previewCancelled(edit), {
      slug: 'teaser-15s',
      payload: undefined,
      window: WINDOW,
      secret: SECRET,
    })
    expect(made).toEqual({ ok: false, error: { code: 'probe/cancelled' } })
    expect((await preview('small.mp4', 'still-pack', undefined, WINDOW)).files).toHaveLength(1)
  })

  it('says that there is none, instead of trying, of a wrong option', async () => {
    await device.page.setInputFiles('#file', join(folder, 'small.mp4'))
    const made = await device.page.evaluate((edit) => window.device.preview(edit), {
      slug: 'dynamic-watermark',
      payload: { text: ' ' },
      window: WINDOW,
      secret: SECRET,
    })
    expect(made).toEqual({
      ok: false,
      error: { code: 'preview/none', message: 'Please enter your Name or Social Tag' },
    })
  })

  it('sends no request to another origin', () => expect(device.foreign).toEqual([]))
})
