import { expect, it } from 'vitest'
import { jobPollMs, jobsPollMs } from '#src/local/sync/intervals.ts'

it('a job in work is asked for every 2 to 5 s while visible and every 30 s while hidden', () => {
  const visible = [0, 0.999].map((random) => jobPollMs('in-progress', true, random))
  expect(visible).toEqual([2000, 4997])
  expect(jobPollMs('in-progress', false, 0)).toBe(30_000)
})

it('a finished or failed job is not asked for again', () => {
  expect(jobPollMs('completed', true, 0)).toBe(false)
  expect(jobPollMs('failed', false, 0)).toBe(false)
})

it('a library polls as often as its busiest job wants', () => {
  expect(jobsPollMs(['completed', 'unstarted', 'in-progress'], true, 0)).toBe(2000)
  expect(jobsPollMs(['completed'], true, 0)).toBe(false)
})
