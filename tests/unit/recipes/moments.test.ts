import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Passage } from '#recipes/passage-worth.ts'
import { pickPassages } from '#recipes/pick-passages.ts'
import { pickPlaces } from '#recipes/pick-places.ts'
import { createWeigher, GOOD } from '#recipes/passage-worth.ts'
import type { Moment } from '#recipes/types.ts'

const kinds = ['lively', 'calm', 'still', 'dark', 'soft', 'title', 'black', 'unseen'] as const
/** Stretches in order of time, with and without holes. */
const momentsOf = (durationMs: number) =>
  fc
    .array(
      fc.record({
        lengthMs: fc.integer({ min: 1, max: 5000 }),
        holeMs: fc.constantFrom(0, 0, 0, 1, 300, 9000),
        shows: fc.constantFrom(...kinds),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
        startsShot: fc.boolean(),
        likeness: fc.constantFrom('', '0'.repeat(48), '8'.repeat(48)),
      }),
      { maxLength: 60 },
    )
    .map((all) => {
      let atMs = 0
      return all
        .map(({ holeMs, ...moment }): Moment => {
          const startMs = atMs + holeMs
          atMs = startMs + moment.lengthMs
          return { ...moment, atMs: startMs, stillMs: startMs + Math.floor(moment.lengthMs / 2) }
        })
        .filter((moment) => moment.atMs + moment.lengthMs <= durationMs)
    })
const source = fc
  .integer({ min: 200, max: 4 * 3_600_000 })
  .chain((durationMs) =>
    fc.record({ durationMs: fc.constant(durationMs), moments: momentsOf(durationMs) }),
  )
/** Stretches of a second each, one after the other, as a shot of its own each time. */
const shot = (
  fromS: number,
  toS: number,
  shows: Moment['shows'],
  look: number,
  score = 0.5,
): Moment[] =>
  Array.from({ length: toS - fromS }, (_, index): Moment => ({
    atMs: (fromS + index) * 1000,
    lengthMs: 1000,
    shows,
    score,
    startsShot: index === 0,
    stillMs: (fromS + index) * 1000 + 400,
    likeness: look.toString(16).repeat(48),
  }))
const inside = (atMs: number, fromS: number, toS: number): boolean =>
  atMs >= fromS * 1000 && atMs <= toS * 1000

describe('picking passages', () => {
  it('never leaves the source, overlaps or goes back in time, and gives the lengths asked for', () => {
    fc.assert(
      fc.property(
        source,
        fc.array(fc.integer({ min: 500, max: 40_000 }), { minLength: 1, maxLength: 16 }),
        ({ durationMs, moments }, lengths) => {
          const passages = pickPassages(durationMs, moments, lengths)
          let endMs = 0
          for (const passage of passages) {
            expect(passage.startMs).toBeGreaterThanOrEqual(Math.floor(endMs))
            endMs = passage.startMs + passage.durationMs
          }
          expect(endMs).toBeLessThanOrEqual(durationMs + 0.001)
          const total = lengths.reduce((sum, each) => sum + each, 0)
          expect(passages.map((passage) => passage.durationMs)).toEqual(
            total >= durationMs ? [durationMs] : lengths,
          )
        },
      ),
    )
  })

  it('REC-01 stands apart only where that costs less than 0.15, unless all is good', () => {
    const differing = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom('lively', 'calm', 'still')), {
        minLength: 8,
        maxLength: 20,
      })
      .map((stretches) => {
        let atS = 0
        return stretches.flatMap(([lengthS, shows]) => {
          atS += lengthS
          return shot(atS - lengthS, atS, shows, 0).map((each) => ({ ...each, likeness: '' }))
        })
      })
    const lengths = fc.array(fc.constantFrom(1000, 2000, 3000), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(differing, lengths, (moments, durationsMs) => {
        const endMs = moments.length * 1000
        const { worth } = createWeigher(moments)
        const sum = (passages: readonly Passage[]): number =>
          passages.reduce((sum, { startMs, durationMs }) => sum + worth(startMs, durationMs), 0)
        const sideBySide = moments.map(({ atMs }) => {
          let startMs = atMs
          return durationsMs.map((durationMs) => {
            startMs += durationMs
            return { startMs: startMs - durationMs, durationMs }
          })
        })
        const inside = sideBySide.filter(
          ([first, ...rest]) =>
            (first?.startMs ?? 0) >= endMs * 0.03 &&
            [first, ...rest].every((each) => (each?.startMs ?? 0) + 3000 <= endMs * 0.97),
        )
        const picked = pickPassages(endMs, moments, durationsMs)
        if (picked.every(({ startMs, durationMs }) => worth(startMs, durationMs) >= GOOD)) return
        for (const others of [pickPassages(endMs, [], durationsMs), ...inside])
          expect(sum(picked)).toBeGreaterThanOrEqual(sum(others) - 0.15)
      }),
    )
  })

  it('REC-01 stands apart where standing together gains nearly nothing', () => {
    const calm = shot(0, 60, 'calm', 0).map((each, second) => ({
      ...each,
      likeness: '',
      score: second >= 20 && second < 23 ? 0.52 : 0.5,
    }))
    const [first, second, third] = pickPassages(60_000, calm, [1000, 1000, 1000]).map(
      ({ startMs }) => startMs,
    )
    // Seven tenths of the even distance: a third of what the edges and the passages leave.
    const apartMs = 0.7 * ((60_000 * 0.94 - 3000) / 3)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(apartMs)
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(apartMs)
  })

  it('REC-10 finer lengths never show more black and titles than the usual ones', () => {
    const halves = (lengths: readonly number[]): number[] =>
      lengths.flatMap((each) => [Math.ceil(each / 2), Math.floor(each / 2)])
    const lengths = fc.array(fc.integer({ min: 1000, max: 9000 }), { minLength: 1, maxLength: 6 })
    const crowded = fc
      .array(
        fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('lively', 'black', 'title')),
        { minLength: 5, maxLength: 25 },
      )
      .map((stretches) => {
        let atS = 0
        return stretches.flatMap(([lengthS, shows], look) => {
          atS += lengthS
          return shot(atS - lengthS, atS, shows, look % 16)
        })
      })
    fc.assert(
      fc.property(crowded, lengths, (moments, durationsMs) => {
        const durationMs = moments.length * 1000
        const { bareness } = createWeigher(moments)
        const bare = (finer: readonly (readonly number[])[]): number =>
          pickPassages(durationMs, moments, durationsMs, finer).reduce(
            (sum, passage) => sum + bareness(passage.startMs, passage.durationMs),
            0,
          )
        const usual = bare([])
        expect(bare([halves(durationsMs)])).toBeLessThanOrEqual(usual)
        expect(bare([durationsMs, halves(durationsMs)])).toBeLessThanOrEqual(usual)
      }),
    )
  })

  it('gives the same answer for the same source', () => {
    fc.assert(
      fc.property(source, ({ durationMs, moments }) => {
        expect(pickPassages(durationMs, moments, [900, 800])).toEqual(
          pickPassages(durationMs, moments, [900, 800]),
        )
      }),
    )
  })

  it('spaces the passages evenly when nothing is known of the source', () => {
    const starts = pickPassages(100_000, [], [2000, 2000, 2000, 2000]).map(
      (passage) => passage.startMs,
    )
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1)
    expect(starts[0]).toBeGreaterThan(3000)
  })

  it('REC-01 shows what is lively, in one shot each, and neither black nor titles', () => {
    const moments = [
      ...shot(0, 12, 'title', 1, 0.9),
      ...shot(12, 17, 'lively', 2),
      ...shot(17, 40, 'still', 3, 0.9),
      ...shot(40, 46, 'lively', 4),
      ...shot(46, 70, 'black', 0),
      ...shot(70, 75, 'lively', 5),
      ...shot(75, 82, 'soft', 6, 0.9),
    ]
    const passages = pickPassages(82_000, moments, [3000, 3000, 3000])
    for (const [index, [fromS, toS]] of [
      [12, 17],
      [40, 46],
      [70, 75],
    ].entries()) {
      const { startMs, durationMs } = passages[index] ?? { startMs: 0, durationMs: 0 }
      expect(inside(startMs, fromS ?? 0, toS ?? 0)).toBe(true)
      expect(inside(startMs + durationMs, fromS ?? 0, toS ?? 0)).toBe(true)
    }
  })

  it('REC-02 stands closer together where lively shots do', () => {
    const moments = [...shot(0, 80, 'still', 1), ...shot(80, 100, 'lively', 2)]
    for (const { startMs } of pickPassages(100_000, moments, [4000, 4000, 4000]))
      expect(startMs).toBeGreaterThanOrEqual(80_000)
  })

  it('REC-01 keeps short passages inside what was looked at', () => {
    const looked = (fromS: number): Moment[] => [
      ...shot(fromS, fromS + 6, 'lively', fromS / 20, 0.3),
      ...shot(fromS + 6, fromS + 20, 'unseen', 0, 1).map((each) => ({
        ...each,
        startsShot: false,
        likeness: '',
      })),
    ]
    const moments = [20, 40, 60, 80].flatMap(looked)
    for (const { startMs } of pickPassages(110_000, moments, [4000, 4000, 4000])) {
      expect(startMs % 20_000).toBeLessThanOrEqual(2050)
    }
  })

  it('REC-03 shows no place twice where there are others', () => {
    const looks = [2, 5, 2, 2, 9, 2]
    const moments = looks.flatMap((look, index) =>
      shot(index * 10, index * 10 + 10, 'lively', look, look === 2 ? 0.9 : 0.4),
    )
    const shown = pickPassages(60_000, moments, [3000, 3000, 3000]).map(
      ({ startMs }) => looks[Math.floor(startMs / 10_000)],
    )
    expect(new Set(shown)).toEqual(new Set([2, 5, 9]))
  })

  it('REC-10 shows a title rather than black, in long passages too', () => {
    const moments = [
      ...shot(0, 8, 'lively', 1),
      ...shot(8, 16, 'black', 0),
      ...shot(16, 24, 'title', 2),
      ...shot(24, 34, 'still', 3),
    ]
    const passages = pickPassages(34_000, moments, [8000, 9000, 8000])
    const black = passages.filter(
      ({ startMs, durationMs }) => startMs < 16_000 && startMs + durationMs > 8000,
    )
    expect(black).toEqual([])
  })

  it('REC-10 takes finer lengths only where the usual ones cannot stand beside black', () => {
    const usual = [9000, 7000]
    const finer = [5000, 4000, 4000, 3000]
    const scene = (black: readonly number[]): Moment[] =>
      [0, 1, 2, 3, 4].flatMap((each) =>
        shot(each * 6, each * 6 + 6, black.includes(each) ? 'black' : 'lively', each + 1),
      )
    const lengths = (black: readonly number[]): readonly number[] =>
      pickPassages(30_000, scene(black), usual, [finer]).map(({ durationMs }) => durationMs)
    expect(lengths([])).toEqual(usual)
    expect(lengths([4])).toEqual(usual)
    expect(lengths([1, 3])).toEqual(finer)
  })

  it('REC-10 stands side by side where all that is not black is needed', () => {
    const moments = [
      ...shot(0, 7, 'black', 0),
      ...shot(7, 17, 'still', 1),
      ...shot(17, 40, 'black', 0),
    ]
    const passages = pickPassages(40_000, moments, [2400, 2500, 2500, 2600])
    expect(passages.map(({ startMs }) => startMs)).toEqual([7000, 9400, 11_900, 14_400])
  })

  it('REC-06 puts long passages where more is lively, and their ends away from cuts', () => {
    const moments = [
      ...shot(0, 60, 'still', 1),
      ...shot(60, 85, 'lively', 2),
      ...shot(85, 100, 'lively', 3),
      ...shot(100, 160, 'still', 4),
    ]
    const [passage] = pickPassages(160_000, moments, [30_000])
    expect(passage?.startMs).toBeGreaterThanOrEqual(60_000)
    expect(passage?.startMs).toBeLessThanOrEqual(70_000)
  })
})

describe('picking places', () => {
  it('gives different places inside the source, in order of time', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 12 }), ({ durationMs, moments }, count) => {
        const places = pickPlaces(durationMs, moments, count)
        expect(places.length).toBeGreaterThanOrEqual(1)
        expect(places.length).toBeLessThanOrEqual(count)
        expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
        for (const atMs of places) expect(atMs >= 0 && atMs <= durationMs).toBe(true)
      }),
    )
  })

  it('REC-04 gives all twelve when nothing is known', () => {
    expect(pickPlaces(120_000, [], 12)).toHaveLength(12)
  })

  it('REC-04 takes the sharpest picture of stretches that differ, never black ones', () => {
    const moments = [
      ...shot(0, 20, 'black', 0, 1),
      ...Array.from({ length: 12 }, (_, index) =>
        shot(20 + index * 5, 25 + index * 5, index % 2 === 0 ? 'lively' : 'still', index + 1),
      ).flat(),
      ...shot(80, 120, 'soft', 14, 1),
    ]
    const places = pickPlaces(120_000, moments, 12)
    expect(places).toHaveLength(12)
    expect(new Set(places.map((atMs) => Math.floor(atMs / 5000))).size).toBe(12)
    for (const atMs of places) {
      expect(inside(atMs, 20, 80)).toBe(true)
      expect(atMs % 1000).toBe(400)
    }
  })

  it('REC-04 of scenes that always look the same takes other times, not the next second', () => {
    const moments = [
      ...shot(0, 40, 'still', 1, 0.2),
      ...shot(40, 80, 'lively', 2, 0.9),
      ...shot(80, 120, 'calm', 3, 0.4),
    ]
    const places = pickPlaces(120_000, moments, 12)
    expect(places).toHaveLength(12)
    const gaps = places.slice(1).map((atMs, index) => atMs - (places[index] ?? 0))
    // Twelve even ones are 9.4 s apart.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2800)
  })

  it('REC-04 looks no further once there are enough', () => {
    const looked = { times: 0 }
    const moments = shot(0, 60, 'lively', 1).map((moment, index): Moment => ({
      ...moment,
      likeness: (index % 15).toString(16).repeat(48),
      get shows() {
        looked.times += 1
        return 'lively' as const
      },
    }))
    expect(pickPlaces(60_000, moments, 4)).toHaveLength(4)
    expect(looked.times).toBe(moments.length)
  })

  it('REC-04 takes black only where there is nothing else', () => {
    const moments = [...shot(0, 27, 'black', 0), ...shot(27, 29, 'lively', 4)]
    const places = pickPlaces(30_000, moments, 6)
    expect(places).toHaveLength(6)
    for (const atMs of places) expect(inside(atMs, 27, 29)).toBe(true)
    expect(pickPlaces(30_000, shot(0, 30, 'black', 0), 6)).toHaveLength(6)
  })
})
