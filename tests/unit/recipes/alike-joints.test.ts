import { expect, it } from 'vitest'
import { withoutGhosts } from '#recipes/alike-joints.ts'
import type { Moment } from '#recipes/types.ts'

const stretch = (atMs: number, look: string): Moment => ({
  atMs,
  lengthMs: 3000,
  shows: 'lively',
  score: 0.5,
  startsShot: false,
  stillMs: atMs + 500,
  likeness: look.repeat(48),
})

it('DEL-02 passages that look alike where they meet are joined by a cut, others by a fade', () => {
  const moments = ['1', '1', '9', '9'].map((look, index) => stretch(index * 3000, look))
  const room = { fadeFrames: 5, frameRate: { text: '25', value: 25 } }
  const passages = [0, 3000, 6000, 9000].map((startMs) => ({ startMs, frames: 50 }))
  expect(withoutGhosts(passages, moments, room)).toEqual([
    { startMs: 0, frames: 50, isCutNext: true },
    { startMs: 3200, frames: 45, isCutNext: false },
    { startMs: 6000, frames: 50, isCutNext: true },
    { startMs: 9200, frames: 45, isCutNext: false },
  ])
  expect(withoutGhosts(passages, moments, room, true).at(-1)?.isCutNext).toBe(false)
  const alike = moments.map((each) => ({ ...each, likeness: '1'.repeat(48) }))
  expect(withoutGhosts(passages, alike, room, true)[0]).toEqual({
    startMs: 200,
    frames: 45,
    isCutNext: true,
  })
})
