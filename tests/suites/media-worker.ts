import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, BrowserContext } from 'playwright'
import type {} from '#tests/fixtures/device-page/main.ts'
import { corpusFile } from '#tests/fixtures/media-corpus.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'

/** A browser that the media worker runs in. */
interface OtherBrowser {
  readonly name: string
  readonly start: () => Promise<Browser>
  /** Of each page, before it opens; without it the browser has WebCodecs. */
  readonly prepare?: (context: BrowserContext) => Promise<void>
}

/** What the media worker does in every browser. */
export function describeMediaWorker({ name, start, prepare }: OtherBrowser): void {
  describe(`the media worker in ${name}`, () => {
    let device: DevicePage
    beforeAll(async () => {
      device = await openDevicePage(start, prepare)
    })
    afterAll(async () => {
      await device.close()
    })
    const choose = async (name: string): Promise<void> =>
      await device.page.setInputFiles('#file', await corpusFile(name))

    it('has WebCodecs, or has none in its worker either', async () => {
      expect(await device.page.evaluate(() => 'VideoDecoder' in window)).toBe(prepare === undefined)
      if (prepare === undefined) return
      await choose('text.mp4')
      await device.page.evaluate(() => window.device.probe())
      expect(
        await Promise.all(
          device.page.workers().map((worker) => worker.evaluate(() => 'VideoDecoder' in self)),
        ),
      ).toEqual([false])
    })

    it.each([
      ['plain.mp4', 'mediabunny', 'h264'],
      ['matroska.mkv', 'mediabunny', 'h264'],
      ['mpeg4.avi', 'ffmpeg-wasm', 'mpeg4'],
      ['beyond-4-gib.mp4', 'mediabunny', 'h264'],
    ])('reads %s by %s', async (name, engine, codec) => {
      await choose(name)
      const probed = await device.page.evaluate(() => window.device.probe())
      expect(probed).toMatchObject({
        ok: true,
        value: { engine, video: { codec, displayWidth: 854, displayHeight: 480 } },
      })
      // Some containers count a picture more, as the corpus knows.
      expect(Math.abs((probed.ok ? (probed.value.durationMs ?? 0) : 0) - 5_000)).toBeLessThan(101)
    })

    it.each([
      ['cut.mp4', 'A6'],
      ['no-sound.mp4', 'B2'],
      ['black.mp4', 'B4'],
    ])('checks %s deeply and finds what %s says', async (name, ruleId) => {
      await choose(name)
      const checked = await device.page.evaluate(() => window.device.check())
      expect(
        checked.ok ? checked.value.findings.map((finding) => finding.ruleId) : checked.error.code,
      ).toContain(ruleId)
    })

    it.each(['plain.mp4', 'mpeg4.avi', 'vp9.webm'])(
      'makes a poster and a filmstrip of %s',
      async (name) => {
        await choose(name)
        expect(await device.page.evaluate(() => window.device.poster())).toMatchObject({
          ok: true,
          value: { width: 640, type: 'image/jpeg' },
        })
        expect(await device.page.evaluate(() => window.device.filmstrip())).toMatchObject({
          ok: true,
          value: Array.from({ length: 4 }, () => ({ width: 160, height: 90 })),
        })
      },
    )

    it.each([
      ['text.mp4', 'probe/not-media'],
      ['no-index.mp4', 'probe/incomplete'],
      ['photo.png', 'probe/no-video'],
    ])('refuses %s with %s', async (name, code) => {
      await choose(name)
      expect(await device.page.evaluate(() => window.device.probe())).toMatchObject({
        ok: false,
        error: { code },
      })
    })
  })
}
