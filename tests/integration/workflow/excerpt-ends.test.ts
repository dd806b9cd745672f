import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import { createAllowance } from '#server/media/allowance.ts'
import {
  deletionLog,
  mediaJobs,
  mediaJobTasks,
  orders,
  taskOutputs,
  uploadRequests,
} from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { runOperator } from '#server/operator/commands.ts'
import { checkAndCompareExcerpt } from '#server/operations/media/excerpts/check.ts'
import { auditLedger } from '#server/operations/core/ledger/audit.ts'
import { knowVideo } from '#server/operations/media/known-videos/know-video.ts'
import { claimTask } from '#server/operations/processing/tasks/claim.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { humanToken } from '#tests/fakes/human.ts'
import type { TestClient } from '#tests/setup/client.ts'
import {
  completeUpload,
  COPY,
  excerptFor,
  excerptOf,
  sendExcerpt,
  videoOfTwoSounds,
  WHOLE_MS,
  wholeVideo,
  withMoments,
} from '#tests/setup/excerpts.ts'
import { balance, fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

type TaskRequest = components['schemas']['MediaJobTaskRequest']

const WATERMARK: TaskRequest = {
  mediaJobTaskPresetSlug: 'dynamic-watermark',
  payload: { text: '@name' },
}
const { signal } = new AbortController()

let server: TestServer
let video: Buffer
let teaser: TaskRequest
beforeAll(async () => {
  video = await wholeVideo()
  teaser = withMoments({ mediaJobTaskPresetSlug: 'teaser-15s' })
  // Nothing runs by itself, so that each step comes when the test wants it.
  server = await startTestServer()
})
afterAll(() => server.stop())

const check = async (uploadRequestId: string) =>
  await validateUpload(server.deps, {
    uploadRequestId,
    signal: AbortSignal.timeout(patience(60)),
  })
const render = async (job: MediaJob, position: number) =>
  await renderTask(server.deps, { taskId: job.tasks[position]?._id ?? '', stop: signal })
const operator = async (...args: string[]) =>
  await runOperator({ ...server.deps, actor: 'operator:test' }, args)

async function rowOf(uploadId: string) {
  const [row] = await server.deps.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadId))
  return row
}

async function taskOf(job: MediaJob, position: number) {
  const [row] = await server.deps.db
    .select()
    .from(mediaJobTasks)
    .where(eq(mediaJobTasks.id, job.tasks[position]?._id ?? ''))
  return row
}

/** What is rendered of a checked file for an edit of chosen moments. */
async function planOf(uploadId: string, request: TaskRequest) {
  const source = readStoredProbe((await rowOf(uploadId))?.probe)
  if (source === null) throw new Error('it is not checked')
  const { mediaJobTaskPresetSlug: slug, payload } = withMoments(request)
  const context = { moments: [], assets: [], secret: '0'.repeat(64) }
  const plan = findRecipe(slug)?.plan(source, payload, context)
  if (plan?.ok !== true) throw new Error(plan?.error.message ?? 'no recipe')
  return plan.value.steps
}

async function orderStatus(job: MediaJob): Promise<string | undefined> {
  const [row] = await server.deps.db
    .select({ status: orders.status })
    .from(orders)
    .where(eq(orders.mediaJobId, job._id))
  return row?.status
}

async function report(): Promise<string> {
  const answer = await server
    .createClient()
    .post<{ report: components['schemas']['ReportReceipt'] }>('/v1/reports', {
      report: {
        video: 'The scene at https://example.com/1',
        relation: 'depicted',
        reason: 'I never agreed to it.',
        signature: 'Mara Example',
        contact: 'mara@example.com',
        isTruthful: true,
      },
      captchaToken: humanToken,
    })
  return answer.body.report.receiptNumber
}

interface OnItsWay {
  readonly me: SignedUp
  readonly client: TestClient
  readonly whole: UploadRequest
  readonly job: MediaJob
  readonly excerptId: string
  readonly before: number
}

/** A video on its way with a paid order, and its excerpt, which is checked. */
async function onItsWay(
  requests: readonly TaskRequest[],
  earlyDurationMs: number | null = null,
): Promise<OnItsWay> {
  const me = await server.signUp()
  const { client } = me
  const before = await balance(client)
  const whole = await beginUpload(client, video.length)
  await server.deps.db
    .update(uploadRequests)
    .set({ earlyDurationMs, earlyHasAudio: true })
    .where(eq(uploadRequests.id, whole._id))
  const job = await requestEdits(client, whole._id, requests)
  await payFor(client, job._id)
  const excerptId = await sendExcerpt(client, whole._id, await excerptFor(video, [teaser]))
  await check(excerptId)
  return { me, client, whole, job, excerptId, before }
}

it('NOW-01 an excerpt that its device gives up lets its edits wait, also one that was being made', async () => {
  const { client, job, excerptId, before } = await onItsWay([teaser])
  expect((await taskOf(job, 0))?.sourceUploadId).toBe(excerptId)
  // A process that is killed leaves the edit as it began it.
  await claimTask(server.deps, { taskId: job.tasks[0]?._id ?? '' })
  expect((await client.delete(`/v1/upload-requests/${excerptId}`)).status).toBe(204)
  expect(await server.deps.store.head(`uploads/${excerptId}`)).toBeNull()
  await render(job, 0)
  expect(await taskOf(job, 0)).toMatchObject({ sourceUploadId: null, status: 'created' })
  const { isMediaWorkflowStarted, orderId } = await fetchJob(client, job._id)
  expect(isMediaWorkflowStarted).toBe(false)
  expect((await client.post(`/v1/orders/${orderId}/cancel`)).status).toBe(200)
  expect((await taskOf(job, 0))?.status).toBe('canceled')
  expect(await balance(client)).toBe(before)
})

it('NOW-01 a video of another length than was paid for leaves what its excerpt gave, with an order', async () => {
  const { client, whole, job, before } = await onItsWay([teaser, WATERMARK], 10 * 60_000)
  await render(job, 0)
  expect((await taskOf(job, 0))?.status).toBe('succeeded')
  await completeUpload(client, whole, video)
  await check(whole._id)
  const ended = await fetchJob(client, job._id)
  expect(ended.tasks.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  expect(ended.tasks[0]?.refundedCoinAmount).toBe(0)
  expect(await orderStatus(job)).toBe('paid')
  expect(before - (await balance(client))).toBeGreaterThan(0)
  expect((await auditLedger(server.deps)).differences).toEqual([])
})

it('NOW-01 a hold takes what an excerpt gave and pays the rest back; a removal leaves no file', async () => {
  const { client, whole, job, excerptId } = await onItsWay([teaser, COPY])
  await render(job, 0)
  const [output] = await server.deps.db
    .select()
    .from(taskOutputs)
    .where(eq(taskOutputs.taskId, job.tasks[0]?._id ?? ''))
  const receipt = await report()
  // By the name of the excerpt, which stands for its video.
  expect(await operator('reports', 'hold', receipt, excerptId)).toMatchObject({ isDone: true })
  expect((await rowOf(whole._id))?.heldAt).not.toBeNull()
  expect((await rowOf(excerptId))?.heldAt).toBeNull()
  expect((await client.get(`/v1/media-jobs/${job._id}`)).status).toBe(451)
  expect(await taskOf(job, 1)).toMatchObject({ status: 'failed' })
  expect(await orderStatus(job)).toBe('paid')
  expect((await auditLedger(server.deps)).differences).toEqual([])
  await sweep(server.deps)
  expect(await server.deps.store.head(`uploads/${excerptId}`)).not.toBeNull()

  expect(await operator('reports', 'remove', receipt)).toMatchObject({ isDone: true })
  await sweep(server.deps)
  expect(await server.deps.store.head(output?.objectKey ?? '')).toBeNull()
  expect(await server.deps.store.head(`uploads/${excerptId}`)).toBeNull()
  const lines = await server.deps.db
    .select()
    .from(deletionLog)
    .where(eq(deletionLog.uploadRequestId, excerptId))
  expect(lines).toEqual([])
})

it('NOW-01 an excerpt of a held video is not used, nor one that is too slow to compare', async () => {
  const owner = await server.signUp()
  const original = await uploadBytes(owner.client, video)
  await check(original._id)
  const receipt = await report()
  await operator('reports', 'hold', receipt, original._id)
  await knowVideo(server.deps, { uploadRequestId: original._id, signal, isLastAttempt: false })

  const { client, job, excerptId } = await onItsWay([teaser])
  expect(await rowOf(excerptId)).toMatchObject({ state: 'failed', heldAt: null })
  expect((await rowOf(excerptId))?.supportLog).toMatch(/told apart/)
  expect((await fetchJob(client, job._id)).tasks[0]).toMatchObject({ status: 'created' })

  await operator('reports', 'release', receipt)
  const upload = await rowOf(excerptId)
  const { ffmpeg, settings } = server.deps
  if (upload === undefined || ffmpeg === null) throw new Error('no excerpt, or ffmpeg')
  const scratchDir = join(settings.dataDir, 'scratch', 'slow')
  await mkdir(scratchDir, { recursive: true })
  const path = join(settings.dataDir, 'store/objects', upload.objectKey)
  const usual = createAllowance({ cpuSeconds: 60 })
  let asked = 0
  const cut = { ...usual, cuts: () => (asked += 1) }
  const checkWith = async (allowance: typeof usual) =>
    await checkAndCompareExcerpt(server.deps, upload, {
      path,
      scratchDir,
      signal,
      ffmpeg: { ...ffmpeg, allowance },
    })
  expect(await checkWith(usual)).toMatchObject({ ok: true })
  expect(await checkWith(cut)).toMatchObject({ error: { code: 'unsupported' } })
})

it('NOW-01 an excerpt may say that its last stretch ends after the video', async () => {
  const { client } = await server.signUp()
  const whole = await beginUpload(client, video.length)
  const made = await excerptOf(video, [{ startMs: WHOLE_MS - 3000, endMs: WHOLE_MS + 2500 }])
  const excerptId = await sendExcerpt(client, whole._id, made)
  await check(excerptId)
  expect(await rowOf(excerptId)).toMatchObject({ state: 'validated', supportLog: null })
})

it('NOW-01 an edit that an excerpt cannot give after all comes from the video that is there by then', async () => {
  const { client, whole, job, excerptId } = await onItsWay([teaser, COPY])
  const [begun] = await server.deps.db.select().from(mediaJobs).where(eq(mediaJobs.id, job._id))
  expect(begun?.workflowStartedAt).toBeNull()
  await completeUpload(client, whole, video)
  await check(whole._id)
  for (const request of [
    { mediaJobTaskPresetSlug: 'teaser-15s' },
    { mediaJobTaskPresetSlug: 'still-pack' },
    { mediaJobTaskPresetSlug: 'social-media-gif-pack' },
  ] as const)
    expect(await planOf(excerptId, request)).toEqual(await planOf(whole._id, request))
  // It is still needed.
  expect((await rowOf(excerptId))?.state).toBe('validated')
  await server.deps.store.remove(`uploads/${excerptId}`)
  for (let attempt = 0; attempt < 3; attempt += 1) await render(job, 0).catch(() => undefined)
  expect((await taskOf(job, 0))?.sourceUploadId).toBeNull()
  await render(job, 0)
  expect((await fetchJob(client, job._id)).tasks[0]).toMatchObject({
    status: 'succeeded',
    refundedCoinAmount: 0,
  })
  await sweep(server.deps)
  expect((await rowOf(excerptId))?.state).toBe('aborted')
})

it('NOW-01 of several sounds an excerpt is used with the one that was chosen, and only with that', async () => {
  const { client } = await server.signUp()
  const two = await videoOfTwoSounds()
  const whole = await beginUpload(client, two.length)
  const job = await requestEdits(client, whole._id, [teaser])
  await payFor(client, job._id)
  const choose = async (sound: number) =>
    await client.call('PUT', `/v1/upload-requests/${whole._id}/sounds`, { body: { sound } })
  const made = await excerptFor(two, [teaser])
  const inDoubt = await sendExcerpt(client, whole._id, made)
  await check(inDoubt)
  expect((await rowOf(inDoubt))?.supportLog).toMatch(/2 sounds/)

  expect((await choose(2)).status).toBe(200)
  const excerptId = await sendExcerpt(client, whole._id, made)
  await check(excerptId)
  expect((await taskOf(job, 0))?.sourceUploadId).toBe(excerptId)
  expect(readStoredProbe((await rowOf(excerptId))?.probe)?.tracks?.sound).toBe(1)
  expect((await choose(1)).status).toBe(200)
  await render(job, 0)
  expect(await taskOf(job, 0)).toMatchObject({ sourceUploadId: null, status: 'created' })
})
