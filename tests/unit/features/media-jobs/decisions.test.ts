import { describe, expect, it } from 'vitest'
import {
  byHandWords,
  isWhollyCovered,
  shotAt,
  shotsToReview,
  withBox,
  withBoxEnd,
  withCovered,
  withMovedBox,
  withoutBox,
  withWhole,
} from '#src/features/media-jobs/decisions.ts'
import type { FaceDecisions } from '#src/features/media-jobs/use-face-review.ts'
import { fakeFaceReview } from '#tests/fakes/fake-rows.ts'

const NONE: FaceDecisions = { uncovered: [], added: [], wholly: [] }
const shot = { startMs: 0, endMs: 30_000 }
const box = { atMs: 2000, x: 0.9, y: 0.1, width: 0.3, height: 0.2 }
const drawn = withBox(NONE, { id: 'one', box, shot })
const boxesOf = (decisions: FaceDecisions) => decisions.added[0]?.boxes

describe('the order of a review', () => {
  it('REC-18 begins with the shot and the face that the search is least sure of', () => {
    const { finding } = fakeFaceReview()
    if (finding === null) throw new Error('It has one')
    const order = shotsToReview(finding).map(({ tracks }) => tracks.map(({ id }) => id))
    expect(order).toEqual([['t2', 't1'], ['t3']])
  })

  it('REC-18 knows the shot of each time, and takes all of the video where there is none', () => {
    const review = fakeFaceReview()
    expect(shotAt(review, 29_999)).toEqual({ startMs: 0, endMs: 30_000 })
    expect(shotAt(review, 30_000)).toEqual({ startMs: 30_000, endMs: 60_000 })
    expect(shotAt(review, 60_000)).toEqual({ startMs: 0, endMs: 60_000 })
  })
})

describe('decisions', () => {
  it('REC-18 let a face stay visible, once, and cover it again', () => {
    const visible = withCovered(withCovered(NONE, 't1', false), 't1', false)
    expect(visible.uncovered).toEqual(['t1'])
    expect(withCovered(visible, 't1', true)).toEqual(NONE)
  })

  it('REC-18 keep a drawn box inside of the picture and let it last to the end of its shot', () => {
    const [track] = drawn.added
    expect(track).toMatchObject({ id: 'one', startMs: 2000, endMs: 30_000, certainty: 1 })
    expect(boxesOf(drawn)).toEqual([{ ...box, x: 0.7 }])
    expect(withoutBox(drawn, 'one')).toEqual(NONE)
  })

  it('REC-18 let a box move to where it is put at another time, in the order of times', () => {
    const moved = withMovedBox(drawn, 'one', { ...box, atMs: 5000, x: 0 })
    expect(boxesOf(moved)?.map(({ atMs, x }) => [atMs, x])).toEqual([
      [2000, 0.7],
      [5000, 0],
    ])
    const again = withMovedBox(moved, 'one', { ...box, atMs: 5010, x: 0.2 })
    expect(boxesOf(again)?.map(({ atMs }) => atMs)).toEqual([2000, 5010])
  })

  it('REC-18 never send more boxes of a track than the server takes', () => {
    let many = drawn
    for (let at = 0; at < 60; at += 1)
      many = withMovedBox(many, 'one', { ...box, atMs: 2000 + at * 100 })
    expect(boxesOf(many)).toHaveLength(40)
  })

  it('REC-18 end a box at a time, where it keeps the place that it has there', () => {
    const moved = withMovedBox(drawn, 'one', { ...box, atMs: 4000, x: 0.1 })
    const late = withBoxEnd(moved, 'one', { startMs: 6000 })
    expect(late.added[0]).toMatchObject({ startMs: 6000, boxes: [{ atMs: 6000, x: 0.1 }] })
    expect(withBoxEnd(moved, 'one', { endMs: 1000 })).toEqual(moved)
  })

  it('REC-18 cover a stretch wholly, once, and uncover it', () => {
    const whole = withWhole(withWhole(NONE, shot, true), shot, true)
    expect(whole.wholly).toEqual([shot])
    expect(isWhollyCovered(whole, shot)).toBe(true)
    expect(withWhole(whole, shot, false)).toEqual(NONE)
  })

  it('REC-18 are put into words without what there is none of', () => {
    const whole = withWhole(NONE, shot, true)
    const both = withBox(withBox(whole, { id: 'one', box, shot }), { id: 'two', box, shot })
    expect([NONE, drawn, whole, both].map(byHandWords)).toEqual([
      '',
      'By hand: 1 box.',
      'By hand: 1 whole stretch.',
      'By hand: 2 boxes, 1 whole stretch.',
    ])
  })
})
