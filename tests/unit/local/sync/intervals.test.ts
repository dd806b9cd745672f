import { expect, it } from 'vitest'
import { fakeMediaJob } from '#tests/fakes/fake-rows.ts'
import { jobPollMs, jobsPollMs } from '#src/local/sync/intervals.ts'

const working = fakeMediaJob({ isMediaWorkflowStarted: true, progressRatio: 0.4 })
const finished = fakeMediaJob({ isMediaWorkflowStarted: true, progressRatio: 1 })

it('a job in work is asked for every 2 to 5 s while visible and every 30 s while hidden', () => {
  expect([jobPollMs(working, true, 0), jobPollMs(working, true, 0.999)]).toEqual([2000, 4997])
  expect(jobPollMs(working, false, 0)).toBe(30_000)
})

it('a finished or failed job is not asked for again', () => {
  expect(jobPollMs(finished, true, 0)).toBe(false)
  expect(jobPollMs(fakeMediaJob({ isMediaWorkflowFailed: true }), true, 0)).toBe(false)
  expect(jobPollMs(fakeMediaJob({ isUploadRequestFailed: true }), false, 0)).toBe(false)
})

it('a library polls as often as its busiest job wants', () => {
  expect(jobsPollMs([finished, fakeMediaJob(), working], true, 0)).toBe(2000)
  expect(jobsPollMs([finished], true, 0)).toBe(false)
})
