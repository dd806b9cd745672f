import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { cutPassage, SAMPLE_MS, sampledRecipe, sampleStretch } from '#recipes/sample.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'

const { moments } = fakeUploadMoments()
const source = probe({ durationMs: 120_000, width: 3840, height: 2160, grain: 9, soundWidthDb: 0 })
const slugs = Object.keys(recipes)
const sampled = slugs.filter((slug) => sampledRecipe(slug) !== null)

describe('samples of edits', () => {
  it('DEL-05 there is a preview of every edit: by the server, or by the passages that it shows', () => {
    const shown = slugs.filter((slug) => recipes[slug]?.timeline !== undefined)
    expect([...shown, ...sampled].toSorted()).toEqual(slugs.toSorted())
    expect(shown.filter((slug) => recipes[slug]?.preview === undefined)).toEqual([])
  })

  it.each(sampled)('DEL-05 the plan of %s is made for the passage as for a video', (slug) => {
    const recipe = recipes[slug]
    if (recipe === undefined) throw new Error('no recipe')
    const stretch = sampleStretch(slug, source, moments)
    const { probe: passage } = cutPassage(source, stretch, recipe, {})
    expect(passage.durationMs).toBeCloseTo(SAMPLE_MS, -1)
    expect([passage.width, passage.height]).toEqual(recipe.isOfDetail ? [640, 360] : [960, 540])
    const faces = { tracks: [], wholly: [] }
    const context = { moments: [], assets: [], secret: SECRET, faces }
    const plan = recipe.plan(passage, recipe.typicalPayload, context)
    expect(plan.ok && plan.value.outputs.map(({ kind }) => kind)).toContain('video')
  })

  it('DEL-05 the passage shows the most of what was found, and the heads where faces are hidden', () => {
    const heads = '00004040'
    const at = (atMs: number, score: number, more = {}) => ({
      ...moments[0],
      atMs,
      lengthMs: 1000,
      shows: 'lively' as const,
      score,
      startsShot: false,
      stillMs: atMs,
      likeness: '',
      heads: '',
      ...more,
    })
    const found = [at(20_000, 0.9), at(60_000, 0.2, { heads }), at(119_000, 0.1)]
    expect(sampleStretch('denoised-full-scene', source, found).startMs).toBe(20_000)
    expect(sampleStretch('face-blurred-full-scene', source, found).startMs).toBe(60_000)
    expect(sampleStretch('denoised-full-scene', source, [])).toEqual({
      startMs: 56_000,
      endMs: 64_000,
    })
    expect(sampleStretch('denoised-full-scene', { durationMs: 3000 }, found)).toEqual({
      startMs: 0,
      endMs: 3000,
    })
  })
})
