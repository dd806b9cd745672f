import { describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { findSubmission } from '#src/hooks/sync/use-outbox.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { requestOfMoments } from '#src/local/edits/moment-boards.ts'
import { makesTheSame, readRedoSubject, redoObstacle, redoPrice } from '#src/local/edits/redo.ts'
import { readEditsToBeginWith } from '#src/local/edits/selections.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { enqueueSubmission } from '#src/local/outbox/commands.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'

type Task = components['schemas']['MediaJobTask']

const task: Task = {
  _id: idOf(600),
  name: '15s Teaser',
  status: 'succeeded',
  mediaJobTaskPresetSlug: 'teaser-15s',
  errorMessage: null,
  outputs: [],
  progressRatio: 1,
  refundedCoinAmount: 0,
  redoUntil: '2026-11-28T12:00:00.000Z',
  createdAt: '2026-11-21T09:31:00.000Z',
}
const delivered = fakeMediaJob({ tasks: [task], isMediaWorkflowStarted: true })
const redo = (status: Task['status'], id = 11, createdAt = '2026-11-22T10:00:00.000Z') =>
  fakeMediaJob({
    _id: idOf(id),
    createdAt,
    tasks: [{ ...task, _id: idOf(600 + id), status, redoOfTaskId: task._id, redoUntil: null }],
  })

describe('making an edit again', () => {
  it('REC-24 is offered until the time of the server, and until its redo was begun', () => {
    const end = Date.parse(task.redoUntil ?? '')
    expect(redoObstacle(task, null, end - 1)).toBeNull()
    expect(redoObstacle(task, null, end)).toBe('late')
    expect(redoObstacle(task, { isMediaWorkflowStarted: false }, 0)).toBeNull()
    expect(redoObstacle(task, { isMediaWorkflowStarted: true }, 0)).toBe('used')
    expect(redoObstacle({ redoUntil: null }, null, 0)).toBe('never')
    // A row of an older app.
    expect(redoObstacle({}, null, 0)).toBe('never')
  })

  it('REC-24 knows half of a price, and nothing of one that goes by a length not known yet', () => {
    const usage = { kind: 'usage', usage: 3, usageUnit: 'source-video-minutes' } as const
    expect(redoPrice({ ...usage, coinAmount: 75 })).toEqual({ ...usage, coinAmount: 38 })
    expect(redoPrice({ kind: 'unknown' })).toEqual({ kind: 'unknown' })
  })

  it('REC-24 knows what makes the same edit, whatever the order of keys, locks and bans', () => {
    const teaser: TaskRequest = { mediaJobTaskPresetSlug: 'teaser-15s' }
    const moments = (startMs: number, isLocked: boolean) =>
      requestOfMoments(teaser, {
        shown: [{ startMs, endMs: startMs + 15_000, isLocked }],
        banned: isLocked ? [{ startMs: 90_000, endMs: 91_000 }] : [],
      })
    expect(makesTheSame(teaser, { ...teaser, payload: {} })).toBe(true)
    expect(makesTheSame(moments(0, true), moments(0, false))).toBe(true)
    expect(makesTheSame(moments(0, true), moments(1, true))).toBe(false)
    expect(makesTheSame(teaser, moments(0, false))).toBe(false)
    const cut = (payload: object) =>
      ({ mediaJobTaskPresetSlug: 'tube-cut', payload }) as unknown as TaskRequest
    const ends = { introMediaAssetIds: [], outroMediaAssetIds: [idOf(5)] }
    expect(
      makesTheSame(cut({ targetDuration: 1000, ...ends }), cut({ ...ends, targetDuration: 1000 })),
    ).toBe(true)
    expect(
      makesTheSame(cut({ targetDuration: 1000, ...ends }), cut({ ...ends, targetDuration: 0 })),
    ).toBe(false)
  })

  it('REC-24 finds the edit and its newest redo that did not fail', async () => {
    const db = await openTestDb()
    const find = () => readRedoSubject(db, delivered.uploadRequestId, task._id)
    expect(await find()).toBeNull()
    await db.mediaJobs.put(mediaJobToRow(delivered, 1))
    expect(await find()).toMatchObject({ job: { _id: delivered._id }, redo: null })
    await db.mediaJobs.put(mediaJobToRow(redo('failed'), 1))
    expect(await find()).toMatchObject({ redo: null })
    await db.mediaJobs.put(mediaJobToRow(redo('created', 12, '2026-11-23T10:00:00.000Z'), 1))
    expect(await find()).toMatchObject({ task, redo: { _id: idOf(12) } })
  })

  it('REC-24 leaves the other edits of the video alone, on this device too', async () => {
    const db = await openTestDb()
    const { uploadRequestId } = delivered
    await db.mediaJobs.bulkPut(
      [fakeMediaJob(), redo('created')].map((job) => mediaJobToRow(job, 1)),
    )
    expect(await readEditsToBeginWith(db, uploadRequestId)).toEqual([
      { mediaJobTaskPresetSlug: 'teaser-15s' },
    ])
    const ids = { count: 0, uuid: () => idOf((ids.count += 1)) }
    const submit = (redoOfTaskId: string | null) =>
      enqueueSubmission(
        { db, ids, clock: { now: () => ids.count } },
        {
          uploadId: null,
          uploadRequestId,
          requests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
          attestedVersion: null,
          redoOfTaskId,
          selectionKey: null,
        },
      )
    const plain = await submit(null)
    await submit(task._id)
    const second = await submit(task._id)
    expect(await db.outbox.count()).toBe(2)
    expect((await findSubmission(db, uploadRequestId))?.id).toBe(plain)
    expect((await findSubmission(db, task._id))?.id).toBe(second)
  })
})
