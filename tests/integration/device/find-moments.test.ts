import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Moment } from '#recipes/types.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'
import {
  foundByServer,
  repacked,
  sceneClip,
  surveyOfDevice,
  surveyOfServer,
  worthOfTeaser,
} from '#tests/setup/found-moments.ts'

const LENGTH_MS = 60_000

describe('the survey of a file', () => {
  it.each(['scenes.mp4', 'scenes.mov', 'scenes.ts', 'scenes.mkv'])(
    'NOW-04 finds in %s the packets that the survey of the server finds',
    async (name) => {
      const clip = await sceneClip()
      const path = name === 'scenes.mp4' ? clip : await repacked(clip, name)
      const [device, server] = [await surveyOfDevice(path, LENGTH_MS), await surveyOfServer(path)]
      expect(server.keysMs.length).toBeGreaterThan(20)
      expect(device).toEqual(server)
    },
  )
})

describe('moments that Chromium finds', () => {
  let device: DevicePage
  beforeAll(async () => {
    device = await openDevicePage()
  })
  afterAll(() => device.close())

  it('NOW-04 are those that the server finds in the same file', async () => {
    const path = await sceneClip()
    await device.page.setInputFiles('#file', path)
    const { found, source, shares } = await device.page.evaluate(() => window.device.findMoments())
    if (!found.ok) throw new Error(found.error.code)
    const { moments, isQuick } = found.value
    const server = await foundByServer(path, source)
    console.info('stretches here and at the server', moments.length, server.length)
    // A browser decodes with the filter that smooths blocks, so not every value is the same.
    const cuts = (all: readonly Moment[]) =>
      all.filter(({ startsShot }) => startsShot).map(({ atMs }) => atMs)
    expect(cuts(moments)).toEqual(cuts(server))
    const shown = (all: readonly Moment[], atMs: number) =>
      all.findLast((each) => each.atMs <= atMs)?.shows
    const places = Array.from({ length: LENGTH_MS / 500 }, (_, at) => at * 500 + 250)
    const alike = places.filter((atMs) => shown(moments, atMs) === shown(server, atMs))
    expect(alike.length / places.length).toBeGreaterThanOrEqual(0.95)
    const worth = worthOfTeaser(source, moments, server)
    expect(worth).toBeGreaterThanOrEqual(0.8 * worthOfTeaser(source, server, server))
    expect(isQuick).toBe(false)
    expect(shares.at(-1)).toBe(1)
    expect(device.foreign).toEqual([])
  })
})
