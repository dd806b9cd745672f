import { describe, expect, it } from 'vitest'
import { dynamicWatermark } from '#recipes/dynamic-watermark/preset.ts'
import { exampleLowResolutionVideo } from '#recipes/example-low-resolution-video/preset.ts'
import { recipes } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import { cutSegment, divide, joinedList, readFor, segmentName } from '#recipes/segments.ts'
import type { Divided, SourceProbe } from '#recipes/types.ts'
import { payloads, probe, SECRET } from '#tests/fixtures/probes.ts'

const watermark = dynamicWatermark.recipe
const low = exampleLowResolutionVideo.recipe
/** An hour of a camera that keeps its rhythm. */
const hour = probe({ durationMs: 3_600_000, longestStayMs: 33, soundFits: true })
const film = { text: '24000/1001', value: 24_000 / 1001 }

describe('what is divided', () => {
  it('SCL-07 an hour is sixty segments without gaps, each at a multiple of the key frames', () => {
    const segments = divide(watermark, hour, 60_000) ?? []
    expect(segments).toHaveLength(60)
    expect(segments.slice(0, 2)).toEqual([
      { fromMs: 0, toMs: 60_000 },
      { fromMs: 60_000, toMs: 120_000 },
    ])
    expect(segments.at(-1)).toEqual({ fromMs: 3_540_000, toMs: null })
    expect(divide(watermark, hour, 61_100)?.every(({ fromMs }) => fromMs % 2000 === 0)).toBe(true)
  })

  it('SCL-07 the last segment takes a rest of up to half a segment, and a longer one is its own', () => {
    const lengths = [629_000, 631_000].map(
      (durationMs) => divide(low, { ...hour, durationMs }, 60_000)?.length,
    )
    expect(lengths).toEqual([10, 11])
    expect(divide(low, { ...hour, durationMs: 80_000 }, 60_000)).toBeNull()
  })

  it('SCL-07 only recipes that say so, and only sources in which every place is found', () => {
    const others: readonly Partial<SourceProbe>[] = [
      { fileName: 'scene.avi' },
      { leadMs: 2000 },
      { pictureStartMs: 40 },
      { startsWithoutKey: true },
      { pictureChanges: true },
      { isInterlaced: true },
      { isHdr: true },
      { longestStayMs: 1500 },
    ]
    for (const other of others) expect(divide(low, { ...hour, ...other }, 60_000)).toBeNull()
    const { longestStayMs: _, ...unknown } = hour
    expect(divide(low, unknown, 60_000)).toBeNull()
    expect(
      Object.values(recipes).flatMap((recipe) =>
        divide(recipe, hour, 60_000) === null ? [] : [recipe.slug],
      ),
    ).toEqual([
      'dynamic-watermark',
      'example-low-resolution-video',
      'example-high-resolution-video',
    ])
  })

  it('SCL-07 an edit that keeps the times of its source only where they are known', () => {
    const uneven: readonly Partial<SourceProbe>[] = [
      { longestStayMs: 50 },
      { nominalRate: 30 },
      { frameRate: 29.87 },
    ]
    for (const other of uneven) {
      expect(divide(watermark, { ...hour, ...other }, 60_000)).toBeNull()
      expect(divide(low, { ...hour, ...other }, 60_000)).toHaveLength(60)
    }
  })
})

describe('a segment', () => {
  it('SCL-07 is cut by the numbers of its frames, and reads a second more at both ends', () => {
    const segment = { fromMs: 60_000, toMs: 120_000 }
    const held = { frames: 500, isHeld: true }
    expect(readFor(segment)).toEqual({ seekMs: 59_000, durationMs: 62_000 })
    expect(readFor({ fromMs: 0, toMs: 2000 })).toEqual({ durationMs: 3000 })
    expect(cutSegment(segment, film, { frames: 5000, isHeld: false })).toMatchObject({
      chain: 'setpts=round(PTS+59/TB),fps=24000/1001,trim=start_pts=1439:end_pts=2878,',
      after: ',setpts=round(PTS-1439/(24000/1001)/TB)',
    })
    expect(cutSegment({ fromMs: 0, toMs: 2000 }, film, held).chain).toBe(
      'fps=24000/1001:start_time=0,trim=start_pts=0:end_pts=48,',
    )
    expect(cutSegment({ fromMs: 2000, toMs: null }, film, held).chain).toBe(
      'setpts=round(PTS+1/TB),fps=24000/1001,tpad=stop=-1:stop_mode=clone,trim=start_pts=48:end_pts=500,',
    )
  })

  it('SCL-07 is joined at the time of its first frame, and rounding does not add up', () => {
    const segments = divide(low, hour, 60_000) ?? []
    const { text } = joinedList(segments, film)
    const lengths = [...text.matchAll(/^duration (.*)$/gm)].map(([, length]) => Number(length))
    const endsS = lengths.reduce((sum, length) => sum + length, 0)
    expect(lengths).toHaveLength(59)
    expect(endsS).toBeCloseTo(Math.ceil(3540 * film.value) / film.value, 6)
    expect(text).toContain(`file ${segmentName(59)}\n`)
  })

  it('SCL-07 has the picture alone, and the joined edit copies it and makes the sound of the whole', () => {
    const printed = (divided?: Divided): readonly string[] => {
      const plan = low.plan(hour, payloads['example-low-resolution-video'], {
        moments: [],
        assets: [],
        secret: SECRET,
        ...(divided === undefined ? {} : { divided }),
      })
      if (!plan.ok) throw new Error(plan.error.message)
      return plan.value.steps.map((step) =>
        printArgs(step, (place) => ('name' in place ? place.name : place.kind)).join(' '),
      )
    }
    const segments = divide(low, hour, 60_000) ?? []
    const segment = { fromMs: 60_000, toMs: 120_000 }
    const [only = '', ...rest] = printed({ kind: 'segment', segment })
    expect(rest).toEqual([])
    expect(only).toMatch(/^-ss 59\.000 -t 62\.000 -i source -map 0:V:0 -vf .* segment\.mp4$/)
    expect(only).not.toContain('0:a:0')
    const [whole, joined] = [printed(), printed({ kind: 'joined', segments })]
    expect(joined.slice(0, -1)).toEqual(whole.slice(0, -1))
    const soundOf = (args = ''): string => / -af .*? -map_metadata/.exec(args)?.[0] ?? 'none'
    expect(joined.at(-1)).toMatch(
      /^-f concat -i segments\.txt -i source -map 0:V:0 -c:v copy .* -map 1:a:0 /,
    )
    expect(soundOf(joined.at(-1))).toBe(soundOf(whole.at(-1)))
  })
})
