import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bothWays,
  likenessTo,
  movingClip,
  movingFace,
  streamsOf,
  unevenClip,
  worstLikeness,
  worstTime,
} from '#tests/setup/segment-figures.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('an edit in segments', () => {
  it.each([
    // Its clock has whole milliseconds.
    ['dynamic-watermark', '30000/1001', 'mkv'],
    ['example-low-resolution-video', '25', 'mp4'],
  ])(
    'SCL-07 %s at %s pictures a second in %s has the pictures, times, sound and size of the whole',
    async (slug, rate, container) => {
      const clip = await movingClip(rate, 5, { container })
      const { whole, joined, count } = await bothWays(slug, clip, {
        folder: join(folder, slug),
        segmentMs: 2000,
      })
      expect(count).toBe(3)
      const [one, other] = [await streamsOf(whole), await streamsOf(joined)]
      expect(other.facts).toEqual(one.facts)
      expect(worstTime(one.pictureTimes, other.pictureTimes)).toBe(0)
      expect(other.sound).toEqual(one.sound)
      expect(await likenessTo(joined, whole)).toBeGreaterThan(0.97)
      const [size, joinedSize] = [(await stat(whole)).size, (await stat(joined)).size]
      // Three key frames where a minute has one.
      expect(joinedSize / size).toBeLessThan(1.15)
    },
  )

  it('SCL-07 hides faces of uneven pictures by the same mosaic at the same times', async () => {
    const clip = await unevenClip(5)
    const { whole, joined, count } = await bothWays(
      'face-blurred-full-scene',
      clip,
      { folder: join(folder, 'faces'), segmentMs: 2000 },
      { faces: movingFace(5000), isFine: true },
    )
    expect(count).toBe(3)
    const [one, other] = [await streamsOf(whole), await streamsOf(joined)]
    expect(worstTime(one.pictureTimes, other.pictureTimes)).toBe(0)
    expect(new Set(one.pictureTimes.map((at) => at % 3000)).size).toBeGreaterThan(5)
    expect(other.sound).toEqual(one.sound)
    expect(await worstLikeness(joined, whole)).toBeGreaterThan(0.99)
  })
})
