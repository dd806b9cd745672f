import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'

const recipe = findRecipe('uniform-sampling')
const problemOf = (payload: unknown) => {
  const checked = recipe?.validate(payload)
  return checked?.ok === false ? [checked.error.field, checked.error.message] : null
}

describe('uniform sampling', () => {
  it('OPT-05 shows as many moments as asked for, evenly spaced between the offsets, together exactly as long as asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_000, max: 14_400_000 }),
        fc.integer({ min: 10_000, max: 600_000 }),
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 0, max: 199_000 }),
        fc.constantFrom(23.976, 25, 30, 59.94),
        (durationMs, maximumDuration, segmentCount, offsetStartMs, offsetEndMs, frameRate) => {
          const source = probe({ durationMs, frameRate })
          const payload = { maximumDuration, segmentCount, offsetStartMs, offsetEndMs }
          const timeline = recipe?.timeline?.(source, payload, { moments: [] })
          if (timeline?.ok !== true) throw new Error('no timeline')
          const passages = timeline.value
          const isWhole = maximumDuration >= durationMs - offsetStartMs - offsetEndMs
          expect(passages).toHaveLength(isWhole ? 1 : segmentCount)
          expect(passages[0]?.startMs).toBeGreaterThanOrEqual(offsetStartMs)
          expect(passages.at(-1)?.endMs).toBeLessThanOrEqual(durationMs - offsetEndMs + 50)
          const middles = passages.map(({ startMs, endMs }) => (startMs + endMs) / 2)
          const gaps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0))
          expect(Math.max(...gaps, 0) - Math.min(...gaps, Infinity)).toBeLessThan(100)
          const plan = recipe?.plan(source, payload, { moments: [], assets: [], secret: SECRET })
          const lengthMs = plan?.ok === true ? (plan.value.steps.at(-1)?.outputDurationMs ?? 0) : 0
          expect(
            Math.abs(
              lengthMs - Math.min(maximumDuration, durationMs - offsetStartMs - offsetEndMs),
            ),
          ).toBeLessThan(45)
        },
      ),
    )
  })

  it('OPT-05 fills in the defaults and refuses what is outside the limits', () => {
    expect(recipe?.validate({})).toEqual({
      ok: true,
      value: {
        maximumDuration: 300_000,
        segmentCount: 10,
        offsetStartMs: 0,
        offsetEndMs: 0,
        introMediaAssetIds: [],
        outroMediaAssetIds: [],
      },
    })
    expect(problemOf({ maximumDuration: 9999 })).toEqual([
      'maximumDuration',
      'The final length must be at least 10 seconds',
    ])
    expect(problemOf({ maximumDuration: 10_000, segmentCount: 60 })).toBeNull()
    for (const segmentCount of [0, 1, 61, 2.5])
      expect(problemOf({ segmentCount })).toEqual(['segmentCount', 'Please choose 2 to 60 moments'])
    for (const field of ['maximumDuration', 'segmentCount', 'offsetStartMs', 'offsetEndMs']) {
      expect(problemOf({ [field]: -1 })).toEqual([field, 'Negative values are not allowed'])
      for (const nonsense of ['abc', Number.NaN, {}])
        expect(problemOf({ [field]: nonsense })).toEqual([field, 'Please enter required fields'])
    }
    expect(problemOf('text')).toEqual([null, 'Please enter required fields'])
    expect(problemOf({ outroMediaAssetIds: [7] })).toEqual([
      'outroMediaAssetIds',
      'Please choose the outro from your media assets',
    ])
  })

  it('OPT-05 says so when the offsets leave nothing of the source', () => {
    for (const plan of [recipe?.plan, recipe?.timeline]) {
      expect(
        plan?.(
          probe({ durationMs: 60_000 }),
          { offsetStartMs: 30_000, offsetEndMs: 29_500 },
          { moments: [], assets: [], secret: SECRET },
        ),
      ).toMatchObject({
        ok: false,
        error: { code: 'recipe/options-invalid', field: 'offsetStartMs' },
      })
    }
  })
})
