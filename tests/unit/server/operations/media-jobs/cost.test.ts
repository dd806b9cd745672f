import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { QUICK_S } from '#server/budgets.ts'
import { estimateCostS } from '#server/operations/media/media-jobs/cost.ts'
import { probe } from '#tests/fixtures/probes.ts'

const costOf = (slug: string, durationMs: number, height = 1080): number => {
  const recipe = findRecipe(slug)
  if (recipe === undefined) throw new Error(`no recipe for ${slug}`)
  return estimateCostS(
    recipe,
    slug === 'dynamic-watermark' ? { text: '@me' } : undefined,
    probe({ durationMs, width: (height * 16) / 9, height }),
  )
}

it('REC-23 the estimate of an edit that hides faces counts the search for them, whatever the size of the picture', () => {
  for (const height of [360, 1080])
    expect(
      costOf('face-blurred-full-scene', 60_000, height) -
        costOf('dynamic-watermark', 60_000, height),
    ).toBeGreaterThan(100)
  // Two minutes of a small video take a slot for long work.
  expect(costOf('face-blurred-full-scene', 120_000, 360)).toBeGreaterThan(QUICK_S)
  expect(costOf('teaser-15s', 120_000, 360)).toBeLessThan(QUICK_S)
})
