import { describe, expect, it } from 'vitest'
import { estimateRemainingMs, workWeights } from '#server/operations/media/media-jobs/estimate.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)
const plain = { reviewState: null, startedAt: null, endedAt: null, costS: null }
const waiting = { ...plain, status: 'created' as const, progressRatio: 0 }

describe('time left', () => {
  it('JOB-08 follows the measured speed of the running task', () => {
    expect(
      estimateRemainingMs(
        [{ ...plain, status: 'started', progressRatio: 0.25, startedAt: ago(30) }],
        1,
        now,
      ),
    ).toBe(90_000)
  })

  it('JOB-08 takes waiting tasks to last like measured ones, side by side where workers are free', () => {
    const done = {
      ...plain,
      status: 'succeeded' as const,
      progressRatio: 1,
      startedAt: ago(60),
      endedAt: ago(20),
    }
    expect(estimateRemainingMs([done, waiting, waiting], 1, now)).toBe(80_000)
    expect(estimateRemainingMs([done, waiting, waiting], 2, now)).toBe(40_000)
  })

  it('REC-25 expects a waiting edit that costs more to take longer', () => {
    const done = {
      ...plain,
      status: 'succeeded' as const,
      progressRatio: 1,
      startedAt: ago(60),
      endedAt: ago(20),
      costS: 20,
    }
    const scene = { ...waiting, costS: 600 }
    expect(estimateRemainingMs([done, scene], 1, now)).toBe(1_200_000)
    expect(workWeights([done, scene]).map((share) => Math.round(share * 620))).toEqual([20, 600])
    expect(workWeights([done, waiting])).toEqual([0.5, 0.5])
  })

  it('JOB-08 says nothing while nothing was measured, and when nothing is left', () => {
    expect(estimateRemainingMs([waiting], 1, now)).toBeNull()
    expect(
      estimateRemainingMs(
        [{ ...plain, status: 'started', progressRatio: 0.01, startedAt: ago(1) }],
        1,
        now,
      ),
    ).toBeNull()
    expect(
      estimateRemainingMs(
        [{ ...plain, status: 'failed', progressRatio: 0.5, startedAt: ago(9), endedAt: ago(1) }],
        1,
        now,
      ),
    ).toBeNull()
  })

  it('REC-18 says nothing while an edit waits for its owner, and measures only what follows', () => {
    const running = {
      ...plain,
      status: 'started' as const,
      progressRatio: 0.25,
      startedAt: ago(30),
    }
    for (const reviewState of ['searching', 'waiting'] as const)
      expect(estimateRemainingMs([running, { ...waiting, reviewState }], 1, now)).toBeNull()
    const reviewed = { ...running, reviewState: 'done' as const, progressRatio: 0.75 }
    expect(estimateRemainingMs([reviewed], 1, now)).toBe(30_000)
  })
})
