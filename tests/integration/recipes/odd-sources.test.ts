import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeOddSource, type OddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { ODD_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { editOdd, knowSource, type KnownSource } from '#tests/setup/odd-edits.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'

// All pairs: `npm run bench -- edits odd`.
let ffmpeg: Ffmpeg
let folder = ''
beforeAll(async () => {
  ffmpeg = await testFfmpeg()
  folder = await mkdtemp(join(tmpdir(), 'odd-sources-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What is known of sources that were checked already. */
const checked = new Map<string, KnownSource | string>()

async function known(name: string): Promise<KnownSource | string> {
  const source = ODD_SOURCES.find((each): each is OddSource => each.name === name)
  if (source === undefined) throw new Error(`There is no source ${name}`)
  const found =
    checked.get(name) ??
    (await knowSource(ffmpeg, source, await makeOddSource(source, ODD_SOURCES), folder))
  checked.set(name, found)
  return found
}

it.each([
  ['turned.mp4', 'teaser-15s'],
  ['tall-pixels.mp4', 'dynamic-watermark'],
  ['smallest.mp4', 'short-trailer-gif'],
  ['half-second.mp4', 'tube-cut'],
  ['edit-list.mp4', 'voice-mask-full-scene'],
  ['late-picture.mp4', 'example-low-resolution-video'],
  ['far.ts', 'uniform-sampling'],
  ['open-start.ts', 'voice-mask-full-scene'],
  ['cover.mp4', 'still-pack'],
  ['alpha.mov', 'face-blurred-full-scene'],
  ['six.mkv', 'enhanced-audio-full-scene'],
  ['sound-outlasts.mp4', 'remove-background-music'],
  ['size-changes.ts', 'teaser-15s'],
  ['size-changes.ts', 'social-media-gif-pack'],
  ['shape-changes.ts', 'voice-mask-full-scene'],
  ['damaged.mp4', 'still-pack'],
  ['damaged.mp4', 'social-media-gif-pack'],
  ['slow.mp4', 'still-pack'],
  ['slow.mp4', 'uniform-sampling'],
  ['rare-keys.ts', 'still-pack'],
  ['rare-keys.mpg', 'still-pack'],
])('REC-27 %s becomes a %s with the right length, size and sound', async (name, slug) => {
  const source = await known(name)
  if (typeof source === 'string') throw new Error(source)
  expect(await editOdd(ffmpeg, slug, source, folder)).toMatchObject({ kind: 'made' })
})

it.each(['shape-changes.ts', 'shape-changes.mp4', 'shape-changes.webm', 'shape-changes-mpeg-2.ts'])(
  'REC-27 %s keeps the shape of its upright pictures, on black',
  async (name) => {
    const source = await known(name)
    if (typeof source === 'string') throw new Error(source)
    const made = await editOdd(ffmpeg, 'example-low-resolution-video', source, folder)
    const path = made.kind === 'made' ? made.files[0] : undefined
    // Upright pictures of 9:16 are 101 of these 320 columns wide.
    const isBlack = (await columnsAt(path, 12)).map((level) => level < 24)
    expect([isBlack.indexOf(false), isBlack.lastIndexOf(false)]).toEqual([
      expect.closeTo(109, -0.8),
      expect.closeTo(210, -0.8),
    ])
    expect((await columnsAt(path, 6)).every((level) => level >= 24)).toBe(true)
  },
)

it.each([
  ['shape-changes.mkv', true],
  ['shape-changes-av1.mkv', true],
  ['plain.mp4', undefined],
])(
  'REC-27 the check after the upload knows of %s that its picture changes: %s',
  async (name, is) => {
    const source = await known(name)
    if (typeof source === 'string') throw new Error(source)
    expect(source.probe.pictureChanges).toBe(is)
  },
)

/** The mean brightness of each column of a picture, of which the upper half is left out. */
async function columnsAt(path: string | undefined, atS: number): Promise<readonly number[]> {
  const filter = 'crop=iw:ih/2:0:ih/2,scale=320:1:flags=area,format=gray'
  return [...(await rawPictures(path ?? '', filter, { fromS: atS, count: 1 }))]
}

it.each([
  ['specks.mkv', 'The video is 3 × 5. Edits need at least 16 pixels on each side.'],
  ['one.mkv', 'This file has no video that can be shown.'],
  ['sound-changes.ts', 'The sound of this video changes in the middle'],
  ['long-gap.ts', 'The clock of this video jumps ahead in the middle'],
])('REC-27 %s is refused after the upload with a sentence', async (name, sentence) => {
  expect(await known(name)).toContain(sentence)
})
