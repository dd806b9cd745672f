import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probe } from '#tests/fixtures/probes.ts'
import { keptClip } from '#tests/setup/kept.ts'
import {
  bothWays,
  likenessTo,
  movingClip,
  streamsOf,
  worstTime,
} from '#tests/setup/segment-figures.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const RATES = ['24000/1001', '25', '30000/1001', '60']

describe('an edit in segments of a minute', () => {
  it.each(
    ['dynamic-watermark', 'example-low-resolution-video', 'example-high-resolution-video'].flatMap(
      (slug) => RATES.map((rate, at) => [slug, rate, at % 2 === 0 ? 'mp4' : 'mkv'] as const),
    ),
  )('SCL-07 %s at %s in %s equals the whole', async (slug, rate, container) => {
    const clip = await movingClip(rate, 210, { container })
    const own = join(folder, `${slug}-${rate.replace('/', '-')}`)
    const ways = await bothWays(slug, clip, { folder: own, segmentMs: 60_000 })
    expect(ways.count).toBe(4)
    const [one, other] = [await streamsOf(ways.whole), await streamsOf(ways.joined)]
    expect(other.facts).toEqual(one.facts)
    // 24000/1001 has no whole ticks for a picture, and both round them.
    expect(worstTime(one.pictureTimes, other.pictureTimes)).toBeLessThanOrEqual(1)
    expect(other.sound).toEqual(one.sound)
    expect(await likenessTo(ways.joined, ways.whole)).toBeGreaterThan(0.97)
    const [size, joinedSize] = [(await stat(ways.whole)).size, (await stat(ways.joined)).size]
    expect(joinedSize / size).toBeLessThan(1.01)
    await rm(own, { recursive: true })
  })

  it('SCL-07 a logo moves through the joints as in the whole', async () => {
    const clip = await movingClip('30000/1001', 13)
    const drawing = '-f lavfi -i color=red:size=80x40 -frames:v 1'.split(' ')
    const logo = await keptClip('logo.png', drawing)
    const asset = { id: 'logo', kind: 'image', path: logo } as const
    const drawn = { width: 80, height: 40, durationMs: 0, hasAudio: false, frameRate: 0 }
    const { whole, joined } = await bothWays(
      'dynamic-watermark',
      clip,
      { folder: join(folder, 'logo'), segmentMs: 4000 },
      [{ ...asset, probe: probe(drawn) }],
      { logoMediaAssetId: 'logo' },
    )
    const [one, other] = [await streamsOf(whole), await streamsOf(joined)]
    expect(worstTime(one.pictureTimes, other.pictureTimes)).toBeLessThanOrEqual(1)
    expect(await likenessTo(joined, whole)).toBeGreaterThan(0.97)
  })
})
