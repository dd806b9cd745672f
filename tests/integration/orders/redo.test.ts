import { v7 } from 'uuid'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { inTransaction } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { failTask } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { storeJob, type StoredJob } from '#tests/integration/orders/stored-job.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { attestation, balance, fetchJob, payFor, type MediaJob } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Schemas = components['schemas']
type Slug = Schemas['PlainTaskRequest']['mediaJobTaskPresetSlug']

const DAY_MS = 86_400_000
let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

/** A person with a paid job whose edits were delivered now. */
async function delivered(
  slugs: readonly Slug[] = ['teaser-15s'],
  durationMs = 90_500,
): Promise<SignedUp & { job: StoredJob; taskId: string }> {
  // An hour for each person, because all of them come from one address.
  now += 3_700_000
  const person = await server.signUp()
  const job = await storeJob(server.deps, person.userId, slugs, durationMs)
  await payFor(person.client, job.jobId)
  await deliver(job.jobId)
  return { ...person, job, taskId: job.taskIds[0] ?? '' }
}

async function deliver(jobId: string): Promise<void> {
  const endedAt = new Date(now)
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status: 'succeeded', endedAt })
    .where(eq(mediaJobTasks.mediaJobId, jobId))
  await server.deps.db
    .update(mediaJobs)
    .set({ workflowEndedAt: endedAt })
    .where(eq(mediaJobs.id, jobId))
}

const redo = (
  client: TestClient,
  { uploadId }: StoredJob,
  redoOfTaskId: string,
  slugs: readonly Slug[] = ['teaser-15s'],
) =>
  client.post<{ mediaJob: MediaJob } & Schemas['Error']>('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: uploadId,
      mediaJobTaskRequests: slugs.map((slug) => ({ mediaJobTaskPresetSlug: slug })),
      redoOfTaskId,
    },
  })
const place = (client: TestClient, mediaJobId: string) =>
  client.post<{ order: Schemas['Order'] } & Schemas['Error']>('/v1/orders', {
    order: { mediaJobId, attestation },
  })
const codeOf = ({ status, body }: { status: number; body: Schemas['Error'] }) => [
  status,
  body.error?.code,
]

it('REC-24 a delivered edit is made again for half of its price, rounded up', async () => {
  const { client, job, taskId } = await delivered(['example-high-resolution-video'])
  const until = new Date(now + 7 * DAY_MS).toISOString()
  expect((await fetchJob(client, job.jobId)).tasks[0]).toMatchObject({
    redoOfTaskId: null,
    redoUntil: until,
  })
  const made = await redo(client, job, taskId, ['example-high-resolution-video'])
  expect(made).toMatchObject({
    status: 201,
    body: { mediaJob: { name: 'scene', tasks: [{ redoOfTaskId: taskId, redoUntil: null }] } },
  })
  const again = made.body.mediaJob
  expect((await place(client, again._id)).body.order).toMatchObject({
    lineItemsTotalCoinAmount: 46,
    lineItems: [{ pricing: { usage: 91, discountPercent: 50 }, totalCoinAmount: 46 }],
  })
  // The right is there until the redo is paid.
  expect((await fetchJob(client, job.jobId)).tasks[0]?.redoUntil).toBe(until)
  await payFor(client, again._id)
  expect(await balance(client)).toBe(1000 - 91 - 46)
  expect((await fetchJob(client, job.jobId)).tasks[0]).toMatchObject({
    status: 'succeeded',
    redoUntil: null,
  })
})

it('REC-24 a redo that is not paid is changed by the next one, and by no other choice of edits', async () => {
  const { client, job, taskId } = await delivered()
  const first = (await redo(client, job, taskId)).body.mediaJob
  const other = await client.post<{ mediaJob: MediaJob }>('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: job.uploadId,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
    },
  })
  expect(other.status).toBe(201)
  const second = await redo(client, job, taskId)
  expect([second.status, second.body.mediaJob._id]).toEqual([200, first._id])
  expect((await fetchJob(client, other.body.mediaJob._id)).tasks).toMatchObject([
    { mediaJobTaskPresetSlug: 'still-pack', redoOfTaskId: null },
  ])
})

it('REC-24 two devices that make an edit again at the same time make and pay one redo', async () => {
  const { client, job, taskId } = await delivered()
  const asked = await Promise.all([redo(client, job, taskId), redo(client, job, taskId)])
  expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 201])
  const [jobId = '', ...others] = new Set(asked.map(({ body }) => body.mediaJob._id))
  expect(others).toEqual([])
  const placed = await Promise.all([place(client, jobId), place(client, jobId)])
  expect(new Set(placed.map(({ body }) => body.order._id)).size).toBe(1)
  await payFor(client, jobId)
  expect(await balance(client)).toBe(1000 - 300 - 150)
  const late = await Promise.all([redo(client, job, taskId), redo(client, job, taskId)])
  expect(late.map(codeOf)).toEqual([
    [409, 'media-job-tasks/redo-used'],
    [409, 'media-job-tasks/redo-used'],
  ])
})

it('REC-24 the database refuses a second redo of an edit', async () => {
  const { client, job, taskId } = await delivered()
  await payFor(client, (await redo(client, job, taskId)).body.mediaJob._id)
  const second = server.deps.db.insert(mediaJobTasks).values({
    id: v7(),
    mediaJobId: job.jobId,
    position: 1,
    presetSlug: 'teaser-15s',
    name: 'Teaser',
    payload: {},
    status: 'created',
    redoOfTaskId: taskId,
    createdAt: new Date(now),
  })
  await expect(second).rejects.toMatchObject({
    cause: { constraint: 'media_job_tasks_one_redo' },
  })
})

it('REC-24 a redo that is cancelled or fails gives back what was paid, and frees the right', async () => {
  const { client, job, taskId } = await delivered()
  const first = (await redo(client, job, taskId)).body.mediaJob
  const { order } = (await place(client, first._id)).body
  const [wallet] = (await client.get<{ wallets: Schemas['Wallet'][] }>('/v1/wallets')).body.wallets
  await client.post(`/v1/payments/orders/${order._id}/wallet-coin-transactions`, {
    walletCoinTransaction: { walletId: wallet?._id, coinAmount: 100 },
    idempotencyKey: crypto.randomUUID(),
  })
  expect(codeOf(await redo(client, job, taskId))).toEqual([409, 'media-job-tasks/redo-used'])
  await client.post(`/v1/orders/${order._id}/cancel`)
  expect(await balance(client)).toBe(700)

  const second = (await redo(client, job, taskId)).body.mediaJob
  expect(second._id).not.toBe(first._id)
  await payFor(client, second._id)
  const failedId = second.tasks[0]?._id ?? ''
  await inTransaction(server.deps, async (ctx) => {
    await failTask(ctx, { taskId: failedId, failure: { message: 'It failed.', supportLog: null } })
  })
  expect(await balance(client)).toBe(700)
  expect((await fetchJob(client, job.jobId)).tasks[0]?.redoUntil).not.toBeNull()

  await payFor(client, (await redo(client, job, taskId)).body.mediaJob._id)
  expect(await balance(client)).toBe(550)
  const retried = await client.post<Schemas['Error']>(`/v1/media-job-tasks/${failedId}/retry`)
  expect(codeOf(retried)).toEqual([409, 'media-job-tasks/redo-used'])
})

it('REC-24 half price ends seven days after the delivery, for the choice and for the order', async () => {
  const { client, job, taskId } = await delivered(['teaser-15s', 'teaser-60s'])
  const placedInTime = (await redo(client, job, taskId)).body.mediaJob
  await place(client, placedInTime._id)
  const askedInTime = await redo(client, job, job.taskIds[1] ?? '', ['teaser-60s'])
  // A trial is no longer than that, so the delivery is moved and not the clock.
  const endedBy = (agoMs: number) =>
    server.deps.db
      .update(mediaJobTasks)
      .set({ endedAt: new Date(now - agoMs) })
      .where(eq(mediaJobTasks.mediaJobId, job.jobId))
  await endedBy(7 * DAY_MS - 1)
  expect((await redo(client, job, taskId)).status).toBe(200)
  await endedBy(7 * DAY_MS)
  expect(codeOf(await redo(client, job, taskId))).toEqual([409, 'media-job-tasks/redo-late'])
  expect(codeOf(await place(client, askedInTime.body.mediaJob._id))).toEqual([
    409,
    'media-job-tasks/redo-late',
  ])
  expect((await place(client, placedInTime._id)).body.order.lineItemsTotalCoinAmount).toBe(150)
})

it('REC-24 only the same format of the same video of its owner is made again', async () => {
  const { client, userId, job, taskId } = await delivered()
  const stranger = await delivered()
  const otherVideo = await storeJob(server.deps, userId, ['teaser-15s'])
  expect(codeOf(await redo(stranger.client, stranger.job, taskId))).toEqual([
    404,
    'media-job-tasks/not-found',
  ])
  expect(codeOf(await redo(stranger.client, job, taskId))).toEqual([404, 'uploads/not-found'])
  expect(codeOf(await redo(client, otherVideo, taskId))).toEqual([404, 'media-job-tasks/not-found'])
  for (const slugs of [['teaser-60s'], ['teaser-15s', 'teaser-60s']] as const)
    expect(codeOf(await redo(client, job, taskId, slugs))).toEqual([422, 'request/invalid'])
})

it('REC-24 an edit that was not delivered, was given back or is a redo is not made again at half price', async () => {
  const { client, job, taskId } = await delivered(['teaser-15s', 'teaser-60s'])
  const own = (changed: Partial<typeof mediaJobTasks.$inferInsert>) =>
    server.deps.db.update(mediaJobTasks).set(changed).where(eq(mediaJobTasks.id, taskId))
  await own({ status: 'started', endedAt: null })
  expect(codeOf(await redo(client, job, taskId))).toEqual([409, 'media-job-tasks/not-delivered'])
  await inTransaction(server.deps, async (ctx) => {
    await failTask(ctx, { taskId, failure: { message: 'It failed.', supportLog: null } })
  })
  await own({ status: 'succeeded' })
  expect(codeOf(await redo(client, job, taskId))).toEqual([409, 'media-job-tasks/not-delivered'])

  const again = (await redo(client, job, job.taskIds[1] ?? '', ['teaser-60s'])).body.mediaJob
  await payFor(client, again._id)
  await deliver(again._id)
  expect((await fetchJob(client, again._id)).tasks[0]?.redoUntil).toBeNull()
  expect(codeOf(await redo(client, job, again.tasks[0]?._id ?? '', ['teaser-60s']))).toEqual([
    409,
    'media-job-tasks/redo-used',
  ])
})

it('REC-24 a video that was deleted is not edited again', async () => {
  const { client, job, taskId } = await delivered()
  await server.deps.db
    .update(uploadRequests)
    .set({ sourceRemovedAt: new Date(now) })
    .where(eq(uploadRequests.id, job.uploadId))
  expect((await fetchJob(client, job.jobId)).tasks[0]?.redoUntil).toBeNull()
  expect(codeOf(await redo(client, job, taskId))).toEqual([409, 'uploads/aborted'])
})
