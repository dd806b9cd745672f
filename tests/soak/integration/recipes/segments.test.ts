import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SourceProbe } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { keptClip } from '#tests/setup/kept.ts'
import {
  bothWays,
  likenessTo,
  movingClip,
  movingFace,
  streamsOf,
  unevenClip,
  worstLikeness,
  worstTime,
  type MovingClip,
} from '#tests/setup/segment-figures.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const words = (text: string): readonly string[] => text.split(' ')
const SECONDS = 13
const SOUND = `-f lavfi -i sine=f=300:b=2:d=${SECONDS}`
const H264 = words('-pix_fmt yuv420p -c:v libx264 -preset veryfast -g 71 -c:a aac')
const PQ = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'

function moving(rate: string): readonly string[] {
  return words(`-f lavfi -i testsrc2=size=320x180:rate=${rate}:duration=${SECONDS} ${SOUND}`)
}

/** Videos that are not plain: how each is made, and what is known of it. */
const MADE: Readonly<
  Record<string, { readonly made: readonly string[]; readonly known: Partial<SourceProbe> }>
> = {
  'staying.mp4': {
    made: [...moving('30'), '-vf', "select='gt(mod(n,20),7)'", '-fps_mode', 'passthrough', ...H264],
    known: { frameRate: 18, nominalRate: 30, longestStayMs: 300 },
  },
  'interlaced.mp4': {
    made: [
      ...moving('50'),
      ...words('-vf interlace -flags +ilme+ildct -x264-params tff=1'),
      ...H264,
    ],
    known: { frameRate: 25, longestStayMs: 40, isInterlaced: true },
  },
  'fields.mp4': {
    made: [...moving('50'), '-vf', 'interlace', ...H264],
    known: { frameRate: 25, longestStayMs: 40, isInterlaced: true, fieldOrder: 'top' },
  },
  'hdr.mp4': {
    made: [
      ...moving('30000/1001'),
      ...words('-pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -g 71 -tag:v hvc1 -c:a aac'),
      ...words('-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc'),
      '-x265-params',
      `log-level=error:${PQ}`,
    ],
    known: {
      frameRate: 29.97,
      longestStayMs: 33,
      isHdr: true,
      videoCodec: 'hevc',
      pixelFormat: 'yuv420p10le',
      colorMatrix: 'bt2020',
    },
  },
  // Its sound moves the picture back.
  'late.mkv': {
    made: [...moving('30000/1001'), ...H264],
    known: { frameRate: 29.97, longestStayMs: 33, pictureStartMs: 23 },
  },
  'later.mp4': {
    made: [
      ...moving('30'),
      ...words('-vf setpts=PTS+0.34/TB -fps_mode passthrough -enc_time_base 1/15360'),
      ...H264,
    ],
    known: { frameRate: 30, longestStayMs: 33, pictureStartMs: 333, soundFits: false },
  },
}

/** A picture that becomes upright in the middle, without sound. */
async function turningClip(): Promise<MovingClip> {
  const sizes = ['320x180', '180x320']
  const parts: string[] = []
  for (const [at, size] of sizes.entries()) {
    const clip = `-f lavfi -i testsrc2=size=${size}:rate=25:duration=${at === 0 ? 7 : SECONDS - 7}`
    const made = [...words(clip), ...words('-pix_fmt yuv420p -c:v libx264 -preset veryfast -g 71')]
    parts.push(await keptClip(`part-${at}.ts`, made))
  }
  return await clipOf(TURNS, {
    made: ['-i', `concat:${parts.join('|')}`, '-c', 'copy'],
    known: {
      frameRate: 25,
      longestStayMs: 40,
      pictureChanges: true,
      colorMatrix: 'bt601',
      hasAudio: false,
      audioCodec: null,
    },
  })
}

async function clipOf(
  fileName: string,
  { made, known }: (typeof MADE)[string],
): Promise<MovingClip> {
  const source = probe({
    durationMs: SECONDS * 1000,
    width: 320,
    height: 180,
    soundFits: true,
    fileName,
    ...known,
  })
  return { path: await keptClip(fileName, made), source }
}

const TURNS = 'turns.mkv'
const CLIPS: Readonly<Record<string, () => Promise<MovingClip>>> = {
  'uneven.mp4': async () => await unevenClip(SECONDS),
  [TURNS]: turningClip,
  ...Object.fromEntries(
    Object.entries(MADE).map(([name, each]) => [name, async () => await clipOf(name, each)]),
  ),
}

const WHOLE_SCENES = [
  'dynamic-watermark',
  'example-low-resolution-video',
  'example-high-resolution-video',
  'blur-video-and-audio',
  'denoised-full-scene',
  'face-blurred-full-scene',
  'voice-mask-full-scene',
]

const RATES = ['24000/1001', '25', '30000/1001', '60']

describe('an edit in segments of any kind of video', () => {
  it.each(
    Object.keys(CLIPS).flatMap((kind) =>
      WHOLE_SCENES.filter((slug) => kind !== TURNS || slug !== 'voice-mask-full-scene').map(
        (slug) => [slug, kind] as const,
      ),
    ),
  )('SCL-07 %s of %s has the pictures, times and sound of the whole', async (slug, kind) => {
    const clip = await CLIPS[kind]?.()
    if (clip === undefined) throw new Error(`There is no ${kind}`)
    const own = join(folder, `${slug}-${kind}`)
    const ways = await bothWays(
      slug,
      clip,
      { folder: own, segmentMs: 4000 },
      {
        faces: movingFace(SECONDS * 1000),
        isFine: true,
      },
    )
    expect(ways.count).toBe(3)
    const [one, other] = [await streamsOf(ways.whole), await streamsOf(ways.joined)]
    expect(other.facts).toEqual(one.facts)
    expect(worstTime(one.pictureTimes, other.pictureTimes)).toBeLessThanOrEqual(1)
    if (clip.source.hasAudio) expect(samplesOf(other.sound)).toEqual(samplesOf(one.sound))
    expect(await worstLikeness(ways.joined, ways.whole)).toBeGreaterThan(0.99)
    await rm(own, { recursive: true })
  })
})

/** A sound that is copied out of Matroska has its clock, which is rounded in another way. */
function samplesOf(sound: readonly string[]): readonly (string | undefined)[] {
  return sound.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1)?.trim())
}

describe('an edit in segments of a minute', () => {
  it.each(
    WHOLE_SCENES.slice(0, 4).flatMap((slug) =>
      RATES.map((rate, at) => [slug, rate, at % 2 === 0 ? 'mp4' : 'mkv'] as const),
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
      {
        assets: [{ ...asset, probe: probe(drawn) }],
        payload: { logoMediaAssetId: 'logo' },
      },
    )
    const [one, other] = [await streamsOf(whole), await streamsOf(joined)]
    expect(worstTime(one.pictureTimes, other.pictureTimes)).toBeLessThanOrEqual(1)
    expect(await likenessTo(joined, whole)).toBeGreaterThan(0.97)
  })
})
