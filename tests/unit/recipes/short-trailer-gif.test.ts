import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { Moment, TimelinePassage } from '#recipes/types.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'

const recipe = findRecipe('short-trailer-gif')

function passages(durationMs: number, payload: unknown, moments: readonly Moment[] = []) {
  const timeline = recipe?.timeline?.(probe({ durationMs }), payload, { moments })
  if (timeline?.ok !== true) throw new Error('no timeline')
  return timeline.value
}

describe('the passages of the trailer GIF', () => {
  it('OPT-07 leave out the last fifth, unless the creator wants it', () => {
    const shown = passages(600_000, { includeKumshot: false })
    expect(shown).toHaveLength(4)
    expect(Math.max(...shown.map(({ endMs }) => endMs))).toBeLessThanOrEqual(480_000)
    const closing = passages(600_000, { includeKumshot: true }).at(-1)
    expect(closing?.startMs).toBeGreaterThanOrEqual(480_000)
  })

  it('REC-12 show the moment that the creator chose, in order of time and without overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8000, max: 7_200_000 }),
        fc.integer({ min: 0, max: 8_000_000 }),
        (durationMs, momentMs) => {
          const shown = passages(durationMs, { includeKumshot: true, momentMs })
          const chosenMs = Math.min(momentMs, durationMs)
          const holds = ({ startMs, endMs }: TimelinePassage): boolean =>
            startMs <= chosenMs && chosenMs <= endMs
          expect(shown.some(holds)).toBe(true)
          for (const [index, { startMs, endMs }] of shown.entries()) {
            expect(startMs).toBeGreaterThanOrEqual(shown[index - 1]?.endMs ?? 0)
            expect(endMs).toBeLessThanOrEqual(durationMs)
          }
        },
      ),
      // What comes before the moment has 41.5 frames.
      { examples: [[8000, 4120]] },
    )
  })

  it('OPT-07 refuses what is no moment, and forgets one that is not wanted', () => {
    for (const momentMs of [-1, 'late', Number.NaN])
      expect(recipe?.validate({ includeKumshot: true, momentMs })).toMatchObject({
        ok: false,
        error: { field: 'momentMs' },
      })
    expect(recipe?.validate({ includeKumshot: false, momentMs: 5 })).toEqual({
      ok: true,
      value: { includeKumshot: false },
    })
  })
})

describe('the size of the trailer GIF', () => {
  it('REC-12 stays below 8 MB at the last try, whatever the video shows', () => {
    for (const [width, height] of [
      [1080, 1080],
      [3840, 2160],
      [720, 1280],
    ] as const) {
      const plan = recipe?.plan(
        probe({ width, height }),
        { includeKumshot: true, momentMs: 300_000 },
        { moments: [], assets: [], secret: SECRET },
      )
      if (plan?.ok !== true) throw new Error('no plan')
      const tries = plan.value.steps.filter(({ id }) => id.startsWith('gif-'))
      expect(tries.slice(1).every(({ skipWithin }) => skipWithin?.bytes === 8_000_000)).toBe(true)
      const last = tries.at(-1)
      const [, w, h] =
        /scale=(\d+):(\d+)/.exec(last === undefined ? '' : printArgs(last, () => '').join(' ')) ??
        []
      const frames = ((last?.outputDurationMs ?? Infinity) / 1000) * 12.5
      // 12 bits for each pixel is the most that its codes can take.
      expect(Number(w) * Number(h) * frames * 1.5).toBeLessThan(8_000_000)
    }
  })
})
