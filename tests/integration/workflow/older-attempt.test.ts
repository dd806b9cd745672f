import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { v7 } from 'uuid'
import type { Ctx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { TaskRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import {
  askForReview,
  claimTask,
  countFailure,
  giveUpTask,
  handBackTask,
  saveProgress,
  succeedTask,
} from '#server/operations/processing/tasks/claim.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let ctx: Ctx
let userId: string
beforeAll(async () => {
  server = await startTestServer()
  ctx = server.deps
  ;({ userId } = await server.signUp())
})
afterAll(() => server.stop())

/** Two attempts at one task; the worker of the older one does not know of the newer. */
let older: TaskRow
let newer: TaskRow
beforeEach(async () => {
  const { jobId, taskIds } = await storeJob(ctx, userId, ['teaser-15s'])
  await ctx.db
    .update(mediaJobs)
    .set({ workflowStartedAt: ctx.clock() })
    .where(eq(mediaJobs.id, jobId))
  older = await claim(taskIds[0] ?? '')
  newer = await claim(older.id)
  await saveProgress(ctx, { task: newer, ratio: 0.5 })
})

async function claim(taskId: string): Promise<TaskRow> {
  const claimed = await claimTask(ctx, { taskId })
  if (claimed === null) throw new Error('The task cannot be claimed')
  return claimed.task
}

async function row(): Promise<TaskRow> {
  return onlyRow(await ctx.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, newer.id)))
}

async function outputs(): Promise<readonly (string | null)[]> {
  const rows = await ctx.db.select().from(taskOutputs).where(eq(taskOutputs.taskId, newer.id))
  return rows.map(({ text }) => text)
}

const results = (task: TaskRow, text: string) => ({
  task,
  outputs: [{ id: v7(), taskId: task.id, position: 0, kind: 'text' as const, text }],
})
const failure = { message: 'This edit failed.', supportLog: null }

it.each([
  ['its results', () => succeedTask(ctx, results(older, 'older')), false],
  ['its progress', () => saveProgress(ctx, { task: older, ratio: 0.9 }), false],
  ['its end as a failure', () => giveUpTask(ctx, { task: older, failure }), undefined],
  ['its return', () => handBackTask(ctx, { task: older }), undefined],
  ['its wish for a review', () => askForReview(ctx, { task: older }), false],
  ['its failed try', () => countFailure(ctx, { task: older, detail: 'older' }), true],
])('JOB-08 of an attempt that another one follows, %s counts nothing', async (_, act, answer) => {
  const before = await row()
  expect(await act()).toBe(answer)
  expect(await row()).toEqual(before)
  expect(await outputs()).toEqual([])
})

it('JOB-08 an attempt publishes once: not again, and not after the task has ended', async () => {
  expect(await succeedTask(ctx, results(newer, 'newer'))).toBe(true)
  const done = await row()
  expect(done).toMatchObject({ status: 'succeeded', progressRatio: 1, attempt: 2 })
  expect(await succeedTask(ctx, results(newer, 'again'))).toBe(false)
  expect(await succeedTask(ctx, results(older, 'older'))).toBe(false)
  expect(await row()).toEqual(done)
  expect(await outputs()).toEqual(['newer'])
})

it('TRU-09 nothing is made of a video that is held', async () => {
  const [job] = await ctx.db.select().from(mediaJobs).where(eq(mediaJobs.id, newer.mediaJobId))
  const hold = (heldAt: Date | null) =>
    ctx.db
      .update(uploadRequests)
      .set({ heldAt })
      .where(eq(uploadRequests.id, job?.uploadRequestId ?? ''))
  await hold(ctx.clock())
  expect(await claimTask(ctx, { taskId: newer.id })).toBeNull()
  await hold(null)
  expect(await claimTask(ctx, { taskId: newer.id })).not.toBeNull()
})
