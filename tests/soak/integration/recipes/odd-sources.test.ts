import { afterAll, beforeAll, expect, it } from 'vitest'
import { loudnessIn, LOUDNESS_METER } from '#recipes/loudness.ts'
import { OPEN_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { litColumns, openOddBench, type OddBench } from '#tests/setup/odd-edits.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

// Few of them are in `npm test`; all pairs: `npm run bench -- edits odd`.
let bench: OddBench
beforeAll(async () => {
  bench = await openOddBench()
})
afterAll(() => bench.close())

it.each([
  ['turned.mp4', 'example-low-resolution-video'],
  ['tall-pixels.mp4', 'dynamic-watermark'],
  ['six.mkv', 'remove-background-music'],
  ['cover.mp4', 'example-low-resolution-video'],
  ['part-sound.mkv', 'dynamic-watermark'],
  ['sound-outlasts.mp4', 'voice-mask-full-scene'],
  ['late-picture.mp4', 'voice-mask-full-scene'],
  ['turned.mp4', 'teaser-15s'],
  ['turned.mp4', 'tube-cut'],
  ['six.mkv', 'enhanced-audio-full-scene'],
  ['sound-outlasts.mp4', 'remove-background-music'],
  ['far.ts', 'uniform-sampling'],
  ['cover.mp4', 'still-pack'],
  ['size-changes.ts', 'social-media-gif-pack'],
  ['size-changes.ts', 'teaser-15s'],
  ['sound-outlasts.mp4', 'dynamic-watermark'],
  ['late-picture.mp4', 'example-low-resolution-video'],
  ['open-start.ts', 'voice-mask-full-scene'],
  ['cover.mp4', 'uniform-sampling'],
  ['damaged.mp4', 'social-media-gif-pack'],
  ['shape-changes.ts', 'voice-mask-full-scene'],
  ['damaged.mp4', 'still-pack'],
  ['slow.mp4', 'still-pack'],
  ['rare-keys.ts', 'still-pack'],
  ['rare-keys.mpg', 'still-pack'],
  ['pauses.mkv', 'denoised-full-scene'],
])('REC-27 %s becomes a %s with the right length, size and sound', async (name, slug) => {
  expect(await bench.edit(slug, name)).toMatchObject({ kind: 'made' })
})

it.each(OPEN_SOURCES.map(({ name }) => name))(
  'SRC-07 %s: edits begin with a picture and are in step, copied and encoded',
  async (name) => {
    expect(await bench.edit('remove-background-music', name)).toMatchObject({ kind: 'made' })
    expect(await bench.edit('example-low-resolution-video', name)).toMatchObject({ kind: 'made' })
  },
)

it.each([
  ['silent-first.mkv', 'dynamic-watermark'],
  ['silent-marked.mp4', 'teaser-15s'],
  ['one-picture-first.mkv', 'example-low-resolution-video'],
])('SRC-01 a %s of several tracks becomes a %s of the right ones', async (name, slug) => {
  const made = await bench.edit(slug, name)
  expect(made).toMatchObject({ kind: 'made' })
  const [file = ''] = made.kind === 'made' ? made.files : []
  expect(
    loudnessIn(await ffmpeg(['-i', file, '-af', LOUDNESS_METER, '-f', 'null', '-'])),
  ).toBeGreaterThan(-45)
})

it.each([
  'shape-changes.ts',
  'shape-changes.mp4',
  'shape-changes.webm',
  'shape-changes-mpeg-2.ts',
  'shape-changes-jpeg.mkv',
  'shape-changes-mpeg-4.avi',
  'shape-changes-prores.mov',
  'shape-changes-dnxhr.mov',
])('REC-27 %s keeps the shape of its upright pictures, on black', async (name) => {
  const made = await bench.edit('example-low-resolution-video', name)
  // Upright pictures of 9:16 are 101 of these 320 columns wide.
  expect(await litColumns(made, 9)).toEqual([expect.closeTo(109, -0.8), expect.closeTo(210, -0.8)])
  expect(await litColumns(made, 3)).toEqual([0, 319])
})

it.each([['shape-changes-av1.mkv', true]])(
  'REC-27 the check after the upload knows of %s that its picture changes: %s',
  async (name, is) => {
    expect((await bench.known(name)).probe.pictureChanges).toBe(is)
  },
)

it.each([
  ['specks.mkv', 'The video is 3 × 5. Edits need at least 16 pixels on each side.'],
  ['long-gap.ts', 'The clock of this video jumps ahead in the middle'],
])('REC-27 %s is refused after the upload with a sentence', async (name, sentence) => {
  expect(await bench.refusal(name)).toContain(sentence)
})
