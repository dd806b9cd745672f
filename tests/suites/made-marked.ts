import { readFile, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import {
  boxesOf,
  inspect,
  likenessOf,
  madeByServer,
  madeSource,
  openDeviceEdits,
  packetsOf,
  poorestLikeness,
  shareAtPlace,
  type DeviceEdits,
  type Inspected,
  type MadeHere,
  type MadeSource,
} from '#tests/setup/made-edits.ts'

const SLUG = 'dynamic-watermark'
const MARK = { text: '@beach.day', size: 'large', strength: 'medium' } as const

/** A mark that lies one pixel off brings the poorest picture to 28.6, and this one has 42. */
const LEAST_DECIBELS = 34

interface MarkedOf {
  readonly video: MadeSource
  readonly browser?: string
  readonly start?: typeof startChromium
  /**
   * How much less like its source it may be than that of the server, at twice the bytes at most;
   * left out = not looked at: Chromium keeps less of faint noise in small pictures.
   */
  readonly within?: number
}

/** How a video that a browser marks is like the one of the server. */
export function describeMadeMarked(of: MarkedOf): void {
  const { video, browser = 'Chromium', start = startChromium, within = null } = of
  describe(`${video} under a mark that ${browser} lays over it`, () => {
    let edits: DeviceEdits
    let made: MadeHere
    let server = ''
    beforeAll(async () => {
      edits = await openDeviceEdits(start)
      made = await edits.make(video, SLUG, MARK)
      server = await madeByServer(video, { slug: SLUG, payload: MARK }, made.source)
    })
    afterAll(() => edits.close())

    it('NOW-05 has the pictures of the server, each in its place and at its time', async () => {
      expect(await shareAtPlace(made.path, server)).toBeGreaterThanOrEqual(0.99)
      const timesOf = async (path: string) =>
        (await packetsOf(path, 'v'))
          .map(({ pts_time }) => Number(pts_time))
          .toSorted((a, b) => a - b)
      const [own, its] = [await timesOf(made.path), await timesOf(server)]
      expect(own).toHaveLength(its.length)
      for (const [at, time] of own.entries()) expect(time).toBeCloseTo(its[at] ?? NaN, 3)
    })

    it('NOW-05 has the mark of the server in each picture, to the pixel', async () => {
      const poorest = await poorestLikeness(made.path, server)
      const likeness = await likenessOf(made.path, server)
      console.info('likeness to the edit of the server', likeness, 'poorest picture', poorest)
      expect(poorest).toBeGreaterThan(LEAST_DECIBELS)
      for (const plane of ['Y', 'U', 'V'] as const)
        expect(likeness[plane], plane).toBeGreaterThanOrEqual(0.9)
    })

    it('NOW-05 has the sound of its source, packet by packet', async () => {
      const soundOf = async (path: string) =>
        (await packetsOf(path, 'a')).map(({ data_hash, pts_time }) => [data_hash, pts_time])
      const own = await soundOf(made.path)
      expect(own.length).toBeGreaterThan(100)
      expect(own).toEqual(await soundOf(server))
      expect(own).toEqual(await soundOf(await madeSource(video)))
    })

    it('NOW-05 is an MP4 for every player, without a trace of its source', async () => {
      expect(made.fileName).toBe('video-watermarked.mp4')
      const factsOf = async (path: string) => {
        const { streams, format } = await inspect(path)
        return [...streams.map(plainFacts), Object.keys(format.tags ?? {})]
      }
      expect(await factsOf(made.path)).toEqual(await factsOf(server))
      const boxes = await boxesOf(made.path)
      expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'))
      expect(made.progress.at(-1)).toEqual({ share: 1, passage: 1, passages: 1 })
    })

    it.skipIf(within === null)('NOW-05 is as like its source as the server makes it', async () => {
      const fine = { slug: SLUG, payload: MARK, isFine: true }
      const source = await madeByServer(video, fine, made.source)
      const [own, its] = [await likenessOf(made.path, source), await likenessOf(server, source)]
      const [bytes = 0, itsBytes = 0] = (
        await Promise.all([made.path, server].map((path) => stat(path)))
      ).map(({ size }) => size)
      console.info(
        'likeness to the source, here and at the server',
        own,
        its,
        'bytes',
        bytes,
        itsBytes,
      )
      for (const plane of ['Y', 'U', 'V'] as const)
        expect(own[plane], plane).toBeGreaterThanOrEqual(its[plane] - (within ?? 0))
      expect(bytes).toBeLessThanOrEqual(2 * itsBytes)
    })

    it('NOW-06 goes on with the stretch that is missing', async () => {
      const again = await edits.goOn(video, SLUG, '.stretch-2', MARK)
      expect(again.kept).toEqual(['stretch-2'])
      const [own, before] = [await readFile(again.path), await readFile(made.path)]
      // Of larger pictures the encoder makes a little more or less each time.
      expect(Math.abs(own.length - before.length)).toBeLessThan(before.length / 100)
      expect(await shareAtPlace(again.path, server)).toBeGreaterThanOrEqual(0.99)
      expect(await poorestLikeness(again.path, server)).toBeGreaterThan(LEAST_DECIBELS)
    })

    it('sends no request to another origin', () => expect(edits.device.foreign).toEqual([]))
  })
}

const FACTS =
  'codec_name profile pix_fmt width height avg_frame_rate r_frame_rate nb_frames sample_rate channels start_time'

function plainFacts(stream: Inspected['streams'][number]): readonly unknown[] {
  const { encoder, ...tags } = (stream['tags'] ?? {}) as Readonly<Record<string, string>>
  // What ffmpeg encodes says the words of the standard, which the device leaves out.
  expect([undefined, 'AVC Coding']).toContain(encoder)
  return [...FACTS.split(' ').map((fact) => stream[fact]), tags]
}
