import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faceBoxAt, boxesAt, coverOf } from '#recipes/face-cover/cover.ts'
import {
  FACE_BOUNDS,
  type FaceBox,
  type FaceFinding,
  type FaceReview,
  type FaceTrack,
} from '#recipes/face-cover/types.ts'

const track = (id: string, startMs: number, endMs: number): FaceTrack => ({
  id,
  startMs,
  endMs,
  certainty: 0.9,
  boxes: [
    { atMs: startMs + 100, x: 0.1, y: 0.2, width: 0.1, height: 0.2 },
    { atMs: endMs - 100, x: 0.3, y: 0.2, width: 0.2, height: 0.2 },
  ],
})
const finding: FaceFinding = {
  version: 1,
  shots: [{ startMs: 0, endMs: 5000 }],
  tracks: [track('a', 0, 2000), track('b', 1000, 3000)],
}
const untouched: FaceReview = { uncovered: [], added: [], wholly: [] }

describe('what is covered', () => {
  it('covers every track that was found when nothing was decided', () => {
    expect(coverOf(finding, untouched)).toEqual({ tracks: finding.tracks, wholly: [] })
  })

  it('leaves out who may be seen and adds what was drawn', () => {
    const drawn = track('drawn', 4000, 5000)
    const cover = coverOf(finding, { ...untouched, uncovered: ['a', 'gone'], added: [drawn] })
    expect(cover.tracks.map(({ id }) => id)).toEqual(['b', 'drawn'])
  })

  it('moves a box linearly, and lets it rest before its first and after its last place', () => {
    const { tracks } = finding
    const [first] = tracks
    if (first === undefined) throw new Error('no track')
    expect(faceBoxAt(first, 0).x).toBe(0.1)
    expect(faceBoxAt(first, 1000).x).toBeCloseTo(0.2, 9)
    expect(faceBoxAt(first, 1000).width).toBeCloseTo(0.15, 9)
    expect(faceBoxAt(first, 1999).x).toBe(0.3)
  })

  it('has a box for each track from its start to before its end', () => {
    const cover = coverOf(finding, untouched)
    expect([0, 999, 1000, 1999, 2000, 2999, 3000].map((at) => boxesAt(cover, at).length)).toEqual([
      1, 1, 2, 2, 1, 1, 0,
    ])
  })

  it('finds the boxes among the most that is stored', () => {
    const boxes = Array.from({ length: FACE_BOUNDS.boxesOfTrack }, (_, index): FaceBox => ({
      atMs: index * 10,
      x: index / 400,
      y: 0,
      width: 0.1,
      height: 0.1,
    }))
    const tracks = Array.from({ length: FACE_BOUNDS.tracks }, (_, index): FaceTrack => ({
      ...track(`t${index}`, 0, 2000),
      boxes,
    }))
    const found = boxesAt(coverOf({ tracks }, untouched), 1005)
    expect(found).toHaveLength(FACE_BOUNDS.tracks)
    expect(found.every(({ x }) => Math.abs(x - 100.5 / 400) < 1e-9)).toBe(true)
  })

  it('covers the whole picture in the stretches that ask for it, however they overlap', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc
            .tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 900 }))
            .map(([startMs, length]) => ({ startMs, endMs: startMs + length })),
          { maxLength: 12 },
        ),
        fc.integer({ min: 0, max: 5000 }),
        (wholly, atMs) => {
          const cover = coverOf(finding, { ...untouched, wholly })
          const asked = wholly.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
          const isWhole = boxesAt(cover, atMs).some(({ width, height }) => width * height === 1)
          expect(isWhole).toBe(asked)
          for (const [index, { startMs }] of cover.wholly.entries())
            expect(startMs).toBeGreaterThan(cover.wholly[index - 1]?.endMs ?? -1)
        },
      ),
    )
  })
})
