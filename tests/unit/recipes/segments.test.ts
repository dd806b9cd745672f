import { describe, expect, it } from 'vitest'
import { dynamicWatermark } from '#recipes/dynamic-watermark/preset.ts'
import { exampleLowResolutionVideo } from '#recipes/example-low-resolution-video/preset.ts'
import { ownTiming } from '#recipes/picture-timing.ts'
import { recipes } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import { noiseSeed } from '#recipes/secret.ts'
import { cutOwn, cutSteady, divide, joinedList, readFor, segmentName } from '#recipes/segments.ts'
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

  it('SCL-07 only sources in which every place is found', () => {
    const others: readonly Partial<SourceProbe>[] = [
      { fileName: 'scene.avi' },
      { leadMs: 2000 },
      { pictureLateMs: 40 },
      { startsWithoutKey: true },
      { hidesPictures: true },
      { longestStayMs: 1500 },
    ]
    for (const other of others) expect(divide(low, { ...hour, ...other }, 60_000)).toBeNull()
    const { longestStayMs: _, ...unknown } = hour
    expect(divide(low, unknown, 60_000)).toBeNull()
  })

  it('SCL-07 every edit of the whole video, unless its picture is a copy', () => {
    const divided = (source: SourceProbe): readonly string[] =>
      Object.values(recipes).flatMap((recipe) =>
        divide(recipe, source, 60_000) === null ? [] : [recipe.slug],
      )
    const always = [
      'blur-video-and-audio',
      'dynamic-watermark',
      'example-low-resolution-video',
      'example-high-resolution-video',
      'denoised-full-scene',
      'face-blurred-full-scene',
      'incognito-full-scene',
    ]
    const ofSound = [
      'enhanced-audio-full-scene',
      'remove-background-music',
      'voice-mask-full-scene',
    ]
    const kept = { ...hour, pixelFormat: 'yuv420p' }
    expect(divided(kept).toSorted()).toEqual(always.toSorted())
    const hevc = { ...kept, videoCodec: 'hevc' }
    expect(divided(hevc).toSorted()).toEqual([...always, ...ofSound].toSorted())
    expect(divided({ ...kept, grain: 0 })).not.toContain('denoised-full-scene')
  })
})

describe('a segment', () => {
  it('SCL-07 is cut out of what it reads, which is a second more at both ends', () => {
    const segment = { fromMs: 60_000, toMs: 120_000 }
    expect(readFor(segment)).toEqual({ seekMs: 59_000, durationMs: 62_000 })
    expect(readFor({ fromMs: 0, toMs: 2000 })).toEqual({ durationMs: 3000 })
    expect(cutOwn(segment, null)).toMatchObject({
      chain: 'setpts=round(PTS+59/TB),',
      after: ',trim=start=60.000000:end=120.000000,setpts=round(PTS-60/TB)',
    })
    expect(cutOwn({ fromMs: 0, toMs: 2000 }, null)).toMatchObject({
      chain: 'setpts=if(eq(N\\,0)\\,0\\,PTS),',
      after: ',trim=end=2.000000',
    })
    expect(cutOwn({ fromMs: 60_000, toMs: null }, film).after).toBe(
      ',trim=start=60.007865,setpts=round(PTS-1439/(24000/1001)/TB)',
    )
    expect(cutSteady(segment, film, 5000)).toMatchObject({
      chain: 'setpts=round(PTS+59/TB),fps=24000/1001,',
      after: ',trim=start=60.007865:end=120.026156,setpts=round(PTS-1439/(24000/1001)/TB)',
    })
    expect(cutSteady({ fromMs: 2000, toMs: null }, film, 500)).toMatchObject({
      chain: 'setpts=round(PTS+1/TB),fps=24000/1001,tpad=stop=-1:stop_mode=clone,',
      after: ',trim=start=1.991573:end=20.843740,setpts=round(PTS-48/(24000/1001)/TB)',
    })
  })

  it('SCL-07 of uneven pictures is cut at its time, of others before a frame', () => {
    const of = (source: SourceProbe): string => {
      return ownTiming(source, null, { fromMs: 60_000, toMs: 120_000 }).after
    }
    expect(of(hour)).toContain('trim=start=59.991667:')
    const uneven: readonly Partial<SourceProbe>[] = [
      { longestStayMs: 50 },
      { nominalRate: 30 },
      { frameRate: 29.87 },
      { pictureStartMs: 21 },
    ]
    for (const other of uneven) expect(of({ ...hour, ...other })).toContain('trim=start=60.000000:')
  })

  it('SCL-07 has noise of its own, which another upload has not either', () => {
    const segments = [null, { fromMs: 0, toMs: 60_000 }, { fromMs: 60_000, toMs: null }]
    const seeds = segments.map((segment) => noiseSeed(SECRET, segment))
    expect(seeds[1]).not.toBe(seeds[2])
    for (const seed of seeds) expect(seed).toBeLessThan(2 ** 31)
    const other = `${SECRET.slice(0, -16)}${'7'.repeat(16)}`
    expect(noiseSeed(other, null)).not.toBe(seeds[0])
    expect(noiseSeed('f'.repeat(64), { fromMs: 60_000, toMs: null })).toBeLessThan(2 ** 31)
  })

  it('SCL-07 is joined at the time of its first frame, and rounding does not add up', () => {
    const segments = divide(low, hour, 60_000) ?? []
    const { text } = joinedList(segments, film)
    const lengths = [...text.matchAll(/^duration (.*)$/gm)].map(([, length]) => Number(length))
    const endsS = lengths.reduce((sum, length) => sum + length, 0)
    expect(lengths).toHaveLength(59)
    expect(endsS).toBeCloseTo(Math.ceil(3540 * film.value) / film.value, 6)
    expect(text).toContain(`file ${segmentName(59)}\n`)
    const ofTimes = joinedList(segments, null).text
    expect(new Set(ofTimes.match(/^duration .*$/gm))).toEqual(new Set(['duration 60.000000']))
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
