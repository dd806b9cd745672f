import { afterAll, beforeAll, expect, it } from 'vitest'
import { loudnessIn, LOUDNESS_METER } from '#recipes/loudness.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { litColumns, openOddBench, type OddBench } from '#tests/setup/odd-edits.ts'

/**
 * One of each way in which sound, picture, times or file are odd, as an edit that it would spoil.
 * More of them: tests/soak/integration/recipes/odd-sources.test.ts. All pairs: `npm run bench --
 * edits odd`.
 */
let bench: OddBench
beforeAll(async () => {
  bench = await openOddBench()
})
afterAll(() => bench.close())

it.each([
  ['turned-cover-six.mp4', 'example-low-resolution-video'],
  ['smallest.mp4', 'short-trailer-gif'],
  ['alpha.mov', 'face-blurred-full-scene'],
  ['half-second.mp4', 'tube-cut'],
  ['edit-list.mp4', 'voice-mask-full-scene'],
  ['open-start.ts', 'remove-background-music'],
  ['slow.mp4', 'uniform-sampling'],
  ['damaged.mp4', 'example-low-resolution-video'],
])('REC-27 %s becomes a %s with the right length, size and sound', async (name, slug) => {
  expect(await bench.edit(slug, name)).toMatchObject({ kind: 'made' })
})

it.each([
  ['silent-and-picture-first.mkv', { picture: 1, sound: 1 }],
  ['silent-marked.mp4', undefined],
  ['spatial.mov', { picture: 0, sound: 1 }],
])('SRC-01 the check after the upload takes of a %s of several tracks %j', async (name, tracks) => {
  const { probe } = await bench.known(name)
  expect([probe.tracks, probe.width]).toEqual([tracks, 160])
})

// An edit takes the tracks that the probe names, whatever the reason: the soak has one of each.
it('SRC-01 a video of several tracks becomes an edit of the right ones', async () => {
  const made = await bench.edit('example-low-resolution-video', 'spatial.mov')
  expect(made).toMatchObject({ kind: 'made' })
  const [file = ''] = made.kind === 'made' ? made.files : []
  expect(
    loudnessIn(await ffmpeg(['-i', file, '-af', LOUDNESS_METER, '-f', 'null', '-'])),
  ).toBeGreaterThan(-45)
})

it('SRC-07 a recording that was taken anywhere begins with its first key frame', async () => {
  // This device says the same: tests/integration/device/media-corpus.test.ts.
  const { durationMs, pictureStartMs } = (await bench.known('open-start.ts')).probe
  expect([durationMs, pictureStartMs]).toEqual([11_000, 210])
})

it.each([
  ['SRC-02', 'pauses.mkv', 'dynamic-watermark'],
  ['REC-27 SRC-07', 'tall-pixels-part-sound.mkv', 'dynamic-watermark'],
  ['SRC-03 SRC-07', 'picture-within-sound.mp4', 'voice-mask-full-scene'],
])('%s %s becomes a %s whose picture and sound begin and end with it', async (_id, name, slug) => {
  expect(await bench.edit(slug, name)).toMatchObject({ kind: 'made' })
})

it.each(['shape-changes.mkv'])(
  'REC-27 %s keeps the shape of its upright pictures, on black',
  async (name) => {
    const made = await bench.edit('example-low-resolution-video', name)
    // Upright pictures of 9:16 are 101 of these 320 columns wide.
    expect(await litColumns(made, 9)).toEqual([
      expect.closeTo(109, -0.8),
      expect.closeTo(210, -0.8),
    ])
    expect(await litColumns(made, 3)).toEqual([0, 319])
  },
)

it.each([
  ['shape-changes.mkv', true],
  ['shape-changes-mpeg-4.avi', true],
  ['shape-changes-prores.mov', true],
  ['smallest.mp4', undefined],
])(
  'REC-27 the check after the upload knows of %s that its picture changes: %s',
  async (name, is) => {
    expect((await bench.known(name)).probe.pictureChanges).toBe(is)
  },
)

it.each([
  ['one.mkv', 'This file has no video that can be shown.'],
  ['sound-changes.ts', 'The sound of this video changes in the middle'],
  ['sound-changes.mkv', 'The sound of this video changes in the middle'],
  ['next-to-none.mp4', 'This video has less than one picture in two seconds'],
])('REC-27 SRC-03 %s is refused after the upload with a sentence', async (name, sentence) => {
  expect(await bench.refusal(name)).toContain(sentence)
})
