import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import {
  inspect,
  loudnessOf,
  madeByServer,
  openDeviceEdits,
  shareAtPlace,
  type DeviceEdits,
  type MadeSource,
} from '#tests/setup/made-edits.ts'

const UNIFORM = { maximumDuration: 20_000, segmentCount: 5 }
const TUBE = { targetDuration: 20_000 }

/** The edit of the device is the server's: each picture in its place, and as loud. */
async function expectLikeTheServer(
  edits: DeviceEdits,
  video: MadeSource,
  slug: string,
  payload?: unknown,
): Promise<void> {
  const made = await edits.make(video, slug, payload)
  const server = await madeByServer(video, { slug, payload }, made.source)
  expect(await shareAtPlace(made.path, server)).toBeGreaterThanOrEqual(0.99)
  const louder = (await loudnessOf(made.path)) - (await loudnessOf(server))
  expect(Math.abs(louder)).toBeLessThanOrEqual(0.3)
  const shown = async (path: string) => {
    const [picture] = (await inspect(path)).streams
    const { width, height, nb_frames, avg_frame_rate, pix_fmt } = picture ?? {}
    const [pictures = 0, seconds = 1] = String(avg_frame_rate).split('/').map(Number)
    // What the server joins has 13485000/449963 pictures a second, where the source has 30000/1001.
    const rate = Math.round((100 * pictures) / seconds) / 100
    return { width, height, nb_frames, rate, pix_fmt }
  }
  expect(await shown(made.path)).toEqual(await shown(server))
}

describe.each([
  ['Chromium', startChromium, ''],
  ['Chromium without an encoder', startChromium, 'delete self.VideoEncoder;'],
  ['Firefox', startFirefox, ''],
] as const)('edits that %s makes', (browser, start, prelude) => {
  let edits: DeviceEdits
  beforeAll(async () => {
    edits = await openDeviceEdits(start, prelude)
  })
  afterAll(() => edits.close())

  it.each([
    ['hd.mp4', 'teaser-15s'],
    ['off-grid.mp4', 'teaser-15s'],
    ['hd.mp4', 'teaser-square'],
    ['off-grid.mp4', 'teaser-upright'],
    ['tall.mp4', 'teaser-upright'],
    ['off-grid.mp4', 'uniform-sampling', UNIFORM],
    ['off-grid.mp4', 'tube-cut', TUBE],
  ] as const)('NOW-05 of %s: %s', async (video, slug, payload?: unknown) => {
    await expectLikeTheServer(edits, video, slug, payload)
  })

  it.skipIf(prelude !== '').each([
    ['off-grid.mp4', 'teaser-60s'],
    ['full-hd.mp4', 'teaser-60s'],
    ['full-hd.mp4', 'teaser-square'],
  ] as const)(`NOW-05 of %s in ${browser}: %s`, async (video, slug) => {
    await expectLikeTheServer(edits, video, slug)
  })
})
