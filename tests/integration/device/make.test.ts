import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import {
  boxesOf,
  inspect,
  lagsMs,
  likenessOf,
  loudnessOf,
  madeByServer,
  madeSource,
  openDeviceEdits,
  shareAtPlace,
  type DeviceEdits,
  type MadeHere,
} from '#tests/setup/made-edits.ts'

const TEASER = { slug: 'teaser-15s' } as const
let edits: DeviceEdits
let hd: MadeHere
let offGrid: MadeHere

beforeAll(async () => {
  edits = await openDeviceEdits()
  offGrid = await edits.make('off-grid.mp4', TEASER.slug)
  hd = await edits.make('hd.mp4', TEASER.slug)
})
afterAll(() => edits.close())

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

describe('a teaser that Chromium makes by its own codecs', () => {
  it('NOW-05 shows the pictures of the server, each in its place, also off the grid', async () => {
    for (const [video, made] of [
      ['hd.mp4', hd],
      ['off-grid.mp4', offGrid],
    ] as const) {
      const server = await madeByServer(video, TEASER, made.source)
      expect(await shareAtPlace(made.path, server)).toBeGreaterThanOrEqual(0.99)
    }
  })

  it('NOW-05 is as like the source as the server makes it, at twice its bytes at the most', async () => {
    const server = await madeByServer('hd.mp4', TEASER, hd.source)
    const source = await madeByServer('hd.mp4', { ...TEASER, isFine: true }, hd.source)
    const [own, its] = [await likenessOf(hd.path, source), await likenessOf(server, source)]
    const bytes = [await sizeOf(hd.path), await sizeOf(server)] as const
    console.info('likeness here and at the server', own, its, 'bytes', bytes)
    for (const plane of ['Y', 'U', 'V'] as const)
      expect(own[plane], plane).toBeGreaterThanOrEqual(its[plane] - 0.02)
    expect(bytes[0]).toBeLessThanOrEqual(2 * bytes[1])
  })

  it('NOW-05 sounds as the server makes it, at the same time and as loud', async () => {
    for (const [video, made] of [
      ['hd.mp4', hd],
      ['off-grid.mp4', offGrid],
    ] as const) {
      const server = await madeByServer(video, TEASER, made.source)
      const lags = await lagsMs(made.path, server, [0.5, 3, 6, 9, 12, 14])
      for (const lag of lags) expect(Math.abs(lag), String(lags)).toBeLessThanOrEqual(2)
      const louder = (await loudnessOf(made.path)) - (await loudnessOf(server))
      expect(Math.abs(louder)).toBeLessThanOrEqual(0.3)
    }
  })

  it('NOW-05 is an MP4 for every player, without a trace of its source', async () => {
    expect(hd.fileName).toBe('video-teaser-15s.mp4')
    const { streams, format } = await inspect(hd.path)
    expect(streams).toMatchObject([
      {
        codec_name: 'h264',
        profile: 'High',
        pix_fmt: 'yuv420p',
        color_space: 'bt709',
        color_primaries: 'bt709',
        color_transfer: 'bt709',
        color_range: 'tv',
        width: 1280,
        height: 720,
        avg_frame_rate: '25/1',
        r_frame_rate: '25/1',
        nb_frames: '375',
      },
      { codec_name: 'aac', sample_rate: '48000', channels: 2, start_time: '0.000000' },
    ])
    expect((await inspect(offGrid.path)).streams[0]).toMatchObject({
      avg_frame_rate: '30000/1001',
      nb_frames: '450',
    })
    const server = await inspect(await madeByServer('hd.mp4', TEASER, hd.source))
    const tags = ({ tags = {} }: { readonly tags?: unknown }): unknown => tags
    expect(streams.map(tags)).toEqual(server.streams.map(tags))
    expect(Object.keys(format.tags ?? {})).toEqual(Object.keys(server.format.tags ?? {}))
    const boxes = await boxesOf(hd.path)
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'))
    expect(hd.progress.at(-1)).toEqual({ share: 1, passage: 6, passages: 6 })
  })

  it('NOW-05 reads the passages and the index for its pictures, and not the video', async () => {
    const { source, readBytes, readByFfmpeg } = offGrid
    const drawing = findRecipe(TEASER.slug)?.drawing?.(source, undefined, { moments: [] })
    if (drawing?.ok !== true) throw new Error('no drawing')
    const { passages, frameRate } = drawing.value
    const size = await sizeOf(await madeSource('off-grid.mp4'))
    // Key frames lie 2.5 s apart.
    const seconds = passages.reduce(
      (sum, { frames }) => sum + frames / frameRate.value + 2 + 2.5,
      0,
    )
    console.info('read', readBytes, 'and', readByFfmpeg, 'of', size, 'for', seconds, 's')
    // It is read in blocks of 512 KiB, and was looked at before.
    const most = (seconds / (source.durationMs / 1000)) * size + (passages.length + 4) * 2 ** 19
    expect(readBytes).toBeLessThanOrEqual(most)
  })

  it('sends no request to another origin', () => expect(edits.device.foreign).toEqual([]))
})
