import { describe, expect, it } from 'vitest'
import { swapped, withPlace } from '#recipes/moment-board.ts'
import { candidatesOf, wantedAt } from '#recipes/moment-candidates.ts'
import { checkChoice, overlap, type MomentChoice } from '#recipes/moment-choice.ts'
import { findRecipe, recipes } from '#recipes/presets.ts'
import { createWeigher } from '#recipes/passage-worth.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { Moment } from '#recipes/types.ts'
import { deviceBoard } from '#src/local/edits/device-board.ts'
import { earlyEdits, excerptNeed } from '#src/local/edits/excerpt-stretches.ts'
import { requestOfMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { payloads, probe } from '#tests/fixtures/probes.ts'

const teaser: TaskRequest = { mediaJobTaskPresetSlug: 'teaser-15s' }
const boardOf = (request: TaskRequest, different: Parameters<typeof probe>[0] = {}) => {
  const made = deviceBoard(request, probe(different), [])
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
      const made = deviceBoard(request, probe({ durationMs }), [])
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
    expect(deviceBoard(teaser, probe({ durationMs: 9000 }), [])).toBeNull()
    expect(
      deviceBoard({ mediaJobTaskPresetSlug: 'face-blurred-full-scene' }, probe(), []),
    ).toBeNull()
  })
})

describe('the board of a video whose keys are known', () => {
  const DURATION_MS = 1_800_000
  /** Every 2 s, and further apart where a scene stands still. */
  const KEYS_MS = Array.from({ length: 890 }, (_, key) => key * 2000 + (key > 400 ? 7000 : 0))
  const excerptBytes = (board: ReturnType<typeof boardOf>, slug: string): number => {
    const request = requestOfMoments({ mediaJobTaskPresetSlug: slug } as TaskRequest, board.begin)
    const source = probe({ durationMs: DURATION_MS })
    const need = excerptNeed(earlyEdits([request], source, () => true))
    // An excerpt keeps 0.2 s before what is read, and pictures from the key before that.
    const fromMs = (startMs: number): number => KEYS_MS.findLast((key) => key <= startMs - 200) ?? 0
    return need?.stretches.reduce((sum, each) => sum + each.endMs - fromMs(each.startMs), 0) ?? 0
  }

  it.each(withMoments)('NOW-08 proposes for %s moments that the edit takes', (slug, request) => {
    const made = deviceBoard(request, probe({ durationMs: DURATION_MS }), KEYS_MS)
    if (made === null) throw new Error(`no board of ${slug}`)
    const { board, begin } = made
    expect(checkChoice(begin, board.rule, board.sourceDurationMs)).toMatchObject({ ok: true })
    expect(areApart(begin.shown)).toBe(true)
    const even = boardOf(request, { durationMs: DURATION_MS }).begin.shown
    for (const [index, { startMs, endMs }] of begin.shown.entries()) {
      const other = even[index]
      expect(endMs - startMs).toBe((other?.endMs ?? 0) - (other?.startMs ?? 0))
      expect(Math.abs(startMs - (other?.startMs ?? 0))).toBeLessThanOrEqual(8000)
    }
  })

  it.each(['teaser-15s', 'still-pack', 'team-skeet-thumbnail-video'])(
    'NOW-08 the moments proposed for %s need fewer bytes than those that are evenly spaced',
    (slug) => {
      const request = { mediaJobTaskPresetSlug: slug } as TaskRequest
      const source = probe({ durationMs: DURATION_MS })
      const near = deviceBoard(request, source, KEYS_MS)
      if (near === null) throw new Error('no board')
      const even = boardOf(request, { durationMs: DURATION_MS })
      expect(excerptBytes(near, slug)).toBeLessThan(excerptBytes(even, slug) * 0.95)
    },
  )

  it('NOW-08 moves no moment onto another, before its lead or behind the end', () => {
    for (const durationMs of [20_000, 30_000, 60_000])
      for (const [, request] of withMoments) {
        const made = deviceBoard(request, probe({ durationMs }), [0, 9000, 18_000, 27_000])
        if (made === null) continue
        const { board, begin } = made
        expect(checkChoice(begin, board.rule, board.sourceDurationMs)).toMatchObject({ ok: true })
      }
  })
})

describe('the board of a video that this device has searched', () => {
  const DURATION_MS = 120_000
  /** A second each: cuts every 7 s, and a title from 28 s to 35 s. */
  const { moments } = fakeUploadMoments()
  const found = moments.map((each): Moment =>
    each.atMs >= 28_000 && each.atMs < 35_000 ? { ...each, shows: 'title' } : each,
  )
  const source = probe({ durationMs: DURATION_MS })
  const isTitle = ({ startMs, endMs }: Stretch): boolean => startMs < 35_000 && endMs > 28_000

  // Of two minutes, a tube cut shows all.
  const others = withMoments.filter(([slug]) => slug !== 'tube-cut')

  it.each(others)('NOW-04 proposes for %s what the edit would show of it', (slug, request) => {
    const made = deviceBoard(request, source, [], found)
    if (made === null) throw new Error(`no board of ${slug}`)
    const { board, begin, order } = made
    expect(checkChoice(begin, board.rule, board.sourceDurationMs)).toMatchObject({ ok: true })
    expect(board.moments).toBe(found)
    expect(begin.shown.some(isTitle)).toBe(false)
    expect(new Set(order)).toEqual(new Set(board.placesMs))
    const free = board.placesMs.filter(
      (place) => !begin.shown.some(({ startMs, endMs }) => startMs <= place && place < endMs),
    )
    expect(free.length).toBeGreaterThan(3)
  })

  it('NOW-04 begins behind a key only where that is worth as much', () => {
    const request: TaskRequest = { mediaJobTaskPresetSlug: 'teaser-15s' }
    const plain = deviceBoard(request, source, [], found)
    const keyed = deviceBoard(request, source, [0, 31_000, 62_000, 93_000], found)
    const { worth } = createWeigher(found)
    const worths = (made: typeof plain) =>
      made?.begin.shown.map(({ startMs, endMs }) => worth(startMs, endMs - startMs)) ?? []
    for (const [index, each] of worths(plain).entries())
      expect(worths(keyed)[index]).toBeGreaterThan(each - 0.06)
  })
})
