import { describe, expect, it } from 'vitest'
import { estimateRemainingMs } from '#server/operations/media-jobs/estimate.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)
const waiting = { status: 'created' as const, progressRatio: 0, startedAt: null, endedAt: null }

describe('time left', () => {
  it('JOB-08 follows the measured speed of the running task', () => {
    expect(
      estimateRemainingMs(
        [{ status: 'started', progressRatio: 0.25, startedAt: ago(30), endedAt: null }],
        1,
        now,
      ),
    ).toBe(90_000)
  })

  it('JOB-08 takes waiting tasks to last like measured ones, side by side where workers are free', () => {
    const done = {
      status: 'succeeded' as const,
      progressRatio: 1,
      startedAt: ago(60),
      endedAt: ago(20),
    }
    expect(estimateRemainingMs([done, waiting, waiting], 1, now)).toBe(80_000)
    expect(estimateRemainingMs([done, waiting, waiting], 2, now)).toBe(40_000)
  })

  it('JOB-08 says nothing while nothing was measured, and when nothing is left', () => {
    expect(estimateRemainingMs([waiting], 1, now)).toBeNull()
    expect(
      estimateRemainingMs(
        [{ status: 'started', progressRatio: 0.01, startedAt: ago(1), endedAt: null }],
        1,
        now,
      ),
    ).toBeNull()
    expect(
      estimateRemainingMs(
        [{ status: 'failed', progressRatio: 0.5, startedAt: ago(9), endedAt: ago(1) }],
        1,
        now,
      ),
    ).toBeNull()
  })
})
