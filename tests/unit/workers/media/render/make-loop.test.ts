import { expect, it } from 'vitest'
import { placeInLoop } from '#workers/media/render/make-loop.ts'

const PASSAGE = { frames: 10, fadeFrames: 4 }
const shown = (end: 'fade' | 'cut') =>
  Array.from({ length: PASSAGE.frames }, (_, at) => placeInLoop({ ...PASSAGE, end }, at))

it('NOW-05 the end of a loop fades into all pictures before its beginning, the first one at no share yet', () => {
  expect(shown('fade')).toEqual([
    null,
    null,
    null,
    null,
    { number: 0, share: null },
    { number: 1, share: null },
    { number: 2, share: 1 },
    { number: 3, share: 0.75 },
    { number: 4, share: 0.5 },
    { number: 5, share: 0.25 },
  ])
})

it('NOW-05 a loop that is cut shows the same pictures as they are', () => {
  const places = shown('cut')
  expect(places.map((place) => place?.number)).toEqual(shown('fade').map((place) => place?.number))
  expect(places.every((place) => place === null || place.share === null)).toBe(true)
})
