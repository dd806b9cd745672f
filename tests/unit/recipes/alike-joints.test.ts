import { expect, it } from 'vitest'
import { behindCuts, repeatsByCut, withoutGhosts } from '#recipes/alike-joints.ts'
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
  const joined = withoutGhosts(passages, moments, room)
  expect(joined).toEqual(
    passages.map((each, index) => ({ ...each, isCutNext: [true, false, true, false][index] })),
  )
  expect(behindCuts(joined, room)).toEqual([
    { startMs: 0, frames: 50, isCutNext: true },
    { startMs: 3200, frames: 45, isCutNext: false },
    { startMs: 6000, frames: 50, isCutNext: true },
    { startMs: 9200, frames: 45, isCutNext: false },
  ])
  expect(withoutGhosts(passages, moments, room, true).at(-1)?.isCutNext).toBe(false)
  const alike = moments.map((each) => ({ ...each, likeness: '1'.repeat(48) }))
  expect(behindCuts(withoutGhosts(passages, alike, room, true), room)[0]).toEqual({
    startMs: 200,
    frames: 45,
    isCutNext: true,
  })
})

it('DEL-02 a clip that is repeated fades only where its end is known to look unlike its beginning', () => {
  const clip = { startMs: 0, durationMs: 4800 }
  const moments = (first: string, then: string, more: Partial<Moment> = {}): readonly Moment[] => [
    { ...stretch(0, first), ...more },
    { ...stretch(3000, then), ...more },
  ]
  expect(repeatsByCut(clip, 800, moments('1', '9'))).toBe(false)
  expect(repeatsByCut(clip, 800, moments('1', '1'))).toBe(true)
  // A few seconds of what was not looked at are most likely one shot.
  expect(repeatsByCut(clip, 800, [])).toBe(true)
  // A face at its end, at its beginning or at both would be a ghost, also in another shot.
  const heads = '33333333'
  const [first, then] = moments('1', '9')
  if (first === undefined || then === undefined) throw new Error('no moments')
  const next = { ...then, startsShot: true }
  expect(repeatsByCut(clip, 800, [first, next])).toBe(false)
  expect(repeatsByCut(clip, 800, [{ ...first, heads }, next])).toBe(true)
  expect(repeatsByCut(clip, 800, [first, { ...next, heads }])).toBe(true)
  expect(repeatsByCut(clip, 800, moments('1', '9', { heads }))).toBe(true)
})

it('DEL-02 passages are joined by a cut where a face is seen on either side', () => {
  const room = { fadeFrames: 5, frameRate: { text: '25', value: 25 } }
  const passages = [0, 3000, 6000, 9000, 12_000].map((startMs) => ({ startMs, frames: 50 }))
  const moments = ['1', '5', '9', '1', '9'].map((look, index) => ({
    ...stretch(index * 3000, look),
    heads: index === 1 ? '33333333' : '',
  }))
  expect(withoutGhosts(passages, moments, room).map(({ isCutNext }) => isCutNext)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

it('DEL-02 a single passage that is repeated begins again by a cut', () => {
  const room = { fadeFrames: 5, frameRate: { text: '25', value: 25 } }
  const passages = [{ startMs: 0, frames: 100 }]
  const cut = [{ startMs: 200, frames: 95, isCutNext: true }]
  for (const moments of [[stretch(0, '1'), stretch(3000, '1')], []])
    expect(behindCuts(withoutGhosts(passages, moments, room, true), room)).toEqual(cut)
  expect(withoutGhosts(passages, [], room)).toEqual([{ ...passages[0], isCutNext: false }])
})
