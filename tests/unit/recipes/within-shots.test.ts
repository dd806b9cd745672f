import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, TimelinePassage } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { runs } from '#tests/seeds.ts'

/** Shots of whole stretches, between which the cut is known to 40 ms. */
function film(shots: readonly { readonly seconds: number; readonly shows: Moment['shows'] }[]) {
  let atMs = 0
  const moments = shots.flatMap(({ seconds, shows }, look) =>
    Array.from({ length: seconds }, (_, index): Moment => {
      const lengthMs = index === seconds - 1 ? 960 : 1000
      const moment: Moment = {
        atMs,
        lengthMs,
        shows,
        score: 0.4 + 0.05 * ((index + look) % 7),
        startsShot: index === 0,
        stillMs: atMs + 400,
        likeness: (look % 16).toString(16).repeat(48),
      }
      atMs += 1000
      return moment
    }),
  )
  return { moments, source: probe({ durationMs: atMs, frameRate: 25 }) }
}

/** A title, six to ten shots that differ, and black: 60 s and their fades fit into the shots. */
const films = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 7, max: 14 }),
      shows: fc.constantFrom<Moment['shows'][]>('lively', 'lively', 'lively', 'calm', 'still'),
    }),
    { minLength: 6, maxLength: 10 },
  )
  .filter((shots) => shots.reduce((sum, { seconds }) => sum + seconds, 0) >= 70)
  .map((shots) => film([{ seconds: 3, shows: 'title' }, ...shots, { seconds: 4, shows: 'black' }]))

function teaserOf({ moments, source }: ReturnType<typeof film>): readonly TimelinePassage[] {
  const timeline = findRecipe('teaser-60s')?.timeline?.(source, undefined, { moments })
  if (timeline?.ok !== true) throw new Error('no teaser')
  return timeline.value
}

/** Moments without a cut between them of which the passage shows something. */
function shotsIn(moments: readonly Moment[], { startMs, endMs }: TimelinePassage): number {
  const shown = moments.filter(
    ({ atMs, lengthMs }) => atMs < endMs - 0.5 && atMs + lengthMs > startMs + 0.5,
  )
  return shown.filter(({ startsShot }, index) => index === 0 || startsShot).length
}

it('REC-02 no passage has a cut of the source in it, however little longer the source is', () => {
  fc.assert(
    fc.property(films, (each) => {
      const passages = teaserOf(each)
      expect(passages.map((passage) => shotsIn(each.moments, passage))).toEqual(
        passages.map(() => 1),
      )
      const last = passages.at(-1)
      expect((last?.outputStartMs ?? 0) + (last?.endMs ?? 0) - (last?.startMs ?? 0)).toBeCloseTo(
        60_000,
        0,
      )
      for (const [index, { startMs }] of passages.entries())
        expect(startMs).toBeGreaterThanOrEqual(passages[index - 1]?.endMs ?? 0)
    }),
    { numRuns: runs(40) },
  )
})

it('REC-02 leaves out the worst ends of shots, and shots that show nothing lively', () => {
  const shots = [9, 9, 9, 9, 9, 9, 9, 9].map((seconds, index) => ({
    seconds,
    shows: index === 3 ? ('still' as const) : ('lively' as const),
  }))
  const each = film(shots)
  const shown = teaserOf(each).flatMap(({ startMs, endMs }) =>
    each.moments.filter(({ atMs, lengthMs }) => atMs < endMs && atMs + lengthMs > startMs),
  )
  expect(shown.filter(({ shows }) => shows === 'still')).toEqual([])
})
