import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickPassages, pickPlaces } from '#recipes/moments.ts'
import type { Moment } from '#recipes/types.ts'

const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const momentsOf = (durationMs: number) =>
  fc.array(
    fc.record({
      atMs: fc.integer({ min: 0, max: durationMs }),
      score: fraction,
      sceneStart: fc.boolean(),
      brightness: fraction,
      sharpness: fraction,
    }),
    { maxLength: 60 },
  )
const source = fc
  .integer({ min: 200, max: 4 * 3_600_000 })
  .chain((durationMs) =>
    fc.record({ durationMs: fc.constant(durationMs), moments: momentsOf(durationMs) }),
  )
const good = (atMs: number, score: number, more: Partial<Moment> = {}): Moment => ({
  atMs,
  score,
  brightness: 0.5,
  sharpness: 0.8,
  ...more,
})

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

  it('begins with a scene and leaves out black stretches', () => {
    const black = Array.from({ length: 30 }, (_, index) =>
      good(50_000 + index * 1000, 0.9, { brightness: 0 }),
    )
    const moments = [
      good(12_000, 0.9, { sceneStart: true }),
      good(14_000, 0.8),
      good(30_000, 0.6),
      good(40_000, 0.7, { sceneStart: true }),
      good(42_000, 0.7),
      ...black,
    ]
    const passages = pickPassages(82_000, moments, [3000, 3000, 3000])
    expect(passages.map((passage) => passage.startMs)).toContain(12_000)
    expect(
      passages.filter(
        (passage) => passage.startMs + passage.durationMs > 50_000 && passage.startMs < 80_000,
      ),
    ).toEqual([])
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

  it('gives all twelve when nothing is known, and takes the best frame of a stretch when it is', () => {
    expect(pickPlaces(120_000, [], 12)).toHaveLength(12)
    expect(
      pickPlaces(120_000, [good(20_000, 0.2), good(22_000, 0.9), good(24_000, 0.3)], 4),
    ).toContain(22_000)
  })

  it('passes over black, burnt-out and blurred frames', () => {
    const moments = [
      good(20_000, 1, { brightness: 0.01 }),
      good(21_000, 1, { brightness: 0.99 }),
      good(22_000, 1, { sharpness: 0.05 }),
      good(23_000, 0.1),
    ]
    expect(pickPlaces(60_000, moments, 2)).toContain(23_000)
    expect(pickPlaces(60_000, moments, 2)).not.toContain(20_000)
  })
})
