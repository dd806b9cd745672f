import { expect, it } from 'vitest'
import { NO_DEEP_FACTS } from '#checks/facts.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { recipes } from '#recipes/presets.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import { previewScript, type PreviewScript } from '#src/local/previews/preview-script.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

const SOURCE: SourceProbe = {
  durationMs: 600_000,
  width: 1920,
  height: 1080,
  frameRate: 25,
  hasAudio: true,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioChannels: 2,
  isHdr: false,
  fileName: 'scene.mp4',
}
const REPORT: ProbeReport = {
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 1,
  durationMs: 4_000,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [],
  tookMs: 1,
  video: {
    codec: 'hevc',
    codecString: null,
    codedWidth: 640,
    codedHeight: 360,
    displayWidth: 360,
    displayHeight: 640,
    rotation: 90,
    frameRate: null,
    bitRate: null,
    isHdr: null,
  },
}
/** A preset need not have a preview. */
const previewed = Object.keys(recipes).filter((slug) => recipes[slug]?.preview !== undefined)

function script(
  slug: string,
  source = SOURCE,
  payload = recipes[slug]?.typicalPayload,
): PreviewScript {
  const made = previewScript(slug, source, payload)
  if (!made.ok) throw new Error(made.error.code)
  return made.value
}

it.each(previewed)('%s has something to show, inside the video and short', (slug) => {
  const { items } = script(slug)
  expect(items.length).toBeGreaterThan(0)
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  for (const { window } of items) {
    expect(window.startMs).toBeGreaterThanOrEqual(0)
    expect(window.startMs + window.durationMs).toBeLessThanOrEqual(SOURCE.durationMs)
    expect(window.durationMs).toBeLessThanOrEqual(5_000)
  }
})

it('shows a watermark at three places of the whole video', () => {
  expect(script('dynamic-watermark')).toMatchObject({
    kind: 'places',
    passages: [],
    areMomentsChosenLater: false,
    items: [{ kind: 'video' }, {}, {}],
  })
})

it('shows a teaser by its moments, which the server chooses later', () => {
  const { kind, items, passages, areMomentsChosenLater } = script('teaser-15s')
  expect({ kind, areMomentsChosenLater, items: items.length }).toEqual({
    kind: 'moments',
    areMomentsChosenLater: true,
    items: passages.length,
  })
  expect(items.map(({ window }) => window.startMs)).toEqual(passages.map(({ startMs }) => startMs))
})

it('REC-29 knows the shape that a teaser cuts out of a picture, and that it leaves nothing out of one that has it', () => {
  expect(script('teaser-15s').part).toBeNull()
  expect(script('teaser-square').part).toEqual({ width: 1080, height: 1080 })
  expect(script('teaser-upright').part).toEqual({ width: 606, height: 1080 })
  expect(script('teaser-upright', { ...SOURCE, width: 1080, height: 1920 }).part).toBeNull()
})

it('shows every file of the GIF pack by its name', () => {
  const { items } = script('social-media-gif-pack', { ...SOURCE, width: 1280, height: 720 })
  expect(items.map(({ files: [file], kind }) => [file?.name, kind])).toEqual([
    ['square GIF', 'gif'],
    ['wide GIF', 'gif'],
    ['upright GIF', 'gif'],
    ['looping video', 'video'],
  ])
  expect(new Set(items.map(({ window }) => window.startMs)).size).toBe(4)
})

it.each([
  ['Full HD', { width: 1920, height: 1080, frameRate: 30 }, 3_000],
  [
    '4K from a phone',
    { width: 2160, height: 3840, frameRate: 30, videoCodec: 'hevc', isHdr: true },
    1_855,
  ],
  ['720p of 150 Mbit/s', { width: 1280, height: 720, bitRate: 150_000_000 }, 2_613],
])(
  'shows the GIF pack by one moment where each of its own would take long: %s',
  (_, facts, durationMs) => {
    const { items } = script('social-media-gif-pack', { ...SOURCE, ...facts })
    expect(items.map(({ files }) => files.map(({ output }) => output))).toEqual([
      ['gif-square.gif', 'gif-wide.gif', 'gif-upright.gif', 'loop.mp4'],
    ])
    expect(items[0]?.window).toMatchObject({ durationMs })
    expect(items[0]?.window).not.toHaveProperty('output')
  },
)

it('shows twelve stills', () => {
  expect(script('still-pack')).toMatchObject({
    kind: 'gallery',
    items: Array.from({ length: 12 }, () => ({ kind: 'image' })),
  })
})

it('keeps the wait bounded: less of a picture that takes longer to decode', () => {
  const [item] = script('teaser-15s', { ...SOURCE, width: 3840, height: 2160, frameRate: 60 }).items
  expect(item?.window.durationMs).toBeLessThan(2_000)
  expect(item?.window.durationMs).toBeGreaterThanOrEqual(1_000)
  const uhd = { ...SOURCE, width: 2160, height: 3840, frameRate: 30 }
  const [plain, phone] = [uhd, { ...uhd, videoCodec: 'hevc', isHdr: true }].map(
    (source) => script('teaser-15s', source).items[0]?.window.durationMs ?? 0,
  )
  expect(plain).toBe(3_000)
  expect(phone).toBeLessThan(1_500)
})

it('says what is wrong with options, and that there is none of what has no recipe', () => {
  expect(previewScript('dynamic-watermark', SOURCE, { text: '' })).toEqual({
    ok: false,
    error: { code: 'preview/none', message: 'Please enter your Name or Social Tag' },
  })
  expect(previewScript('face-blurred-full-scene', SOURCE, undefined)).toEqual({
    ok: false,
    error: { code: 'preview/none', message: null },
  })
})

it('takes a source from a report only when a plan can be made of it', () => {
  expect(sourceProbeOf(REPORT, 'a.mp4')).toMatchObject({
    width: 360,
    height: 640,
    frameRate: 0,
    hasAudio: false,
    audioCodec: null,
    isHdr: false,
  })
  const spoken = {
    ruleId: 'A15',
    verdict: 'info',
    facts: { kind: 'sound', count: 2, taken: 2 },
  } as const
  const taken = { picture: 0, sound: 2 }
  expect([
    sourceProbeOf({ ...REPORT, taken }, 'a.mp4')?.tracks,
    sourceProbeOf({ ...REPORT, taken }, 'a.mp4', [spoken])?.tracks,
  ]).toEqual([taken, { picture: 0, sound: 1 }])
  expect(
    [null, { ...REPORT, video: null }, { ...REPORT, durationMs: null }].map((each) =>
      sourceProbeOf(each, 'a.mp4'),
    ),
  ).toEqual([null, null, null])
})

it.each([
  ['a tape that only ffmpeg reads', 'ffmpeg-wasm', undefined, true],
  ['the same, seen to be whole', 'ffmpeg-wasm', false, undefined],
  ['a file whose header says it', 'mediabunny', true, true],
  ['a file that says nothing', 'mediabunny', null, undefined],
] as const)(
  'SRC-05 the preview of %s looks for fields: %s',
  (_, engine, isInterlaced, expected) => {
    const deep = isInterlaced === undefined ? {} : { deep: { ...NO_DEEP_FACTS, isInterlaced } }
    expect(sourceProbeOf({ ...REPORT, engine, ...deep }, 'scene')?.isInterlaced).toBe(expected)
  },
)
