import { expect, it, vi } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { isOffered } from '#server/operations/core/presets/offered.ts'

const SLUG = 'still-pack'

it('plans an edit once for the same ffmpeg, and again for another one', () => {
  const recipe = findRecipe(SLUG)
  if (recipe === undefined) throw new Error('no such edit')
  const plan = vi.spyOn(recipe, 'plan')
  const [filters, encoders] = [everything(), everything()]
  const isOfferedBy = (ffmpeg: { filters: Set<string>; encoders: Set<string> }): boolean =>
    isOffered(SLUG, [{ ffmpeg: { ...ffmpeg, canRunNode: true }, findsFaces: false }])
  for (let call = 0; call < 3; call += 1) expect(isOfferedBy({ filters, encoders })).toBe(true)
  expect(plan).toHaveBeenCalledTimes([recipe.typicalPayload, recipe.fullPayload].length)
  expect(isOfferedBy({ filters, encoders: new Set() })).toBe(false)
  expect(isOfferedBy({ filters: new Set(), encoders })).toBe(false)
  expect(isOfferedBy({ filters, encoders })).toBe(true)
  plan.mockRestore()
})

/** As of an ffmpeg that has all there is. */
function everything(): Set<string> {
  return new (class extends Set<string> {
    override has(): boolean {
      return true
    }
  })()
}
