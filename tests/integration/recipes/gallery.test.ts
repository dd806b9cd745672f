import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import {
  GALLERY_FACES,
  GALLERY_GROUND,
  GALLERY_SECRETS,
  GALLERY_SIZE,
  gallerySource,
} from '#tests/fixtures/gallery-source.ts'
import { loudnessOfAll } from '#tests/integration/recipes/measure.ts'
import { exhibit, shownOfExhibit } from '#tests/setup/gallery.ts'
import { complaintsAbout, decodingErrors, shownOf } from '#tests/setup/odd-complaints.ts'
import { difference, frameOf } from '#tests/setup/three-faces.ts'

/** Presets whose sound is as loud as networks play it. */
const LEVELLED = [
  'teaser-15s',
  'teaser-60s',
  'teaser-square',
  'teaser-upright',
  'tube-cut',
  'uniform-sampling',
  'blur-video-and-audio',
  'example-low-resolution-video',
  'enhanced-audio-full-scene',
  'voice-mask-full-scene',
  'incognito-full-scene',
]
/** What a container needs to be played; nothing of it comes from the source. */
const HARMLESS: ReadonlySet<string> = new Set([
  'major_brand',
  'minor_version',
  'compatible_brands',
  'language',
  'handler_name',
  'vendor_id',
  'encoder',
])
/** Of the size of the source, with faces under a cover. */
const COVERED = ['face-blurred-full-scene', 'incognito-full-scene']

describe('what every preset makes of one video', () => {
  it.each(Object.keys(recipes))(
    'REC-27 %s begins to play before it is loaded, and has the right length, size and sound',
    async (slug) => {
      const { source: probe, plan, file, files } = await exhibit(slug)
      const source = { path: await gallerySource(), probe, odd: { hasClaps: false } }
      for (const output of plan.outputs) {
        const path = file(output.name)
        const isAsked = output.kind !== 'image' && files.includes(path)
        const shown = isAsked ? await shownOfExhibit(path) : ''
        const result = { slug, source, plan, output, path, shown, isDecoded: true }
        expect(await complaintsAbout(result)).toEqual([])
      }
    },
  )

  it('REC-27 all of them decode', async () => {
    const all: string[] = []
    for (const slug of Object.keys(recipes)) all.push(...(await exhibit(slug)).files)
    // In one run, because a start of ffmpeg costs as much as small pictures.
    const isWell = (await decodingErrors(all)) === ''
    expect(isWell ? [] : await spoiltOf(all)).toEqual([])
  })

  it('REC-27 all that are levelled are as loud as networks play', async () => {
    const paths = new Map<string, string>()
    for (const slug of LEVELLED) paths.set(slug, (await exhibit(slug)).files[0] ?? '')
    const levels = await loudnessOfAll([...paths.values()])
    for (const [slug, path] of paths)
      expect(Math.abs((levels.get(path) ?? Number.NaN) + 16), slug).toBeLessThan(0.5)
  })

  it.each(COVERED)('REC-18 %s hides every face and leaves the ground', async (slug) => {
    const { files } = await exhibit(slug)
    const atS = (GALLERY_FACES.startMs + GALLERY_FACES.endMs) / 2000
    const [before, after] = [
      await frameOf(await gallerySource(), atS),
      await frameOf(files[0] ?? '', atS),
    ]
    const [width] = GALLERY_SIZE
    for (const face of GALLERY_FACES.places)
      expect(difference(before, after, face, width)).toBeGreaterThan(12)
    expect(difference(before, after, GALLERY_GROUND, width)).toBeLessThan(5)
  })
})

describe('place, device and time of the source', () => {
  it('B9 are in the source of this test, so that their absence means something', async () => {
    const path = await gallerySource()
    const bytes = await readFile(path, 'latin1')
    expect(
      GALLERY_SECRETS.filter(
        (secret) => !bytes.includes(secret) && !['private chapter', '2026-05-03'].includes(secret),
      ),
    ).toEqual([])
    expect(tagsIn(await shownOf(path))).toMatchObject({
      creation_time: expect.stringContaining('2026-05-03'),
    })
  })

  it.each(Object.keys(recipes))('REC-22 B9 %s names neither them nor its encoder', async (slug) => {
    const { files, plan } = await exhibit(slug)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const name = basename(file)
      const bytes = await readFile(file, 'latin1')
      expect(
        [...GALLERY_SECRETS, 'x264', 'Lavc', 'Lavf'].filter((secret) => bytes.includes(secret)),
        name,
      ).toEqual([])
      if (isLikeAnother(name)) continue
      expect(
        Object.keys(tagsIn(await shownOfExhibit(file))).filter((tag) => !HARMLESS.has(tag)),
        name,
      ).toEqual([])
    }
    for (const output of plan.outputs) expect(output.fileName).not.toMatch(/Secret|private/)
  })
})

/** The files that do not decode, each with what ffmpeg says. */
async function spoiltOf(paths: readonly string[]): Promise<readonly string[]> {
  const spoilt: string[] = []
  for (const path of paths) {
    const errors = await decodingErrors([path])
    if (errors !== '') spoilt.push(`${path}: ${errors}`)
  }
  return spoilt
}

/** The first of a numbered pack has the tags of the others, which the same step makes. */
const isLikeAnother = (name: string): boolean => /-(?!0*1\.)\d+\.jpg$/.test(name)

/** Tags of the container, its tracks, chapters and first picture. */
function tagsIn(shown: string): Readonly<Record<string, unknown>> {
  const {
    format,
    streams = [],
    chapters = [],
    frames = [],
  } = JSON.parse(shown) as {
    format?: Tagged
    streams?: Tagged[]
    chapters?: Tagged[]
    frames?: Tagged[]
  }
  return Object.assign(
    {},
    ...[format, ...streams, ...chapters, ...frames].map((part) => part?.tags ?? {}),
  )
}

interface Tagged {
  readonly tags?: Readonly<Record<string, string>>
}
