import { expect, it } from 'vitest'
import { longestCheckMs } from '#server/operations/workflows/upload-arrived.ts'

it('UPL-12 a check may last as long as a slow disk needs to give the file twice', () => {
  expect(longestCheckMs(1e6) / 60_000).toBeCloseTo(30, 0)
  expect(longestCheckMs(50 * 2 ** 30)).toBeGreaterThan((2 * 50 * 2 ** 30) / 5000)
})
