import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import {
  GALLERY_FACES,
  GALLERY_GROUND,
  GALLERY_SIZE,
  gallerySource,
} from '#tests/fixtures/gallery-source.ts'
import { loudnessOf } from '#tests/integration/recipes/measure.ts'
import { exhibit } from '#tests/setup/gallery.ts'
import { complaintsAbout } from '#tests/setup/odd-complaints.ts'
import { difference, frameOf } from '#tests/setup/three-faces.ts'

/** Presets whose sound is as loud as networks play it. */
const LEVELLED = [
  'teaser-15s',
  'teaser-60s',
  'tube-cut',
  'uniform-sampling',
  'blur-video-and-audio',
  'example-low-resolution-video',
  'enhanced-audio-full-scene',
  'voice-mask-full-scene',
  'incognito-full-scene',
]
/** Of the size of the source, with faces under a cover. */
const COVERED = ['face-blurred-full-scene', 'incognito-full-scene']

describe('what every preset makes of one video', () => {
  it.each(Object.keys(recipes))(
    'REC-27 %s decodes, begins to play before it is loaded, and has the right length, size and sound',
    async (slug) => {
      const { source: probe, plan, file } = await exhibit(slug)
      const source = { path: await gallerySource(), probe, odd: { hasClaps: false } }
      for (const output of plan.outputs) {
        const path = file(output.name)
        expect(await complaintsAbout({ slug, source, plan, output, path })).toEqual([])
      }
    },
  )

  it.each(LEVELLED)('REC-27 %s is as loud as networks play', async (slug) => {
    const { files } = await exhibit(slug)
    expect(Math.abs((await loudnessOf(files[0] ?? '')) + 16)).toBeLessThan(0.5)
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
