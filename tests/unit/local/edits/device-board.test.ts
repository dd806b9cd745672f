import { describe, expect, it } from 'vitest'
import { swapped, withPlace } from '#recipes/moment-board.ts'
import { candidatesOf, wantedAt } from '#recipes/moment-candidates.ts'
import { checkChoice, overlap, type MomentChoice } from '#recipes/moment-choice.ts'
import { findRecipe, recipes } from '#recipes/presets.ts'
import { deviceBoard } from '#src/local/edits/device-board.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { payloads, probe } from '#tests/fixtures/probes.ts'

const teaser: TaskRequest = { mediaJobTaskPresetSlug: 'teaser-15s' }
const boardOf = (request: TaskRequest, different: Parameters<typeof probe>[0] = {}) => {
  const made = deviceBoard(request, probe(different))
  if (made === null) throw new Error('no board')
  return made
}
const withMoments = Object.entries(recipes)
  .filter(([, { momentRule }]) => momentRule !== undefined)
  // The slug decides the type of the payload, which the type checker cannot follow.
  .map(([slug]) => ({ mediaJobTaskPresetSlug: slug, payload: payloads[slug] }) as TaskRequest)
  .map((request) => [request.mediaJobTaskPresetSlug, request] as const)
const areApart = (stretches: MomentChoice['banned']): boolean =>
  stretches.every((one, at) => stretches.slice(at + 1).every((other) => !overlap(one, other)))

describe('the board of a video that no server has searched', () => {
  it.each(withMoments)(
    'NOW-04 proposes for %s what the edit shows without a search',
    (slug, request) => {
      const source = probe({ durationMs: 1_800_000 })
      const { board, begin } = boardOf(request, source)
      const timeline = findRecipe(slug)?.timeline?.(source, payloads[slug], { moments: [] })
      if (timeline?.ok !== true) throw new Error('no timeline')
      expect(begin.shown.map(({ startMs }) => startMs)).toEqual(
        timeline.value.map(({ startMs }) => Math.floor(startMs)),
      )
      expect(checkChoice(begin, board.rule, board.sourceDurationMs)).toMatchObject({ ok: true })
    },
  )

  it.each(withMoments)('NOW-04 offers for %s moments of which no two overlap', (_, request) => {
    for (const durationMs of [100_000, 600_000, 7_200_000]) {
      const made = deviceBoard(request, probe({ durationMs }))
      if (made === null) continue
      const { board, begin } = made
      for (const index of begin.shown.keys()) {
        const offered = candidatesOf(board, wantedAt(board, begin, index))
        expect(areApart(offered)).toBe(true)
        expect(offered.every(({ endMs }) => endMs <= board.sourceDurationMs)).toBe(true)
      }
    }
  })

  it('NOW-04 makes few pictures, those that are shown first, each once', () => {
    const { board, begin, order } = boardOf(teaser, { durationMs: 7_200_000 })
    expect(order.toSorted((a, b) => a - b)).toEqual(board.placesMs)
    expect(order.length).toBeLessThanOrEqual(begin.shown.length + 18)
    expect(order.length).toBeGreaterThan(begin.shown.length + 12)
    for (const place of order.slice(0, begin.shown.length))
      expect(begin.shown.some((each) => each.startMs <= place && place < each.endMs)).toBe(true)
  })

  it('NOW-04 a picture of a still is exactly its own, one of a passage lies within it', () => {
    expect(boardOf({ mediaJobTaskPresetSlug: 'still-pack' }).nearMs).toBe(0)
    const { begin, nearMs } = boardOf(teaser)
    expect(begin.shown.every(({ startMs, endMs }) => (endMs - startMs) / 2 >= nearMs)).toBe(true)
  })

  it('NOW-04 swaps through moments that are free, and each place can be taken', () => {
    const { board, begin } = boardOf(teaser)
    const free = board.placesMs.filter(
      (place) => !begin.shown.some(({ startMs, endMs }) => startMs <= place && place < endMs),
    )
    for (const place of free) expect(withPlace(board, begin, 0, place)).not.toBeNull()
    const seen = new Set<number>()
    let choice: MomentChoice | null = begin
    for (let times = 0; times < free.length && choice !== null; times += 1) {
      choice = swapped(board, choice, 2)
      expect(choice === null || areApart(choice.shown)).toBe(true)
      seen.add(choice?.shown[2]?.startMs ?? -1)
    }
    expect(seen.size).toBe(free.length)
  })

  it('NOW-04 ends before a video may end for the server, where the edit itself does not go on to its end', () => {
    expect(boardOf(teaser).board.sourceDurationMs).toBe(599_900)
  })

  it('NOW-04 there is none where the edit shows all of the video, or takes no moments', () => {
    expect(deviceBoard(teaser, probe({ durationMs: 9000 }))).toBeNull()
    expect(deviceBoard({ mediaJobTaskPresetSlug: 'face-blurred-full-scene' }, probe())).toBeNull()
  })
})
