import { expect, it } from 'vitest'
import { shrinkPlane } from '#workers/media/shrink-frame.ts'

it('writes the mean of each cell', () => {
  const into = new Uint8Array(2)
  shrinkPlane(
    Uint8Array.of(9, 0, 10, 100, 110, 20, 30, 120, 130),
    { offset: 1, stride: 4, step: 1 },
    { factor: 2, width: 2, height: 1 },
    into,
  )
  expect(Array.from(into)).toEqual([(0 + 10 + 20 + 30) / 4, (100 + 110 + 120 + 130) / 4])
})

it('takes one of two colours that lie by turns', () => {
  const into = new Uint8Array(1)
  shrinkPlane(
    Uint8Array.of(10, 200, 20, 210, 30, 220, 40, 230),
    { offset: 1, stride: 4, step: 2 },
    { factor: 2, width: 1, height: 1 },
    into,
  )
  expect(into[0]).toBe(215)
})

it('looks at some values of large cells only, spread over them', () => {
  const into = new Uint8Array(1)
  const bytes = new Uint8Array(36)
  for (const y of [1, 3, 5]) for (const x of [1, 3, 5]) bytes[y * 6 + x] = 90
  shrinkPlane(bytes, { offset: 0, stride: 6, step: 1 }, { factor: 6, width: 1, height: 1 }, into)
  expect(into[0]).toBe(90)
})
