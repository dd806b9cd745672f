import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  moved,
  surprised,
  swapped,
  withBan,
  withLock,
  withoutBan,
  withPlace,
  withPoints,
} from '#recipes/moment-board.ts'
import { candidatesOf, choiceOf, wantedAt, type MomentBoard } from '#recipes/moment-candidates.ts'
import {
  checkChoice,
  lengthOf,
  lengthTogether,
  overlap,
  placeWords,
  type ChosenMoment,
  type LengthRule,
  type MomentChoice,
} from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { tilePlaces } from '#recipes/picture-places.ts'
import { findRecipe, recipes } from '#recipes/presets.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { runs } from '#tests/seeds.ts'

/** Seconds of a source, each as lively as the list says. */
const secondsOf = (scores: readonly number[]): Moment[] =>
  scores.map((score, index) => ({
    atMs: index * 1000,
    lengthMs: 1000,
    shows: score > 0.3 ? 'lively' : 'calm',
    score,
    startsShot: index % 7 === 0,
    stillMs: index * 1000 + 400,
    likeness: (index % 16).toString(16).repeat(48),
  }))

function boardOf(slug: string, source: SourceProbe, moments: readonly Moment[]): MomentBoard {
  const recipe = recipeOf(slug)
  const rule = recipe.momentRule?.(source, payloadOf(slug)) ?? null
  const timeline = recipe.timeline?.(source, payloadOf(slug), { moments })
  if (rule === null || timeline?.ok !== true) throw new Error('no board')
  return {
    sourceDurationMs: source.durationMs,
    moments,
    placesMs: tilePlaces(source, moments, timeline.value),
    rule,
    usualCount: timeline.value.length,
  }
}

function recipeOf(slug: string): Recipe {
  const recipe = findRecipe(slug)
  if (recipe === undefined) throw new Error(slug)
  return recipe
}

function firstChoice(slug: string, source: SourceProbe, moments: readonly Moment[]): MomentChoice {
  const timeline = recipeOf(slug).timeline?.(source, payloadOf(slug), { moments })
  if (timeline?.ok !== true) throw new Error('no timeline')
  return choiceOf(timeline.value)
}

/** Every format that takes moments. */
const withBoards = Object.values(recipes)
  .filter(({ momentRule }) => momentRule !== undefined)
  .map(({ slug }) => slug)

/** The typical options, but for a tube cut that is shorter than the sources here. */
function payloadOf(slug: string): object {
  const typical = Object(recipeOf(slug).typicalPayload)
  return slug === 'tube-cut' ? { ...typical, targetDuration: 45_000 } : typical
}

/** Of an edit that any number of moments make up. */
function lengthRuleOf(of: MomentBoard): LengthRule {
  if (of.rule.slots !== null) throw new Error('its moments have places')
  return of.rule
}

const source = probe({ durationMs: 120_000 })
const moments = secondsOf(Array.from({ length: 120 }, (_, index) => ((index * 37) % 100) / 100))
const board = boardOf('teaser-15s', source, moments)
const rule = lengthRuleOf(board)
const begin = firstChoice('teaser-15s', source, moments)
const at = ({ startMs, endMs }: ChosenMoment) => [startMs, endMs]
const fits = (choice: MomentChoice) => checkChoice(choice, board.rule, source.durationMs)

describe('the moment board', () => {
  it('REC-21 begins with what the edit shows by itself, and the same choice gives the same edit', () => {
    const recipe = recipeOf('teaser-15s')
    const own = recipe.timeline?.(source, {}, { moments })
    const chosen = recipe.timeline?.(source, { moments: begin }, { moments: [] })
    if (own?.ok !== true || chosen?.ok !== true) throw new Error('no timeline')
    expect(chosen.value).toHaveLength(own.value.length)
    for (const [index, passage] of chosen.value.entries())
      expect(Math.abs(passage.startMs - (own.value[index]?.startMs ?? 0))).toBeLessThan(1)
    expect(fits(begin)).toEqual({ ok: true, value: null })
  })

  it('REC-21 has a picture in every moment that it begins with', () => {
    for (const { startMs, endMs } of begin.shown)
      expect(board.placesMs.some((place) => startMs <= place && place < endMs)).toBe(true)
  })

  it('REC-21 swaps a moment with the next best until every candidate was there, and begins again', () => {
    const seen = new Set<number>()
    let choice = begin
    for (let press = 0; press < 80; press += 1) {
      const next = swapped(board, choice, 2)
      if (next === null) throw new Error('nothing to swap with')
      expect(next.shown.map(at).toSpliced(2, 1)).toEqual(begin.shown.map(at).toSpliced(2, 1))
      choice = next
      seen.add(choice.shown[2]?.startMs ?? 0)
    }
    expect(seen.size).toBeGreaterThan(20)
    expect(seen.size).toBeLessThan(80)
    expect(fits(choice).ok).toBe(true)
  })

  it('REC-21 never shows again what was banned, and takes a ban back', () => {
    const banned = withBan(board, withLock(begin, 1, true), 1)
    if (banned === null) throw new Error('nothing else')
    const gone = begin.shown[1]
    expect(banned.banned).toEqual([{ startMs: gone?.startMs, endMs: gone?.endMs }])
    expect(banned.shown[1]).toMatchObject({ isLocked: false })
    for (let seed = 0; seed < 50; seed += 1)
      for (const each of surprised(board, banned, seed).shown)
        for (const other of banned.banned) expect(overlap(each, other)).toBe(false)
    expect(withoutBan(banned, banned.banned[0] ?? { startMs: 0, endMs: 0 }).banned).toEqual([])
  })

  it('REC-21 surprises with others, and leaves what is locked', () => {
    const locked = withLock(withLock(begin, 0, true), 4, true)
    const [one, same, other] = [7, 7, 8].map((seed) => surprised(board, locked, seed))
    expect(one).toEqual(same)
    expect(one).not.toEqual(other)
    expect(one).not.toEqual(locked)
    for (const index of [0, 4]) expect(one?.shown[index]).toEqual(locked.shown[index])
    expect(one?.shown.map(lengthOf)).toEqual(locked.shown.map(lengthOf))
  })

  it('REC-21 moves a moment and keeps it there', () => {
    const next = moved(board, begin, 3, 0)
    expect(next.shown[0]).toEqual({ ...begin.shown[3], isLocked: true })
    expect(next.shown.slice(1, 4)).toEqual(begin.shown.slice(0, 3))
    expect(moved(board, begin, 0, -1)).toBe(begin)
    expect(moved(board, begin, 5, 6)).toBe(begin)
  })

  it('REC-21 puts what is around a picture in the place of a moment, if it is free', () => {
    const free = candidatesOf(board, wantedAt(board, begin, 0)).find((each) =>
      begin.shown.every((other) => !overlap(each, other)),
    )
    const next = withPlace(board, begin, 0, free?.placeMs ?? 0)
    expect(next?.shown[0]).toMatchObject({ startMs: free?.startMs, isLocked: true })
    const taken = board.placesMs.find(
      (place) => (begin.shown[1]?.startMs ?? 0) <= place && place < (begin.shown[1]?.endMs ?? 0),
    )
    expect(withPlace(board, begin, 0, taken ?? 0)).toBeNull()
  })

  it('REC-21 takes own points as they are, and the others give way', () => {
    const own = { startMs: 50_123, endMs: 56_789 }
    const next = withPoints(board, begin, null, own)
    expect(next.shown).toContainEqual({ ...own, isLocked: true })
    expect(Math.abs(lengthTogether(next.shown, rule) - 15_000)).toBeLessThan(2)
    expect(next.shown.length).toBeLessThan(begin.shown.length + 1)
    // Later changes of it move the others again.
    const index = next.shown.findIndex(({ isLocked }) => isLocked)
    const shorter = withPoints(board, next, index, { startMs: 50_123, endMs: 52_000 })
    expect(shorter.shown[index]).toEqual({ startMs: 50_123, endMs: 52_000, isLocked: true })
    expect(fits(shorter).ok).toBe(true)
    expect(shorter.shown.length).toBeGreaterThan(next.shown.length)
  })

  it('REC-21 says what to do when own points do not fit', () => {
    const long = withPoints(board, begin, null, { startMs: 30_000, endMs: 50_000 })
    expect(fits(long)).toMatchObject({
      error: { field: 'moments', message: expect.stringContaining('5 s too long for 15 s') },
    })
    const nearly = withPoints(board, begin, null, { startMs: 30_000, endMs: 44_500 })
    expect(fits(nearly)).toMatchObject({
      error: { message: expect.stringContaining('leave 0.5 s of 15 s open') },
    })
    const brief = withPoints(board, begin, null, { startMs: 30_000, endMs: 30_200 })
    expect(fits(brief)).toMatchObject({
      error: { message: expect.stringContaining('at least 0.8 s') },
    })
    const late = { shown: [{ startMs: 110_000, endMs: 125_000, isLocked: true }], banned: [] }
    expect(fits(late)).toMatchObject({
      error: { message: expect.stringContaining('ends at 2:00.0') },
    })
  })

  it('REC-21 whatever is pressed, locked moments stay, nothing banned is shown, and the edit keeps its length', () => {
    const press = fc.record({
      kind: fc.constantFrom('lock', 'swap', 'ban', 'move', 'surprise', 'own', 'place'),
      index: fc.nat(13),
      n: fc.nat(119_000),
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...withBoards),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 90, maxLength: 150 }),
        fc.array(press, { maxLength: 12 }),
        (slug, scores, presses) => {
          const film = probe({ durationMs: scores.length * 1000 })
          const all = secondsOf(scores)
          const ofFilm = boardOf(slug, film, all)
          let choice = firstChoice(slug, film, all)
          for (const { kind, index, n } of presses) {
            const before = choice
            const lengthMs = ofFilm.rule.slots?.[index]?.lengthMs ?? 900 + (n % 3000)
            const points = { startMs: n % 80_000, endMs: (n % 80_000) + Math.round(lengthMs) }
            choice = pressed(ofFilm, choice, kind, index, n, points) ?? choice
            for (const each of choice.shown)
              for (const other of choice.banned) expect(overlap(each, other)).toBe(false)
            if (kind === 'surprise')
              expect(choice.shown.filter(({ isLocked }) => isLocked)).toEqual(
                before.shown.filter(({ isLocked }) => isLocked),
              )
            if (kind === 'own')
              for (const [at, each] of before.shown.entries())
                if (each.isLocked && (ofFilm.rule.slots === null || at !== index))
                  expect(choice.shown).toContainEqual(each)
          }
          const check = checkChoice(choice, ofFilm.rule, film.durationMs)
          const delivered = recipeOf(slug).timeline?.(
            film,
            { ...payloadOf(slug), moments: choice },
            { moments: [] },
          )
          expect(delivered?.ok).toBe(check.ok)
          if (delivered?.ok !== true) return
          expect(delivered.value).toHaveLength(choice.shown.length)
          const frameMs = slug === 'short-trailer-gif' ? 80 : 34
          for (const [index, passage] of delivered.value.entries()) {
            const { startMs = 0, endMs = 0 } = choice.shown[index] ?? {}
            expect(Math.abs(passage.startMs - startMs)).toBeLessThan(2 * frameMs + 2)
            expect(Math.abs(passage.endMs - endMs)).toBeLessThan(4 * frameMs + 4)
          }
          if (ofFilm.rule.slots !== null) return
          const last = delivered.value.at(-1)
          const endMs = (last?.outputStartMs ?? 0) + (last?.endMs ?? 0) - (last?.startMs ?? 0)
          expect(Math.abs(endMs - lengthRuleOf(ofFilm).lengthMs)).toBeLessThan(frameMs)
        },
      ),
      { numRuns: runs(60) },
    )
  })
})

describe('the board of a pack', () => {
  const stills = boardOf('still-pack', source, moments)
  const own = firstChoice('still-pack', source, moments)
  const gifs = boardOf('social-media-gif-pack', source, moments)
  const files = firstChoice('social-media-gif-pack', source, moments)

  it('REC-21 every format that searches for moments has one', () => {
    const searching = Object.values(recipes).filter(({ usesMoments }) => usesMoments)
    expect(withBoards).toEqual(searching.map(({ slug }) => slug))
    expect(withBoards).toHaveLength(10)
  })

  it('REC-21 begins with the pictures that a still pack shows by itself, each of them taken', () => {
    expect(own.shown).toHaveLength(12)
    for (const { startMs, endMs } of own.shown) {
      expect(endMs - startMs).toBe(1)
      expect(stills.placesMs).toContain(startMs)
    }
  })

  it('REC-21 proposes for a still just the pictures that were taken', () => {
    for (const each of candidatesOf(stills, wantedAt(stills, own, 0)))
      expect(each.startMs).toBe(each.placeMs)
    const next = surprised(stills, withLock(own, 3, true), 5)
    expect(next.shown[3]).toEqual({ ...own.shown[3], isLocked: true })
    for (const { startMs } of next.shown) expect(stills.placesMs).toContain(startMs)
  })

  it('REC-21 gives a moment the length of the file that it is moved to', () => {
    const next = moved(gifs, files, 0, 3)
    expect(next.shown.map(lengthOf)).toEqual([3000, 3000, 3000, 4000])
    const { startMs = 0 } = files.shown[0] ?? {}
    expect(next.shown[3]).toMatchObject({ startMs: Math.max(800, startMs - 500), isLocked: true })
    expect(checkChoice(next, gifs.rule, source.durationMs).ok).toBe(true)
  })

  it('REC-21 keeps so many moments as there are files, each of its length', () => {
    const point = { startMs: 50_000, endMs: 53_000 }
    expect(withPoints(gifs, files, null, point)).toEqual({ ...files, banned: [] })
    expect(withPoints(gifs, files, 1, point).shown[1]).toEqual({ ...point, isLocked: true })
    const check = (shown: MomentChoice['shown']) =>
      checkChoice({ shown }, gifs.rule, source.durationMs)
    const one = { startMs: 0, endMs: 3000, isLocked: true }
    expect(check([one])).toMatchObject({
      error: { message: expect.stringContaining('shows 4 moments, not 1') },
    })
    expect(check([one, one, one, one])).toMatchObject({
      error: { message: expect.stringContaining('Looping video can begin at 0:00.8') },
    })
    expect(check([one, { ...one, endMs: 4000 }, one, one])).toMatchObject({
      error: { message: expect.stringContaining('Wide GIF needs a moment of 3 s') },
    })
  })

  it('REC-21 has nothing to choose where a source gives every file the same', () => {
    const short = probe({ durationMs: 9000 })
    for (const slug of ['social-media-gif-pack', 'team-skeet-thumbnail-video', 'tube-cut'])
      expect(recipeOf(slug).momentRule?.(short, payloadOf(slug))).toBeNull()
  })
})

function pressed(
  on: MomentBoard,
  choice: MomentChoice,
  kind: string,
  index: number,
  n: number,
  points: Stretch,
): MomentChoice | null {
  if (on.rule.slots !== null && index >= on.rule.slots.length) return null
  switch (kind) {
    case 'lock':
      return withLock(choice, index, n % 2 === 0)
    case 'swap':
      return swapped(on, choice, index)
    case 'ban':
      return withBan(on, choice, index)
    case 'move':
      return moved(on, choice, index, index + 1)
    case 'surprise':
      return surprised(on, choice, n)
    case 'own':
      return withPoints(on, choice, on.rule.slots === null ? null : index, points)
    default:
      return withPlace(on, choice, index, on.placesMs[n % on.placesMs.length] ?? 0)
  }
}

describe('the option of chosen moments', () => {
  const validate = (payload: unknown) => recipeOf('teaser-15s').validate(payload)
  const shown = [{ startMs: 0, endMs: 5000, isLocked: true }]

  it('REC-21 is left out by default and read as it was sent', () => {
    expect(validate(undefined)).toEqual({ ok: true, value: {} })
    const given = { moments: { shown, banned: [{ startMs: 6000, endMs: 7000 }] } }
    expect(validate(given)).toEqual({ ok: true, value: given })
  })

  it.each([
    ['another field', { text: 'a' }, 'text'],
    ['no list', { moments: {} }, 'moments'],
    ['no moment', { moments: { shown: [], banned: [] } }, 'moments'],
    [
      'an end before the start',
      { moments: { shown: [{ ...shown[0], endMs: 0 }], banned: [] } },
      'moments',
    ],
    [
      'parts of a millisecond',
      { moments: { shown: [{ ...shown[0], endMs: 5.5 }], banned: [] } },
      'moments',
    ],
    ['no lock', { moments: { shown: [{ startMs: 0, endMs: 5000 }], banned: [] } }, 'moments'],
    [
      'too many',
      { moments: { shown: Array.from({ length: 41 }, () => shown[0]), banned: [] } },
      'moments',
    ],
    [
      'a banned moment',
      { moments: { shown, banned: [{ startMs: 4000, endMs: 6000 }] } },
      'moments',
    ],
  ])('REC-21 refuses %s', (_, payload, field) => {
    expect(validate(payload)).toMatchObject({
      ok: false,
      error: { code: 'recipe/options-invalid', field },
    })
  })

  it('REC-21 is refused for a video that is shown whole, and by formats that take none', () => {
    const short = probe({ durationMs: 14_000 })
    const payload = { moments: { shown, banned: [] } }
    const recipe = recipeOf('teaser-15s')
    expect(recipe.momentRule?.(short, {})).toBeNull()
    expect(recipe.timeline?.(short, payload, { moments: [] })).toMatchObject({ ok: false })
    expect(findRecipe('example-low-resolution-video')?.validate(payload)).toMatchObject({
      error: { field: 'moments' },
    })
  })
})

it('REC-21 a place keeps its capitals within a sentence', () => {
  const slots = [{ name: 'Square GIF', lengthMs: 1000, earliestMs: 0 }]
  expect([placeWords({ slots }, 0), placeWords(rule, 2)]).toEqual(['square GIF', 'moment 3'])
})
