import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import { err } from '#recipes/result.ts'
import { faceFindings, mediaJobTasks, renderSpeeds, uploadRequests } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { readSlotWork } from '#server/operations/processing/slots/waiting.ts'
import { sweepStorage } from '#server/operations/workflows/upkeep/storage.ts'
import { searchPartsOf } from '#server/operations/media/storage/keys.ts'
import { readCover } from '#server/operations/processing/faces/review.ts'
import { claimTask } from '#server/operations/processing/tasks/claim.ts'
import { takeLease } from '#server/operations/core/lease.ts'
import { renderTaskOutputs } from '#server/operations/processing/rendering/render-outputs.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { createFakeFaceSearch, fakeFinding } from '#tests/fakes/face-search.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { makeClip } from '#tests/setup/media.ts'
import { balance, fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { uploadFile } from '#tests/setup/upload.ts'

type Review = components['schemas']['FaceReview']
type Answer = { faceReview: Review; error?: { code: string; fields?: Record<string, string> } }

const DAY_MS = 86_400_000
let server: TestServer
let dir: string
let uploadChecked: ReturnType<typeof checkedUploads>
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-faces-'))
  await makeClip(join(dir, 'clip.mp4'), 2, { size: '160x90' })
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_KEEP_SOURCES_DAYS: '30' },
  })
  uploadChecked = checkedUploads(server)
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const stop = () => AbortSignal.timeout(patience(60))

/** A paid edit that covers faces. No recipe is needed for it: it is a row until it is made. */
async function orderCovered(
  client: TestClient,
): Promise<{ jobId: string; taskId: string; uploadId: string }> {
  const uploadId = await uploadChecked(client, join(dir, 'clip.mp4'))
  return { uploadId, ...(await orderCoveredOf(client, uploadId)) }
}

async function orderCoveredOf(
  client: TestClient,
  uploadId: string,
): Promise<{ jobId: string; taskId: string }> {
  const job = await requestEdits(client, uploadId, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  const taskId = job.tasks[0]?._id ?? ''
  await server.deps.db
    .update(mediaJobTasks)
    .set({ presetSlug: 'face-blurred-full-scene' })
    .where(eq(mediaJobTasks.id, taskId))
  await payFor(client, job._id)
  return { jobId: job._id, taskId }
}

const search = async (taskId: string, faces: Deps['faces'] = createFakeFaceSearch()) =>
  await renderTask({ ...server.deps, faces }, { taskId, stop: stop() })
const facesOf = (taskId: string) => `/v1/media-job-tasks/${taskId}/faces`
const waitingTasks = async () =>
  (await readSlotWork(server.deps, { kind: 'edits', resting: [] })).waiting.map(({ id }) => id)

it('REC-18 an edit that covers faces is searched, waits for its owner, and is made by what the owner decided', async () => {
  now += 4_000_000
  const { client } = await server.signUp()
  const { jobId, taskId, uploadId } = await orderCovered(client)
  expect((await fetchJob(client, jobId)).tasks[0]).toMatchObject({
    status: 'created',
    review: { state: 'searching', until: null },
  })
  expect((await client.get<Answer>(facesOf(taskId))).body.faceReview.finding).toBeNull()
  const early = await client.call<Answer>('POST', `${facesOf(taskId)}/finish`, {
    body: { faceReview: { basedOn: 0 } },
  })
  expect([early.status, early.body.error?.code]).toEqual([409, 'face-reviews/searching'])
  expect(await waitingTasks()).toContain(taskId)

  const faces = createFakeFaceSearch()
  await search(taskId, faces)
  expect(faces.searched).toHaveLength(1)
  const job = await fetchJob(client, jobId)
  expect(job).toMatchObject({ progressRatio: 0.5, estimatedCompletedAt: null })
  expect(job.tasks[0]).toMatchObject({
    status: 'created',
    review: { state: 'waiting', until: new Date(now + 30 * DAY_MS).toISOString() },
  })
  // Neither a slot nor a message takes it on before its owner has looked.
  expect(await waitingTasks()).not.toContain(taskId)
  await search(taskId, faces)
  expect(faces.searched).toHaveLength(1)

  const read = (await client.get<Answer>(facesOf(taskId))).body.faceReview
  expect(read).toMatchObject({
    state: 'waiting',
    revision: 0,
    finding: fakeFinding,
    durationMs: 2000,
  })
  const strip = await client.get(`${facesOf(taskId)}/certain/strip`)
  expect([strip.status, strip.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect([...strip.bytes.subarray(0, 2)]).toEqual([0xff, 0xd8])
  const copy = await client.call('GET', `${facesOf(taskId)}/video`, {
    headers: { range: 'bytes=4-7' },
  })
  expect([copy.status, Buffer.from(copy.bytes).toString()]).toEqual([206, 'ftyp'])

  const decisions = { uncovered: ['doubtful'], added: [], wholly: [{ startMs: 0, endMs: 100 }] }
  const save = (basedOn: number, changes: object = {}) =>
    client.call<Answer>('PUT', facesOf(taskId), {
      body: { faceReview: { basedOn, decisions: { ...decisions, ...changes } } },
    })
  expect((await save(0)).body.faceReview).toMatchObject({ revision: 1, decisions })
  // The same write again, whose answer was lost; then one of a device that has not seen it.
  expect((await save(0)).body.faceReview.revision).toBe(1)
  expect((await save(0, { uncovered: [] })).body.error?.code).toBe('face-reviews/changed')
  const unknown = await save(1, { uncovered: ['unknown'] })
  expect([unknown.status, unknown.body.error?.fields]).toEqual([
    422,
    { 'faceReview.decisions.uncovered.0': 'This face is not among those that were found' },
  ])

  const finish = (basedOn: number) =>
    client.call<Answer>('POST', `${facesOf(taskId)}/finish`, { body: { faceReview: { basedOn } } })
  expect((await finish(0)).body.error?.code).toBe('face-reviews/changed')
  expect((await finish(1)).status).toBe(200)
  expect((await finish(1)).status).toBe(200)
  expect((await save(1, { uncovered: [] })).body.error?.code).toBe('face-reviews/finished')
  expect((await fetchJob(client, jobId)).tasks[0]).toMatchObject({
    progressRatio: 0.5,
    review: { state: 'done', until: null },
  })
  expect(await waitingTasks()).toContain(taskId)
  const { db } = server.deps
  const [task] = await db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
  const [upload] = await db.select().from(uploadRequests).where(eq(uploadRequests.id, uploadId))
  if (task === undefined || upload === undefined) throw new Error('They are gone')
  const cover = await readCover(server.deps, { task, upload })
  expect(cover.tracks.map(({ id }) => id)).toEqual(['certain'])
  expect(cover.wholly).toEqual([{ startMs: 0, endMs: 100 }])

  // Another person learns nothing of it.
  now += 4_000_000
  const other = await server.signUp()
  for (const path of ['', '/video', '/certain/strip'])
    expect((await other.client.get(`${facesOf(taskId)}${path}`)).status).toBe(404)
})

it('REC-25 REC-18 real runs teach how long the search and the edit take, and the time that the owner takes is never counted', async () => {
  now += 4_000_000
  const { client } = await server.signUp()
  const forecast = async (jobId: string) =>
    (
      await client.get<{ forecast: components['schemas']['MediaJobForecast'] }>(
        `/v1/media-jobs/${jobId}/forecast`,
      )
    ).body.forecast
  const finish = async (taskId: string) => {
    const body = { faceReview: { basedOn: 0 } }
    expect((await client.call('POST', `${facesOf(taskId)}/finish`, { body })).status).toBe(200)
  }
  const finding = createFakeFaceSearch()
  const slow: Deps['faces'] = {
    find: async (video) => {
      now += 10_000
      return await finding.find(video)
    },
  }
  await server.deps.db.delete(renderSpeeds)
  const ticking = { ...server.deps, clock: () => new Date((now += 1000)) }
  const first = await orderCovered(client)
  await search(first.taskId, slow)
  await finish(first.taskId)
  await renderTask(ticking, { taskId: first.taskId, stop: stop() })
  expect((await fetchJob(client, first.jobId)).tasks[0]?.status).toBe('succeeded')
  const { jobId, taskId } = await orderCovered(client)
  expect(await forecast(jobId)).toMatchObject({
    remainingMs: null,
    review: { inMs: null, thenMs: null, othersMs: null },
  })
  // As if two more had been made at the same speed.
  const thrice = sql`${renderSpeeds.ratios} || ${renderSpeeds.ratios} || ${renderSpeeds.ratios}`
  await server.deps.db.update(renderSpeeds).set({ ratios: thrice })
  const said = await forecast(jobId)
  expect(said).toMatchObject({ remainingMs: null, review: { inMs: 10_000, othersMs: null } })
  const thenMs = said.review?.thenMs ?? 0
  expect(thenMs).toBeGreaterThanOrEqual(1000)
  await search(taskId, slow)
  for (const waitedMs of [0, DAY_MS]) {
    now += waitedMs
    expect(await forecast(jobId)).toEqual({
      remainingMs: null,
      // It is in no queue.
      editsAhead: null,
      review: { inMs: 0, thenMs, othersMs: null },
    })
  }
  await finish(taskId)
  expect(await forecast(jobId)).toMatchObject({ remainingMs: thenMs, review: null })

  // Its progress goes on where the search ended.
  const claimed = await claimTask(server.deps, { taskId })
  const lease = await takeLease(server.deps, { taskId })
  const { ffmpeg } = server.deps
  const recipe = findRecipe('face-blurred-full-scene')
  if (claimed === null || lease === null || ffmpeg === null || recipe === undefined)
    throw new Error('It cannot be made')
  const ratios: number[] = []
  const onProgress = (ratio: number): number => ratios.push(ratio)
  const folder = await mkdtemp(join(dir, 'render-'))
  const work = { ...claimed, ffmpeg, recipe, folder, lease, signal: stop(), onProgress }
  expect((await renderTaskOutputs(server.deps, work)).ok).toBe(true)
  await lease.release()
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(0.5)
  expect(Math.max(...ratios)).toBeGreaterThan(0.9)
})

it.each([
  { obfuscateVoice: true, denoiseAudio: false },
  { obfuscateVoice: false, denoiseAudio: true },
])(
  'OPT-06 REC-19 an incognito scene is ordered with %j and waits for its review',
  async (payload) => {
    now += 4_000_000
    const { client } = await server.signUp()
    const uploadId = await uploadChecked(client, join(dir, 'clip.mp4'))
    const { _id: jobId, tasks } = await requestEdits(client, uploadId, [
      { mediaJobTaskPresetSlug: 'incognito-full-scene', payload },
    ])
    const before = await balance(client)
    await payFor(client, jobId)
    expect(before - (await balance(client))).toBe(75)
    const taskId = tasks[0]?._id ?? ''
    expect(await waitingTasks()).toContain(taskId)
    await search(taskId)
    expect((await fetchJob(client, jobId)).tasks[0]).toMatchObject({
      status: 'created',
      review: { state: 'waiting' },
    })
    // Nothing makes it before its owner has looked.
    await search(taskId)
    expect(await waitingTasks()).not.toContain(taskId)
    const finished = await client.call('POST', `${facesOf(taskId)}/finish`, {
      body: { faceReview: { basedOn: 0 } },
    })
    expect(finished.status).toBe(200)
    expect(await waitingTasks()).toContain(taskId)
    const { db } = server.deps
    const [task] = await db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
    expect(task?.payload).toEqual(payload)
  },
)

it('REC-19 an incognito scene of a video without sound is refused before there is a price', async () => {
  now += 4_000_000
  const { client } = await server.signUp()
  await makeClip(join(dir, 'silent.mp4'), 2, { sound: false })
  const upload = await uploadFile(client, join(dir, 'silent.mp4'))
  await validateUpload(server.deps, { uploadRequestId: upload._id, signal: stop() })
  const payload = { obfuscateVoice: true, denoiseAudio: false }
  const answer = await client.post<{ error: { code: string } }>('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: upload._id,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'incognito-full-scene', payload }],
    },
  })
  expect([answer.status, answer.body.error.code]).toEqual([422, 'presets/needs-sound'])
})

it('REC-18 a second edit of the same video is not searched again, and the files go with the video', async () => {
  now += 4_000_000
  const { client } = await server.signUp()
  const { taskId, uploadId } = await orderCovered(client)
  await search(taskId)
  const faces = createFakeFaceSearch()
  await server.deps.db
    .update(mediaJobTasks)
    .set({ reviewState: 'searching', reviewAskedAt: null })
    .where(eq(mediaJobTasks.id, taskId))
  await search(taskId, faces)
  expect(faces.searched).toEqual([])

  expect((await client.call('DELETE', `/v1/storage/${uploadId}`)).status).toBe(409)
  now += 31 * DAY_MS
  await sweepStorage(server.deps)
  const { tasks } = (
    await client.get<{ mediaJobs: components['schemas']['MediaJob'][] }>('/v1/media-jobs/paginated')
  ).body.mediaJobs[0] ?? { tasks: [] }
  expect(tasks[0]).toMatchObject({
    status: 'canceled',
    errorMessage: 'This edit was cancelled because its faces were not reviewed within 30 days.',
  })
  expect(tasks[0]?.refundedCoinAmount).toBeGreaterThan(0)
  expect((await client.call('DELETE', `/v1/storage/${uploadId}`)).status).toBe(204)
  expect((await client.get(`${facesOf(taskId)}/video`)).status).toBe(404)
  expect(
    await server.deps.db
      .select()
      .from(faceFindings)
      .where(eq(faceFindings.uploadRequestId, uploadId)),
  ).toEqual([])
})

it('REC-18 what was decided for one edit of a video is told for the next, and decides nothing there', async () => {
  now += 4_000_000
  const { client } = await server.signUp()
  const { taskId, uploadId } = await orderCovered(client)
  await search(taskId)
  const { taskId: otherVideo } = await orderCovered(client)
  await search(otherVideo)
  const next = await orderCoveredOf(client, uploadId)
  await search(next.taskId)
  const review = async (id: string) => (await client.get<Answer>(facesOf(id))).body.faceReview
  expect(await review(next.taskId)).not.toHaveProperty('earlier')

  const decisions = { uncovered: ['doubtful'], added: [], wholly: [{ startMs: 0, endMs: 100 }] }
  const body = { faceReview: { basedOn: 0, decisions } }
  expect((await client.call('PUT', facesOf(taskId), { body })).status).toBe(200)
  expect(await review(next.taskId)).toMatchObject({
    revision: 0,
    decisions: { uncovered: [], added: [], wholly: [] },
    earlier: decisions,
  })
  for (const id of [taskId, otherVideo]) expect(await review(id)).not.toHaveProperty('earlier')
})

it('REC-18 a search that cannot be made gives the tokens back, and the next one goes on where it ended', async () => {
  now += 4_000_000
  const { client } = await server.signUp()
  const { jobId, taskId, uploadId } = await orderCovered(client)
  const failure = { code: 'media/failed', detail: 'no pictures', fault: null } as const
  const part = { paths: [0.25] }
  await search(taskId, {
    find: async (_video, kept) => {
      expect(await kept?.read('first')).toBeNull()
      await kept?.keep('first', part)
      return err(failure)
    },
  })
  const [task] = (await fetchJob(client, jobId)).tasks
  expect(task).toMatchObject({ status: 'failed', review: { state: 'searching' } })
  expect(task?.refundedCoinAmount).toBeGreaterThan(0)
  // It can be tried again once, from the search on, which has what the first attempt kept.
  expect((await client.post(`/v1/media-job-tasks/${taskId}/retry`)).status).toBe(200)
  const keptKey = `${searchPartsOf(uploadId)}/first.json`
  expect(await server.deps.store.head(keptKey)).not.toBeNull()
  const read: unknown[] = []
  await server.deps.db.delete(renderSpeeds)
  await search(taskId, {
    find: async (video, kept) => {
      read.push(await kept?.read('first'))
      now += 10_000
      return await createFakeFaceSearch().find(video)
    },
  })
  expect(read).toEqual([part])
  // The part of a search says nothing of how long a whole one takes.
  expect(await server.deps.db.select().from(renderSpeeds)).toEqual([])
  expect(await server.deps.store.head(keptKey)).toBeNull()
  expect((await fetchJob(client, jobId)).tasks[0]?.review?.state).toBe('waiting')
})
