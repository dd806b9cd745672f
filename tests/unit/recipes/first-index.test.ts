import { expect, it } from 'vitest'
import { rankIn } from '#recipes/analysis-unseen.ts'
import { firstIndex } from '#recipes/first-index.ts'

it('finds where a condition begins to hold, and the length of a list in which it never does', () => {
  const list = [1, 3, 3, 8]
  expect(firstIndex(list, (each) => each >= 3)).toBe(1)
  expect(firstIndex(list, (each) => each > 3)).toBe(3)
  expect(firstIndex(list, (each) => each > 8)).toBe(4)
  expect(firstIndex([], () => true)).toBe(0)
})

it('REC-20 a size is ranked among those of a day without reading them all', () => {
  const looked = { times: 0 }
  const sizes = new Proxy(
    Array.from({ length: 172_800 }, (_, index) => index),
    {
      get: (list, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked.times += 1
        return Reflect.get(list, name) as unknown
      },
    },
  )
  expect(rankIn(sizes, 86_399)).toBe(0.5)
  expect(looked.times).toBeLessThan(40)
})
