import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInWork, jobState } from '#src/local/db/job-state.ts'
import { jobStateWords } from '#src/components/jobs/JobProgress.tsx'
import { taskWords } from '#src/components/jobs/task-words.ts'
import { remainingWords } from '#src/lib/time-words.ts'

const flags = fc.record({
  isMediaWorkflowFailed: fc.boolean(),
  isMediaWorkflowStarted: fc.boolean(),
  isUploadRequestCompleted: fc.boolean(),
  isUploadRequestFailed: fc.boolean(),
  isUploadRequestValidated: fc.boolean(),
  orderIsPlaced: fc.boolean(),
  progressRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  tasks: fc.array(
    fc.record({
      status: fc.constantFrom(
        'created' as const,
        'started' as const,
        'succeeded' as const,
        'failed' as const,
        'canceled' as const,
      ),
    }),
  ),
})

describe('the display of a job', () => {
  it('JOB-09 is exactly one of failed, completed, in progress and unstarted for any flags', () => {
    fc.assert(
      fc.property(
        flags,
        fc.constantFrom(
          null,
          { isFullyPaid: false, status: 'open' as const },
          { isFullyPaid: true, status: 'paid' as const },
        ),
        (job, order) => {
          const state = jobState(job, order)
          const isGiven = job.tasks.some(({ status }) => /^(succeeded|started)$/.test(status))
          const isFailed = (job.isUploadRequestFailed && !isGiven) || job.isMediaWorkflowFailed
          const expected = isFailed
            ? 'failed'
            : job.progressRatio >= 1
              ? 'completed'
              : job.isMediaWorkflowStarted
                ? 'in-progress'
                : 'unstarted'
          expect(state.kind).toBe(expected)
          expect(jobStateWords(state, 50)).not.toBe('')
          if (isFailed || job.progressRatio >= 1) expect(isInWork(state)).toBe(false)
        },
      ),
    )
  })

  it('JOB-09 says that a payment is due, and never that a job starts whose payment is not known', () => {
    const job = {
      isMediaWorkflowFailed: false,
      isMediaWorkflowStarted: false,
      isUploadRequestCompleted: true,
      isUploadRequestFailed: false,
      isUploadRequestValidated: true,
      orderIsPlaced: true,
      progressRatio: 0,
      tasks: [],
    }
    const said = (order: Parameters<typeof jobState>[1]) => jobStateWords(jobState(job, order), 0)
    expect(said({ isFullyPaid: false, status: 'open' })).toBe('Awaiting Payment')
    expect(said({ isFullyPaid: true, status: 'paid' })).toBe('Waiting to start')
    expect(said(null)).toBe('Order placed')
  })

  it('NOW-01 is no failure where an excerpt gave an edit and the video is of no use', () => {
    const job = {
      isMediaWorkflowFailed: false,
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      isUploadRequestFailed: true,
      isUploadRequestValidated: false,
      orderIsPlaced: true,
      progressRatio: 1,
      tasks: [{ status: 'succeeded' }, { status: 'failed' }],
    } as const
    expect(jobState(job, null)).toEqual({ kind: 'completed', failedTasks: 1 })
    const none = { ...job, tasks: [{ status: 'failed' }] } as const
    expect(jobState(none, null)).toEqual({ kind: 'failed', why: 'upload' })
  })

  it("JOB-09 says 'n% Processed' and 'Processing Failed'", () => {
    const job = {
      isMediaWorkflowFailed: false,
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      isUploadRequestFailed: false,
      isUploadRequestValidated: true,
      orderIsPlaced: true,
      progressRatio: 0.42,
      tasks: [],
    }
    expect(jobStateWords(jobState(job, null), 42)).toBe('42% Processed')
    expect(jobStateWords(jobState({ ...job, progressRatio: 1 }, null), 100)).toBe('100% Processed')
    const ended = (...statuses: readonly ('canceled' | 'failed')[]) =>
      jobState(
        { ...job, isMediaWorkflowFailed: true, tasks: statuses.map((status) => ({ status })) },
        null,
      )
    for (const state of [ended(), ended('failed'), ended('canceled', 'failed')])
      expect(jobStateWords(state, 42)).toBe('Processing Failed')
    expect(jobStateWords(ended('canceled', 'canceled'), 42)).toBe('Cancelled')
  })

  it('JOB-09 estimates in days, hours, minutes or seconds', () => {
    expect(remainingWords(3 * 60_000)).toBe('about 3 minutes remaining')
    expect(remainingWords(60_000)).toBe('about 1 minute remaining')
    expect(remainingWords(26 * 3_600_000)).toBe('about 1 day remaining')
    expect(remainingWords(5 * 3_600_000)).toBe('about 5 hours remaining')
    expect(remainingWords(400)).toBe('about 1 second remaining')
    expect(remainingWords(0)).toBeNull()
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (ms) => {
        expect(remainingWords(ms)).toMatch(/^about \d+ (day|hour|minute|second)s? remaining$/)
      }),
    )
  })

  it('JOB-10 names every state of an edit', () => {
    expect(taskWords({ status: 'created', errorMessage: null }).text).toBe('Waiting')
    expect(taskWords({ status: 'started', errorMessage: null }).text).toBe('Working')
    expect(taskWords({ status: 'canceled', errorMessage: null }).text).toBe('Cancelled')
    expect(taskWords({ status: 'failed', errorMessage: null }).text).toBe('Processing Failed')
    expect(taskWords({ status: 'failed', errorMessage: 'No sound was found.' }).text).toBe(
      'No sound was found.',
    )
  })
})
