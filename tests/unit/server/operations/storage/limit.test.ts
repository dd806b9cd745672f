import { expect, it } from 'vitest'
import { shareOf } from '#server/operations/media/storage/limit.ts'

it('TRU-02 alone, an account gets two thirds of the disk, and the next one two thirds of the rest', () => {
  expect(shareOf(0, 90)).toBe(60)
  // The same, whatever of it is used already.
  expect(shareOf(60, 30)).toBe(60)
  expect(shareOf(0, 30)).toBe(20)
  expect(shareOf(0, 10)).toBe(6)
  expect(shareOf(0, -5)).toBe(0)
})
