import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loudnessIn, LOUDNESS_METER } from '#recipes/loudness.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import {
  openBrowserPreviews,
  PREVIEW_WINDOW,
  ssim,
  type BrowserPreviews,
  type PreviewedEdit,
} from '#tests/setup/browser-previews.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { runTool } from '#tests/setup/run-tool.ts'

let previews: BrowserPreviews
beforeAll(async () => {
  previews = await openBrowserPreviews()
})
afterAll(() => previews.close())

/**
 * How loud the difference of two sounds is at its mean, in dB of full scale; far below 0 when they
 * are the same.
 */
async function differenceDb(a: string, b: string): Promise<number> {
  const graph = '[1:a]volume=-1[b];[0:a][b]amix=inputs=2:normalize=0,volumedetect'
  const { stderr } = await runTool('ffmpeg', [
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

// One of each kind of plan (the test of SRC-01 makes one of passages), of the large video, which is
// made smaller, and of files that WebCodecs and that ffmpeg's engine does not read. The others are
// made in the soak.
const EDITS: readonly PreviewedEdit[] = [
  {
    slug: 'dynamic-watermark',
    payload: { text: "@someusername 100% :it's" },
    video: 'old.avi',
  },
  { slug: 'short-trailer-gif', payload: { includeKumshot: false }, video: 'small.mp4' },
  { slug: 'still-pack', video: 'hd.mp4' },
  { slug: 'blur-video-and-audio', video: 'small.mp4' },
  { slug: 'dynamic-watermark', payload: { text: '@someusername' }, video: 'av1.mp4' },
]

describe('previews made in the browser', () => {
  it('SRC-01 are of the tracks that edits are of: no single picture, no silent sound', async () => {
    const edit = { slug: 'teaser-15s', video: 'several.mkv' } as const
    const { source, files } = await previews.expectAlike(edit)
    expect(source).toMatchObject({ width: 480, tracks: { picture: 1, sound: 1 } })
    const path = files[0]?.path ?? ''
    const heard = await ffmpeg(['-i', path, '-af', LOUDNESS_METER, '-f', 'null', '-'])
    expect(loudnessIn(heard)).toBeGreaterThan(-45)
  })

  it.each(EDITS)(
    '$slug of $video is what the server makes of the same plan, and small',
    async (edit) => {
      await expect(previews.expectAlike(edit)).resolves.toBeDefined()
    },
  )

  it('begins at the nearest key frame where key frames are rare, instead of decoding all that is before', async () => {
    const edit = { video: 'exported.mp4', slug: 'teaser-15s' } as const
    const { files, source } = await previews.make(edit)
    const likenessFrom = async (startMs: number): Promise<number> => {
      const paths = await previews.native(
        { ...edit, window: { ...PREVIEW_WINDOW, startMs } },
        source,
      )
      return await ssim(files[0]?.path ?? '', paths['teaser-15s.mp4'] ?? '')
    }
    expect(await likenessFrom(150)).toBeGreaterThanOrEqual(0.95)
    expect(await likenessFrom(PREVIEW_WINDOW.startMs)).toBeLessThan(0.95)
  })

  // The engine has no decoder for the picture, which is not looked at.
  it('REC-08 lets a masked voice be heard before and after, the same as the server makes it', async () => {
    const edit = {
      video: 'av1.mp4',
      slug: 'voice-mask-full-scene',
      window: { startMs: 5_000, durationMs: 5_000 },
    } as const
    const { files, source, shares } = await previews.make(edit)
    const paths = await previews.native(edit, source)
    expect(files.map(({ name, kind }) => [name, kind])).toEqual([
      ['before.wav', 'audio'],
      ['after.wav', 'audio'],
    ])
    for (const file of files)
      expect(await differenceDb(file.path, paths[file.name] ?? '')).toBeLessThan(-40)
    expect(shares.at(-1)).toBe(1)
  })

  it('ends when it is called off, and the next one is made all the same', async () => {
    await previews.choose('small.mp4')
    const { made } = await previews.device.page.evaluate(
      (edit) => window.device.previewCancelled(edit),
      { slug: 'teaser-15s', payload: undefined, window: PREVIEW_WINDOW, secret: SECRET },
    )
    expect(made).toEqual({ ok: false, error: { code: 'probe/cancelled' } })
    const next = await previews.make({ video: 'small.mp4', slug: 'still-pack' })
    expect(next.files).toHaveLength(1)
  })

  it('says that there is none, instead of trying, of a wrong option', async () => {
    await previews.choose('small.mp4')
    const made = await previews.device.page.evaluate((edit) => window.device.preview(edit), {
      slug: 'dynamic-watermark',
      payload: { text: ' ' },
      window: PREVIEW_WINDOW,
      secret: SECRET,
    })
    expect(made).toEqual({
      ok: false,
      error: { code: 'preview/none', message: 'Please enter your Name or Social Tag' },
    })
  })

  it('sends no request to another origin', () => expect(previews.device.foreign).toEqual([]))
})
