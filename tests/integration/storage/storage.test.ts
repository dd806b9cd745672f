import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import {
  checkoutSessions,
  deletionLog,
  mails,
  mediaJobs,
  mediaJobTasks,
  orders,
  taskOutputs,
  uploadRequests,
} from '#server/db/schema.ts'
import { sweepStorage } from '#server/operations/workflows/upkeep/storage.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { storeJob, type StoredJob } from '#tests/integration/orders/stored-job.ts'
import { unzip } from '#tests/setup/zip.ts'
import { attestation, fetchJob } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const DAY_MS = 86_400_000
let server: TestServer
let dir: string
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-storage-'))
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_KEEP_SOURCES_DAYS: '30', ONECUT_KEEP_RESULTS_DAYS: '60' },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

async function put(key: string): Promise<void> {
  await writeFile(join(dir, 'file'), 'bytes')
  await server.deps.store.putFile(key, join(dir, 'file'), 'video/mp4')
}

/** A video with one finished edit, and their files. */
async function makeFinished({ userId }: SignedUp): Promise<StoredJob & { outputId: string }> {
  const { db, newId, store } = server.deps
  const job = await storeJob(server.deps, userId, ['still-pack'])
  const [taskId = ''] = job.taskIds
  const at = new Date(now)
  await put(`test/${job.uploadId}`)
  await put(`outputs/${taskId}/1/0-stills.zip`)
  expect(await store.head(`test/${job.uploadId}`)).not.toBeNull()
  await db
    .update(mediaJobs)
    .set({ workflowStartedAt: at, workflowEndedAt: at })
    .where(eq(mediaJobs.id, job.jobId))
  await db
    .update(mediaJobTasks)
    .set({ status: 'succeeded', endedAt: at })
    .where(eq(mediaJobTasks.id, taskId))
  const outputId = newId()
  await db.insert(taskOutputs).values({
    id: outputId,
    taskId,
    position: 0,
    kind: 'download-button',
    buttonText: 'Download',
    fileName: 'stills.zip',
    contentType: 'application/zip',
    sizeBytes: 500,
    objectKey: `outputs/${taskId}/1/0-stills.zip`,
  })
  return { ...job, outputId }
}
const storageOf = async ({ client }: SignedUp) =>
  (await client.get<{ storage: components['schemas']['Storage'] }>('/v1/storage')).body.storage
const linesOf = async (uploadId: string) =>
  await server.deps.db
    .select({ what: deletionLog.what, reason: deletionLog.reason, doneAt: deletionLog.doneAt })
    .from(deletionLog)
    .where(eq(deletionLog.uploadRequestId, uploadId))
    .orderBy(asc(deletionLog.what))
const downloadOf = ({ taskIds, outputId }: { taskIds: readonly string[]; outputId: string }) =>
  `/v1/media-job-tasks/${taskIds[0]}/outputs/${outputId}/download`

it('TRU-08 an account sees what lies on the server, by video, and when it goes', async () => {
  const me = await server.signUp()
  const { uploadId } = await makeFinished(me)
  expect(await storageOf(me)).toMatchObject({
    usedBytes: 1500,
    keepSourcesDays: 30,
    keepResultsDays: 60,
    videoCount: 1,
    videos: [
      {
        uploadRequestId: uploadId,
        sourceBytes: 1000,
        resultBytes: 500,
        resultCount: 1,
        sourceGoesAt: new Date(now + 30 * DAY_MS).toISOString(),
        resultsGoAt: new Date(now + 60 * DAY_MS).toISOString(),
        isInUse: false,
      },
    ],
  })
})

it('TRU-08 a deleted video leaves its edits and cannot be ordered again; deleting everything leaves no byte', async () => {
  const me = await server.signUp()
  const made = await makeFinished(me)
  const stranger = await server.signUp()
  expect((await stranger.client.delete(`/v1/storage/${made.uploadId}`)).status).toBe(404)
  for (let time = 0; time < 2; time += 1)
    expect((await me.client.delete(`/v1/storage/${made.uploadId}/source`)).status).toBe(204)
  expect(await server.deps.store.head(`test/${made.uploadId}`)).toBeNull()
  expect((await me.client.get(downloadOf(made))).status).toBe(200)
  expect(await storageOf(me)).toMatchObject({ usedBytes: 500, videos: [{ sourceBytes: 0 }] })
  const sourceRemovedAt = new Date(now).toISOString()
  expect((await me.client.get(`/v1/upload-requests/${made.uploadId}`)).body).toMatchObject({
    uploadRequest: { isValidated: true, sourceRemovedAt },
  })
  expect((await me.client.get('/v1/upload-requests')).body).toMatchObject({
    uploadRequests: [{ _id: made.uploadId, sourceRemovedAt }],
  })
  const again = await me.client.post('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: made.uploadId,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
    },
  })
  expect(again).toMatchObject({
    status: 409,
    body: { error: { code: 'uploads/aborted', message: expect.stringMatching(/was deleted/) } },
  })

  expect((await me.client.delete(`/v1/storage/${made.uploadId}`)).status).toBe(204)
  expect((await me.client.get(downloadOf(made))).status).toBe(404)
  const folder = join(server.deps.settings.dataDir, 'store/objects/outputs')
  expect(await readdir(folder)).not.toContain(made.taskIds[0])
  expect(await storageOf(me)).toMatchObject({ usedBytes: 0, videoCount: 0, videos: [] })
  expect((await fetchJob(me.client, made.jobId)).tasks[0]?.outputs).toEqual([
    expect.objectContaining({
      kind: 'text',
      text: 'The files of this edit were deleted on 2026-11-22.',
    }),
  ])
  expect(await linesOf(made.uploadId)).toEqual([
    { what: 'results', reason: 'owner', doneAt: new Date(now) },
    { what: 'source', reason: 'owner', doneAt: new Date(now) },
  ])
})

it('JOB-10 an edit that failed keeps its free try when its video was deleted', async () => {
  const me = await server.signUp()
  const { uploadId, taskIds } = await makeFinished(me)
  const taskId = taskIds[0] ?? ''
  await server.deps.db
    .update(mediaJobTasks)
    .set({ status: 'failed' })
    .where(eq(mediaJobTasks.id, taskId))
  expect((await me.client.delete(`/v1/storage/${uploadId}/source`)).status).toBe(204)
  expect(await me.client.post(`/v1/media-job-tasks/${taskId}/retry`)).toMatchObject({
    status: 409,
    body: { error: { code: 'uploads/aborted' } },
  })
  const [task] = await server.deps.db
    .select()
    .from(mediaJobTasks)
    .where(eq(mediaJobTasks.id, taskId))
  expect(task).toMatchObject({ status: 'failed', retriedAt: null })
})

it('TRU-08 nothing is deleted while paid edits are not finished', async () => {
  const me = await server.signUp()
  const { uploadId, jobId } = await storeJob(server.deps, me.userId, ['still-pack'])
  const { db, newId } = server.deps
  const createdAt = new Date(now)
  await db
    .insert(orders)
    .values({ id: newId(), userId: me.userId, mediaJobId: jobId, status: 'paid', createdAt })
  expect(await me.client.delete(`/v1/storage/${uploadId}`)).toMatchObject({
    status: 409,
    body: { error: { code: 'uploads/in-use' } },
  })
  expect((await storageOf(me)).videos).toMatchObject([{ isInUse: true }])
})

it('TRU-08 nothing is deleted while an order is being paid', async () => {
  const me = await server.signUp()
  const { uploadId, jobId } = await storeJob(server.deps, me.userId, ['still-pack'])
  await put(`test/${uploadId}`)
  const placed = await me.client.post<{ order: { _id: string } }>('/v1/orders', {
    order: { mediaJobId: jobId, attestation },
  })
  const orderId = placed.body.order._id
  const { wallets } = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
  const walletId = wallets[0]?._id ?? ''
  const isInUse = async () => (await storageOf(me)).videos[0]?.isInUse
  expect(await isInUse()).toBe(false)

  const { db, newId } = server.deps
  const sessionId = newId()
  await db.insert(checkoutSessions).values({
    id: sessionId,
    userId: me.userId,
    walletId,
    orderId,
    kind: 'tokens',
    provider: 'test',
    intentKey: sessionId,
    status: 'open',
    payment: 'unpaid',
    createdAt: new Date(now),
    expiresAt: new Date(now + DAY_MS),
  })
  expect(await isInUse()).toBe(true)
  await db
    .update(checkoutSessions)
    .set({ status: 'expired', settledAt: new Date(now) })
    .where(eq(checkoutSessions.id, sessionId))
  expect(await isInUse()).toBe(false)

  const path = `/v1/payments/orders/${orderId}/wallet-coin-transactions`
  const part = { walletCoinTransaction: { walletId, coinAmount: 1 }, idempotencyKey: newId() }
  expect((await me.client.post(path, part)).status).toBe(201)
  const refused = { status: 409, body: { error: { code: 'uploads/in-use' } } }
  expect(await me.client.delete(`/v1/storage/${uploadId}/source`)).toMatchObject(refused)
  const begun = now
  now += 40 * DAY_MS
  await sweepStorage(server.deps)
  expect(await server.deps.store.head(`test/${uploadId}`)).not.toBeNull()
  now = begun
})

it('TRU-08 edits that are chosen again count as new', async () => {
  const me = await server.signUp()
  const { uploadId, jobId } = await storeJob(server.deps, me.userId, ['still-pack'])
  await put(`test/${uploadId}`)
  const begun = now
  now += 29 * DAY_MS
  await server.deps.db
    .update(mediaJobTasks)
    .set({ createdAt: new Date(now) })
    .where(eq(mediaJobTasks.mediaJobId, jobId))
  now += 2 * DAY_MS
  await sweepStorage(server.deps)
  expect(await server.deps.store.head(`test/${uploadId}`)).not.toBeNull()
  now = begun
})

it('TRU-08 the server deletes what is older than it is kept, and ends what a crash cut off', async () => {
  const me = await server.signUp()
  const made = await makeFinished(me)
  const begun = now
  for (const [days, isThere] of [
    [26, true],
    [27.1, true],
    [30, true],
    [30.2, false],
  ] as const) {
    now = begun + days * DAY_MS
    await sweepStorage(server.deps)
    expect((await server.deps.store.head(`test/${made.uploadId}`)) !== null).toBe(isThere)
  }
  expect((await me.client.get(downloadOf(made))).status).toBe(200)
  for (const days of [57.1, 60.2]) {
    now = begun + days * DAY_MS
    await sweepStorage(server.deps)
  }
  expect((await me.client.get(downloadOf(made))).status).toBe(404)
  // As if the process had ended before it deleted the bytes.
  await put(`outputs/${made.taskIds[0]}/1/0-stills.zip`)
  await server.deps.db
    .update(deletionLog)
    .set({ doneAt: null })
    .where(eq(deletionLog.uploadRequestId, made.uploadId))
  await sweepStorage(server.deps)
  expect(await server.deps.store.head(`outputs/${made.taskIds[0]}/1/0-stills.zip`)).toBeNull()
  expect(await linesOf(made.uploadId)).toEqual([
    { what: 'results', reason: 'retention', doneAt: new Date(now) },
    { what: 'source', reason: 'retention', doneAt: new Date(now) },
  ])
  now = begun
})

const mailsTo = async ({ email }: SignedUp) =>
  await server.deps.db
    .select({ subject: mails.subject, text: mails.text })
    .from(mails)
    .where(and(eq(mails.recipient, email), eq(mails.subject, GOING)))
    .orderBy(asc(mails.createdAt))
const GOING = 'Files in your Onecut account will be deleted soon'

it('TRU-08 a mail tells of all that goes within a week, once, and nothing goes sooner', async () => {
  const me = await server.signUp()
  const begun = now
  const first = await makeFinished(me)
  now = begun + 2 * DAY_MS
  const second = await makeFinished(me)
  const goesAt = async ({ jobId }: StoredJob) =>
    (await fetchJob(me.client, jobId)).tasks[0]?.filesGoAt
  expect(await goesAt(first)).toBe(new Date(begun + 60 * DAY_MS).toISOString())
  now = begun + 26 * DAY_MS
  await sweepStorage(server.deps)
  expect(await mailsTo(me)).toEqual([])
  now = begun + 27.1 * DAY_MS
  await Promise.all([sweepStorage(server.deps), sweepStorage(server.deps)])
  await sweepStorage(server.deps)
  const [mail, ...more] = await mailsTo(me)
  expect(more).toEqual([])
  expect(mail?.text).toContain('From December 22, 2026 on')
  expect(mail?.text).toContain('the files of 2 uploaded videos')
  expect(mail?.text).not.toContain('scene')

  // A session ends that rests for too long.
  for (const days of [28, 49]) {
    now = begun + days * DAY_MS
    await goesAt(first)
  }
  // The server was off for a month: what is overdue is announced first, and goes 3 days later.
  now = begun + 70 * DAY_MS
  await sweepStorage(server.deps)
  expect((await me.client.get(downloadOf(first))).status).toBe(200)
  expect((await mailsTo(me)).at(-1)?.text).toContain('the files of 2 finished edits')
  expect(await goesAt(second)).toBe(new Date(now + 3 * DAY_MS).toISOString())
  now += 3 * DAY_MS
  await sweepStorage(server.deps)
  expect((await me.client.get(downloadOf(first))).status).toBe(404)
  expect(await goesAt(first)).toBeNull()
  expect(await mailsTo(me)).toHaveLength(2)
  now = begun
})

it('TRU-08 an edit that is chosen after the word to its owner keeps the video', async () => {
  const me = await server.signUp()
  const made = await makeFinished(me)
  const begun = now
  now = begun + 27.5 * DAY_MS
  await sweepStorage(server.deps)
  expect(await mailsTo(me)).toHaveLength(1)
  now += DAY_MS
  await server.deps.db
    .update(mediaJobTasks)
    .set({ createdAt: new Date(now) })
    .where(eq(mediaJobTasks.mediaJobId, made.jobId))
  for (const days of [31, 55.6, 58.55, 58.7]) {
    now = begun + days * DAY_MS
    await sweepStorage(server.deps)
    const isThere = (await server.deps.store.head(`test/${made.uploadId}`)) !== null
    expect([days, isThere]).toEqual([days, days < 58.7])
  }
  now = begun
})

it('TRU-08 after deleting everything no byte of it can be reached, in the store or by any row', async () => {
  const me = await server.signUp()
  const made = await makeFinished(me)
  await put(`thumbnails/${made.uploadId}.jpg`)
  await put(`moments/${made.uploadId}.jpg`)
  await put(`moments/${made.uploadId}.mp4`)
  await server.deps.db
    .update(uploadRequests)
    .set({
      thumbnailKey: `thumbnails/${made.uploadId}.jpg`,
      momentPictures: { placesMs: [1], columns: 1, tileWidth: 192, tileHeight: 108 },
      momentVideo: { stretches: [{ startMs: 0, endMs: 1, atMs: 0 }] },
    })
    .where(eq(uploadRequests.id, made.uploadId))
  const ids = [made.uploadId, ...made.taskIds]
  const filesLeft = async () => {
    const store = join(server.deps.settings.dataDir, 'store')
    const entries = await readdir(store, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => ids.some((id) => path.includes(id)))
  }
  expect(await filesLeft()).toHaveLength(5)
  expect((await me.client.delete(`/v1/storage/${made.uploadId}`)).status).toBe(204)
  expect(await filesLeft()).toEqual([])
  const { rows } = await server.deps.db.execute<{ left: string }>(sql`
    select object_key as left from task_outputs where object_key is not null
      and task_id in (select id from media_job_tasks where media_job_id = ${made.jobId})
    union all select thumbnail_key from upload_requests
      where id = ${made.uploadId} and thumbnail_key is not null`)
  expect(rows).toEqual([])
  for (const path of [
    downloadOf(made),
    `/v1/media-jobs/${made.jobId}/thumbnail`,
    `/v1/media-jobs/${made.jobId}/results`,
  ])
    expect((await me.client.get(path)).status).toBe(404)
})

it('LIF-03 DEL-04 all results of a job come once in one archive, which goes on where it broke off', async () => {
  const me = await server.signUp()
  const made = await makeFinished(me)
  const [taskId = ''] = made.taskIds
  // The edit's own archive holds what stands beside it.
  const names = ['clip.mp4', 'Clip.mp4', 'own.zip', '../../etc/pass:wd.mp4', 'Пляж 海 👍🏽.jpg']
  const { db, newId } = server.deps
  await db.delete(taskOutputs).where(eq(taskOutputs.taskId, taskId))
  for (const [position, fileName] of names.entries()) {
    const objectKey = `outputs/${taskId}/1/${position}`
    await writeFile(join(dir, 'file'), `${position}`.repeat(50_000))
    await server.deps.store.putFile(objectKey, join(dir, 'file'), 'video/mp4')
    await db.insert(taskOutputs).values({
      id: newId(),
      taskId,
      position,
      kind: 'download-button',
      fileName,
      contentType: fileName.endsWith('.zip') ? 'application/zip' : 'video/mp4',
      sizeBytes: 50_000,
      objectKey,
    })
  }
  const path = `/v1/media-jobs/${made.jobId}/results`
  const whole = await me.client.get(path)
  expect(whole.headers.get('content-length')).toBe(String(whole.bytes.length))
  expect(whole.headers.get('content-disposition')).toContain('filename="scene.zip"')
  await me.client.patch(`/v1/${me.userId}/profile`, { userProfile: { discreet: true } })
  const plain = await me.client.call('HEAD', path)
  expect(plain.headers.get('content-disposition')).toMatch(/filename="clip-\d{4}\.zip"/)
  const files = unzip(whole.bytes)
  expect([...files.keys()]).toEqual([
    'clip.mp4',
    'Clip-2.mp4',
    '_.._etc_pass_wd.mp4',
    'Пляж 海 👍🏽.jpg',
  ])
  expect(files.get('Clip-2.mp4')?.toString()).toBe('1'.repeat(50_000))

  const eTag = whole.headers.get('etag') ?? ''
  const rest = await me.client.get(path, {
    headers: { range: 'bytes=70000-', 'if-range': eTag },
  })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes 70000-${whole.bytes.length - 1}/${whole.bytes.length}`,
  ])
  expect(Buffer.from(rest.bytes).equals(Buffer.from(whole.bytes.subarray(70_000)))).toBe(true)
  expect((await me.client.call('HEAD', path)).headers.get('etag')).toBe(eTag)
  expect((await me.client.get(path, { headers: { range: 'bytes=999999-' } })).status).toBe(416)
  expect((await (await server.signUp()).client.get(path)).status).toBe(404)

  // Another file makes another archive, of which an old beginning is no part.
  await db
    .delete(taskOutputs)
    .where(and(eq(taskOutputs.taskId, taskId), eq(taskOutputs.position, 0)))
  const changed = await me.client.get(path, {
    headers: { range: 'bytes=70000-', 'if-range': eTag },
  })
  expect([changed.status, unzip(changed.bytes).size]).toEqual([200, 3])
  for (let count = 0; count < 60; count += 1)
    if ((await me.client.call('HEAD', path)).status === 429) break
  expect((await me.client.get(path)).status).toBe(429)
})

it('LIF-03 a renamed video is called so in all its edits, also those of later orders', async () => {
  const me = await server.signUp()
  const { jobId, uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
  const other = await server.signUp()
  const path = `/v1/media-jobs/${jobId}`
  const body = { mediaJob: { name: '  Pool at night ' } }
  expect((await other.client.patch(path, body)).status).toBe(404)
  for (let time = 0; time < 2; time += 1)
    expect(await me.client.patch(path, body)).toMatchObject({
      status: 200,
      body: { mediaJob: { name: 'Pool at night' } },
    })
  const at = server.deps.clock()
  await server.deps.db
    .update(mediaJobs)
    .set({ workflowStartedAt: at, workflowEndedAt: at })
    .where(eq(mediaJobs.id, jobId))
  const again = await me.client.post('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: uploadId,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
    },
  })
  expect(again).toMatchObject({ status: 201, body: { mediaJob: { name: 'Pool at night' } } })
})

it('TRU-08 a file that cannot be deleted fails no call and holds up no other file and no sweep', async () => {
  const me = await server.signUp()
  const [stuck, made, aborted] = [
    await makeFinished(me),
    await makeFinished(me),
    await makeFinished(me),
  ]
  const { store, db } = server.deps
  const given = [stuck, aborted].map(({ uploadId }) => `test/${uploadId}`)
  const remove = store.remove.bind(store)
  const failing = vi.spyOn(store, 'remove').mockImplementation(async (key) => {
    if (given.includes(key)) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    await remove(key)
  })
  expect((await me.client.delete(`/v1/storage/${stuck.uploadId}/source`)).status).toBe(204)
  await db
    .update(uploadRequests)
    .set({ state: 'aborted' })
    .where(eq(uploadRequests.id, aborted.uploadId))
  expect((await me.client.delete(`/v1/storage/${made.uploadId}/source`)).status).toBe(204)
  expect(await store.head(`test/${made.uploadId}`)).toBeNull()
  await db
    .update(deletionLog)
    .set({ doneAt: null })
    .where(eq(deletionLog.uploadRequestId, made.uploadId))
  await sweep(server.deps)
  expect(await linesOf(stuck.uploadId)).toMatchObject([{ doneAt: null }])
  expect(await linesOf(made.uploadId)).toMatchObject([{ doneAt: new Date(now) }])
  failing.mockRestore()
  await sweep(server.deps)
  expect(await linesOf(stuck.uploadId)).toMatchObject([{ doneAt: new Date(now) }])
  for (const key of given) expect(await store.head(key)).toBeNull()
})
