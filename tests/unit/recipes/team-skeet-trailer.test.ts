import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { trailerCuts } from '#recipes/team-skeet-trailer/cuts.ts'
import type { Moment, PlanContext } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'

const recipe = findRecipe('team-skeet-trailer')
const brand = {
  introBrandLogoVideoMediaAssetId: 'in',
  outroBrandLogoVideoMediaAssetId: 'out',
}

describe('OPT-04 the options of the brand trailer', () => {
  it('OPT-04 need the brand videos, and say which one is missing', () => {
    const messageOf = (payload: unknown) => {
      const read = recipe?.validate(payload)
      return read?.ok === false ? read.error.message : null
    }
    expect(messageOf({})).toBe('Please select a media asset for all required fields.')
    expect(messageOf({ outroBrandLogoVideoMediaAssetId: 'out' })).toBe(
      'Please select a media asset for the Preroll Brand Video.',
    )
    expect(messageOf({ introBrandLogoVideoMediaAssetId: 'in' })).toBe(
      'Please select a media asset for the Postroll Brand Video.',
    )
    expect(messageOf({ ...brand, musicTrackId: 7 })).not.toBeNull()
    expect(recipe?.validate(brand)).toEqual({
      ok: true,
      value: {
        ...brand,
        introLicensorLogoVideoMediaAssetId: null,
        disclaimerVideoMediaAssetId: null,
        outroLicensorLogoVideoMediaAssetId: null,
        musicTrackId: null,
      },
    })
  })

  it('OPT-04 are shown in order, and asked for by the server', () => {
    const all = {
      ...brand,
      introLicensorLogoVideoMediaAssetId: 'licensor',
      disclaimerVideoMediaAssetId: 'disclaimer',
      outroLicensorLogoVideoMediaAssetId: 'closing',
      musicTrackId: 'track',
    }
    const ids = ['in', 'licensor', 'disclaimer', 'closing', 'out']
    expect(recipe?.assetIds(all)).toEqual(ids)
    expect(recipe?.musicTrackIds(all)).toEqual(['track'])
    const context: PlanContext = {
      moments: [],
      secret: SECRET,
      assets: ids.map((id) => ({ id, kind: 'video', probe: probe({ durationMs: 2000 }) })),
    }
    expect(recipe?.plan(probe(), all, context)).toMatchObject({
      ok: false,
      error: { code: 'recipe/music-missing' },
    })
    const plan = recipe?.plan(probe(), all, {
      ...context,
      music: [{ id: 'track', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
    })
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    const shown = plan.value.steps.flatMap(({ inputs }) =>
      inputs.map(({ from }) => (from.kind === 'asset' ? from.id : from.kind)),
    )
    const own = shown.filter((each) => each === 'source')
    expect(shown.slice(0, 3)).toEqual(ids.slice(0, 3))
    expect(own.length).toBeGreaterThan(10)
    expect(shown.slice(3 + own.length, 5 + own.length)).toEqual(ids.slice(3))
    expect(Math.round(plan.value.steps.at(-1)?.outputDurationMs ?? 0)).toBe(70_000)
  })
})

describe('the passages of the brand trailer', () => {
  /** Shots of eight seconds each. */
  const momentsOf = (shots: readonly Moment['shows'][]): Moment[] =>
    shots.flatMap((shows, at) =>
      Array.from({ length: 8 }, (_, second): Moment => {
        const atMs = (at * 8 + second) * 1000
        const likeness = (at % 16).toString(16).repeat(48)
        const own = { shows, score: 0.5, startsShot: second === 0, likeness }
        return { ...own, atMs, lengthMs: 1000, stillMs: atMs + 400 }
      }),
    )

  it('REC-10 show neither black nor a title of 96 s in which a third is bare', () => {
    const turn = ['lively', 'black', 'lively', 'title', 'lively', 'still'] as const
    const source = probe({ durationMs: 96_000 })
    const found = recipe?.timeline?.(source, brand, { moments: momentsOf([...turn, ...turn]) })
    if (found?.ok !== true) throw new Error(JSON.stringify(found))
    const bare = [1, 3, 7, 9].map((at) => ({ fromMs: at * 8000, toMs: at * 8000 + 8000 }))
    const shown = found.value.filter(({ startMs, endMs }) =>
      bare.some(({ fromMs, toMs }) => startMs < toMs - 1 && endMs > fromMs + 1),
    )
    expect(shown).toEqual([])
    const total = found.value.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
    expect(total).toBeCloseTo(60_000, 3)
  })
})

describe('the cuts of the brand trailer', () => {
  const rates = fc.constantFrom(23.976, 25, 29.97, 30)

  it('REC-10 are together 60.0 s, or as long as a shorter video', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 7_200_000 }),
        rates,
        fc.option(
          fc.record({
            perMinute: fc.integer({ min: 30, max: 300 }),
            firstMs: fc.integer({ min: 0, max: 2000 }),
          }),
        ),
        (durationMs, value, beats) => {
          const cuts = trailerCuts({ durationMs }, beats, {
            frameRate: { text: String(value), value },
          })
          const frames = cuts.reduce((sum, each) => sum + each, 0)
          expect(Math.abs((frames / value) * 1000 - Math.min(60_000, durationMs))).toBeLessThan(45)
          expect(Math.min(...cuts)).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('REC-10 lie within 40 ms of a beat, and get shorter from story to action', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 180 }), rates, (perMinute, value) => {
        const cuts = trailerCuts(
          { durationMs: 600_000 },
          { perMinute, firstMs: 0 },
          { frameRate: { text: String(value), value } },
        )
        let frame = 0
        const beatMs = 60_000 / perMinute
        for (const frames of cuts.slice(0, -1)) {
          frame += frames
          const off = ((frame / value) * 1000) % beatMs
          expect(Math.min(off, beatMs - off)).toBeLessThan(40)
        }
        expect(cuts.length).toBeGreaterThan(10)
        expect(cuts[0]).toBeGreaterThan((cuts.at(-2) ?? Infinity) * 1.5)
      }),
    )
  })
})
