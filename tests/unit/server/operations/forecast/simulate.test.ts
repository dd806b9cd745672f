import { expect, it } from 'vitest'
import { simulateQueue, type QueuedEdit } from '#server/operations/processing/forecast/simulate.ts'
import { speedsOf } from '#server/operations/processing/speeds/speeds.ts'
import { estimateFacesS } from '#server/operations/media/media-jobs/cost.ts'
import { probe } from '#tests/fixtures/probes.ts'

const HOUR_S = 3600
const edit = (id: string, changes: Partial<QueuedEdit> = {}): QueuedEdit => ({
  id,
  userId: id.split('-')[0] ?? '',
  costS: HOUR_S,
  expectedS: HOUR_S,
  readyAt: new Date(Date.UTC(2026, 10, 22)),
  ...changes,
})
const played = (
  parts: Partial<Parameters<typeof simulateQueue>[0]>,
  ...ids: readonly string[]
): { readonly endS: number; readonly editsAhead: number } => {
  const queue = {
    waiting: [],
    running: [],
    lastServed: new Map(),
    longSlots: 1,
    quickSlots: 1,
    ...parts,
  }
  const all = [...(simulateQueue(queue, new Set(ids))?.values() ?? [])]
  return {
    endS: Math.max(...all.map(({ endS }) => endS)),
    editsAhead: Math.min(...all.map(({ editsAhead }) => editsAhead)),
  }
}

it('REC-25 alone an order is ready after its edits, and none goes before it', () => {
  const waiting = [edit('anna-1'), edit('anna-2', { expectedS: 600 })]
  expect(played({ waiting }, 'anna-1', 'anna-2')).toEqual({ endS: HOUR_S + 600, editsAhead: 0 })
})

it('REC-25 what runs has to end first, and accounts take turns', () => {
  const running = [edit('ben-1', { expectedS: 300 })]
  const waiting = [edit('ben-2'), edit('cleo-1', { expectedS: 900 }), edit('anna-1')]
  const lastServed = new Map([['ben', 1]])
  expect(played({ waiting, running, lastServed }, 'anna-1')).toEqual({
    endS: 300 + 900 + HOUR_S,
    editsAhead: 1,
  })
  expect(played({ waiting, running, lastServed }, 'ben-2').editsAhead).toBe(2)
  expect(played({ waiting, running, lastServed }, 'ben-1')).toEqual({ endS: 300, editsAhead: 0 })
})

it('REC-25 a quick edit has its slot, and edits of other processes show that there are more', () => {
  const quick = edit('anna-1', { costS: 20, expectedS: 20 })
  const running = [edit('ben-1'), edit('cleo-1'), edit('dora-1')]
  expect(played({ waiting: [quick], running: running.slice(0, 1) }, 'anna-1').endS).toBe(20)
  const long = edit('anna-2')
  expect(played({ waiting: [long], running: running.slice(0, 1) }, 'anna-2').endS).toBe(2 * HOUR_S)
  const [short, ...rest] = [edit('ben-1', { expectedS: 60 }), ...running.slice(1)]
  expect(played({ waiting: [long], running: [short, ...rest] }, 'anna-2').endS).toBe(60 + HOUR_S)
})

it('REC-25 an edit with a review is searched, then made as if the review took no time, and searches of a video come one after the other', () => {
  const reviewed = (id: string, slug: string): QueuedEdit =>
    edit(`${id}-${slug}`, {
      expectedS: 0,
      search: { uploadId: id, of: 'faces', expectedS: 900 },
      afterReview: edit(`${id}-${slug}-reviewed`, { expectedS: 600 }),
    })
  const ends = (waiting: readonly QueuedEdit[], longSlots: number) => {
    const ids = waiting.flatMap(({ id, afterReview }) => [id, afterReview?.id ?? []].flat())
    const queue = { waiting, running: [], lastServed: new Map(), longSlots, quickSlots: 1 }
    const played = simulateQueue(queue, new Set(ids))
    return ids.map((id) => played?.get(id)?.endS)
  }
  expect(ends([reviewed('anna', 'blur')], 1)).toEqual([900, 1500])
  // The second edit of the video finds what the first one searched.
  const both = [reviewed('anna', 'blur'), reviewed('anna', 'incognito')]
  expect(ends(both, 3)).toEqual([900, 1500, 900, 1500])
  expect(ends(both, 1)).toEqual([900, 1500, 900, 2100])
  // Moments are not searched in a video while faces are.
  const search = { uploadId: 'anna', of: 'moments', expectedS: 60 } as const
  const teaser = edit('anna-teaser', { costS: 20, expectedS: 20, search })
  expect(ends([reviewed('anna', 'blur'), teaser], 3)).toEqual([960, 1560, 80])
})

it('REC-25 the render of an edit with a review is learned without the search before it, and that apart', () => {
  const recipe = { slug: 'face-blurred-full-scene', usesMoments: false } as const
  const source = probe({ durationMs: 60_000 })
  const costS = 100 + estimateFacesS(source)
  const of = (work: string, ratio: number) => ({
    work,
    pictureSize: 'full-hd' as const,
    ratios: [ratio, ratio, ratio],
  })
  const [render, faces] = [of(recipe.slug, 2), of('faces', 3)]
  const speeds = speedsOf([render, faces])
  expect(speeds.renderS({ recipe, costS, source })).toBeCloseTo(200)
  expect(speeds.facesS(source)).toBeCloseTo(3 * estimateFacesS(source))
  expect(speedsOf([render]).facesS(source)).toBeNull()
  expect(speedsOf([render]).guessFacesS(source)).toBeCloseTo(2 * estimateFacesS(source))
})

it('REC-25 the speed of a recipe is the median of its last renders, of pictures of that size first', () => {
  const recipe = { slug: 'still-pack', usesMoments: false } as const
  const source = probe({ durationMs: 60_000 })
  const speeds = speedsOf([
    { work: 'still-pack', pictureSize: 'full-hd', ratios: [2, 2.2, 40] },
    { work: 'still-pack', pictureSize: 'sd', ratios: [8, 8, 8] },
    { work: 'tube-cut', pictureSize: 'sd', ratios: [5, 5] },
  ])
  expect(speeds.renderS({ recipe, costS: 100, source })).toBeCloseTo(220)
  const small = { ...source, width: 640, height: 360 }
  expect(speeds.renderS({ recipe, costS: 100, source: small })).toBeCloseTo(800)
  const large = { ...source, width: 3840, height: 2160 }
  expect(speeds.renderS({ recipe, costS: 100, source: large })).toBeCloseTo(800)
  const unknown = { slug: 'tube-cut', usesMoments: false } as const
  expect(speeds.renderS({ recipe: unknown, costS: 100, source })).toBeNull()
  expect(speeds.guessS({ recipe: unknown, costS: 100, source })).toBeGreaterThan(0)
  expect([speeds.searchS(source), speeds.facesS(source)]).toEqual([null, null])
})
