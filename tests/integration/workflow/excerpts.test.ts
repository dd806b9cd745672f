import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import { mediaJobTasks, uploadRequests, walletTransactions } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import type { TestClient } from '#tests/setup/client.ts'
import {
  completeUpload,
  COPY,
  excerptFor,
  sendExcerpt,
  videoInMatroska,
  WHOLE_MS,
  wholeVideo,
  withMoments,
} from '#tests/setup/excerpts.ts'
import { balance, fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload } from '#tests/setup/upload.ts'

type TaskRequest = components['schemas']['MediaJobTaskRequest']

let server: TestServer
let video: Buffer
let teaser: TaskRequest
/** Of moments that an excerpt for the teaser has not. Other edits of that kind take more runs. */
let gif: TaskRequest
beforeAll(async () => {
  video = await wholeVideo()
  teaser = withMoments({ mediaJobTaskPresetSlug: 'teaser-15s' })
  gif = withMoments({
    mediaJobTaskPresetSlug: 'short-trailer-gif',
    payload: { includeKumshot: false },
  })
  server = await startTestServer({
    isWorker: true,
    env: { ONECUT_WORKERS: '1', ONECUT_FRAME_ORIGIN: 'none' },
  })
})
afterAll(() => server.stop())

/** Waits until the edits stand as `expected`, in their order. */
async function untilTasks(client: TestClient, id: string, expected: readonly string[]) {
  return await vi.waitFor(
    async (): Promise<MediaJob> => {
      const job = await fetchJob(client, id)
      const seen = job.tasks.map(({ status }) => status)
      if (seen.join() !== expected.join()) throw new Error(`still ${seen.join()}`)
      return job
    },
    { timeout: patience(60), interval: 100 },
  )
}

async function untilState(uploadId: string, state: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const row = await stored(uploadId)
      if (row?.state !== state) throw new Error(`still ${row?.state}: ${row?.supportLog}`)
    },
    { timeout: patience(60), interval: 100 },
  )
}

async function stored(uploadId: string) {
  const [row] = await server.deps.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadId))
  return row
}

/** What is rendered of a checked file for the teaser. */
async function planOf(uploadId: string) {
  const source = readStoredProbe((await stored(uploadId))?.probe)
  if (source === null) throw new Error('it is not checked')
  const context = { moments: [], assets: [], secret: '0'.repeat(64) }
  const plan = findRecipe('teaser-15s')?.plan(source, teaser.payload, context)
  return plan?.ok === true ? plan.value.steps : null
}

async function sourceOf(job: MediaJob, position: number): Promise<string | null> {
  const [row] = await server.deps.db
    .select({ id: mediaJobTasks.sourceUploadId })
    .from(mediaJobTasks)
    .where(eq(mediaJobTasks.id, job.tasks[position]?._id ?? ''))
  return row?.id ?? null
}

describe('an excerpt of a video on its way', () => {
  it('NOW-01 gives the paid teaser before the video has come, and all in one order', async () => {
    const { client } = await server.signUp()
    const before = await balance(client)
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser, gif])
    await payFor(client, job._id)
    const excerptId = await sendExcerpt(client, whole._id, await excerptFor(video, [teaser]))
    const early = await untilTasks(client, job._id, ['succeeded', 'created'])
    expect(early).toMatchObject({ isMediaWorkflowStarted: true, isUploadRequestCompleted: false })
    expect(await sourceOf(job, 0)).toBe(excerptId)
    const [output] = early.tasks[0]?.outputs ?? []
    if (output?.kind !== 'download-button') throw new Error('the teaser has no file')
    expect(Math.abs((output.duration ?? 0) - 15_000)).toBeLessThan(300)
    expect(output.fileName).toMatch(/^beach-day.*teaser/)
    const order = await client.post(`/v1/orders/${early.orderId}/cancel`)
    expect(order.status).toBe(409)

    const listed = await client.get<{ uploadRequests: { _id: string }[] }>('/v1/upload-requests')
    expect(listed.body.uploadRequests.map(({ _id }) => _id)).toEqual([whole._id])

    expect((await completeUpload(client, whole, video)).status).toBe(200)
    await untilTasks(client, job._id, ['succeeded', 'succeeded'])
    await untilState(excerptId, 'aborted')
    expect(await server.deps.store.head(`uploads/${excerptId}`)).toBeNull()
    expect(await planOf(excerptId)).toEqual(await planOf(whole._id))
    const spends = await server.deps.db
      .select({ id: walletTransactions.id })
      .from(walletTransactions)
      .where(eq(walletTransactions.orderId, early.orderId ?? ''))
    expect(spends).toHaveLength(1)
    expect(before - (await balance(client))).toBeGreaterThan(0)
  })

  it('NOW-01 gives the teaser, and another one what a second order of the video asks for', async () => {
    const { client } = await server.signUp()
    const whole = await beginUpload(client, video.length)
    const first = await requestEdits(client, whole._id, [teaser])
    await payFor(client, first._id)
    const ofFirst = await sendExcerpt(client, whole._id, await excerptFor(video, [teaser]))
    const second = await requestEdits(client, whole._id, [gif])
    await payFor(client, second._id)
    const ofSecond = await sendExcerpt(client, whole._id, await excerptFor(video, [gif]))
    expect(await sourceOf(await untilTasks(client, first._id, ['succeeded']), 0)).toBe(ofFirst)
    expect(await sourceOf(await untilTasks(client, second._id, ['succeeded']), 0)).toBe(ofSecond)
    expect((await completeUpload(client, whole, video)).status).toBe(200)
    for (const id of [ofFirst, ofSecond]) await untilState(id, 'aborted')
  })

  it('NOW-01 PHO-05 that came before the payment gives the edits once they are paid, under plain names where that is chosen', async () => {
    const { client, userId } = await server.signUp()
    await client.patch(`/v1/${userId}/profile`, { userProfile: { discreet: true } })
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser])
    const excerptId = await sendExcerpt(client, whole._id, await excerptFor(video, [teaser]))
    await untilState(excerptId, 'validated')
    expect((await fetchJob(client, job._id)).tasks[0]?.status).toBe('created')
    await payFor(client, job._id)
    const done = await untilTasks(client, job._id, ['succeeded'])
    expect(await sourceOf(done, 0)).toBe(excerptId)
    const [output] = done.tasks[0]?.outputs ?? []
    expect(output).toMatchObject({ fileName: expect.stringMatching(/^clip-\d{4}-1\.mp4$/) })
  })

  it('NOW-01 of an MKV is planned as its whole is', async () => {
    const { client } = await server.signUp()
    const matroska = await videoInMatroska()
    const whole = await beginUpload(client, matroska.length, { name: 'beach day.mkv' })
    const excerpt = await excerptFor(matroska, [teaser])
    expect(excerpt.bytes.length).toBeLessThan(matroska.length / 2)
    const excerptId = await sendExcerpt(client, whole._id, excerpt)
    await untilState(excerptId, 'validated')
    expect((await completeUpload(client, whole, matroska)).status).toBe(200)
    await untilState(whole._id, 'validated')
    const planned = await planOf(excerptId)
    expect(planned).not.toBeNull()
    expect(planned).toEqual(await planOf(whole._id))
  })

  it('NOW-01 that has not what it says lets its edits wait for the video', async () => {
    const { client } = await server.signUp()
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser])
    await payFor(client, job._id)
    const { bytes } = await excerptFor(video, [teaser])
    const lying = await sendExcerpt(client, whole._id, {
      bytes,
      stretches: [{ startMs: 0, endMs: WHOLE_MS }],
    })
    await untilState(lying, 'failed')
    expect((await fetchJob(client, job._id)).tasks[0]?.status).toBe('created')
    expect((await completeUpload(client, whole, video)).status).toBe(200)
    const done = await untilTasks(client, job._id, ['succeeded'])
    expect(await sourceOf(done, 0)).toBeNull()
  })

  it('NOW-01 that is lost lets its edits wait for the video', async () => {
    const { client } = await server.signUp()
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser])
    const excerptId = await sendExcerpt(client, whole._id, await excerptFor(video, [teaser]))
    await untilState(excerptId, 'validated')
    await server.deps.store.remove(`uploads/${excerptId}`)
    await payFor(client, job._id)
    await vi.waitFor(
      async () => {
        if ((await sourceOf(job, 0)) !== null) throw new Error('still of the excerpt')
      },
      { timeout: patience(60), interval: 100 },
    )
    expect((await fetchJob(client, job._id)).tasks[0]).toMatchObject({
      status: 'created',
      refundedCoinAmount: 0,
    })
  })

  it('NOW-01 keeps what it gave where its video is of no use; the rest is paid back', async () => {
    const { client } = await server.signUp()
    const before = await balance(client)
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser, COPY])
    await payFor(client, job._id)
    const paid = before - (await balance(client))
    const excerptId = await sendExcerpt(client, whole._id, await excerptFor(video, [teaser]))
    await untilTasks(client, job._id, ['succeeded', 'created'])
    const broken = video.map((byte, at) => (at < 64 ? 0 : byte))
    expect((await completeUpload(client, whole, broken)).status).toBe(200)
    const ended = await untilTasks(client, job._id, ['succeeded', 'failed'])
    expect(ended.tasks[0]?.outputs).toHaveLength(1)
    expect(before - (await balance(client))).toBe(paid - (ended.tasks[1]?.refundedCoinAmount ?? 0))
    expect(ended.tasks[1]?.refundedCoinAmount).toBeGreaterThan(0)
    await sweep(server.deps)
    expect((await stored(excerptId))?.state).toBe('aborted')
  })

  it('NOW-01 is refused where it gains nothing, and says what is wrong with it', async () => {
    const { client } = await server.signUp()
    const other = (await server.signUp()).client
    const { bytes, stretches } = await excerptFor(video, [teaser])
    const whole = await beginUpload(client, video.length)
    const begin = async (
      who: TestClient,
      sizeBytes: number,
      more: object = { excerpt: { uploadRequestId: whole._id, stretches } },
      purpose = 'excerpt',
    ) =>
      await who.post<{ error: { code: string; fields?: Record<string, string> } }>(
        '/v2/upload-requests',
        {
          uploadRequest: {
            idempotencyKey: crypto.randomUUID(),
            purpose,
            ...more,
            upload: {
              provider: 's3-multipart',
              metadata: { clientFilename: 'beach day.mp4', clientFileSize: sizeBytes },
            },
          },
        },
      )
    expect(await begin(other, bytes.length)).toMatchObject({
      status: 404,
      body: { error: { code: 'uploads/not-found' } },
    })
    expect(await begin(client, video.length)).toMatchObject({
      status: 409,
      body: { error: { code: 'uploads/excerpt-refused' } },
    })
    for (const [more, purpose] of [
      [{}, 'excerpt'],
      [{ excerpt: { uploadRequestId: whole._id, stretches } }, 'media-job'],
      [
        {
          excerpt: {
            uploadRequestId: whole._id,
            stretches: [
              { startMs: 5, endMs: 9 },
              { startMs: 8, endMs: 12 },
            ],
          },
        },
        'excerpt',
      ],
    ] as const)
      expect(await begin(client, bytes.length, more, purpose)).toMatchObject({
        status: 422,
        body: { error: { code: 'request/invalid', fields: expect.anything() } },
      })
    // All excerpts of a video have half of its bytes together.
    expect((await begin(client, Math.floor(video.length / 2) - bytes.length)).status).toBe(201)
    expect((await begin(client, bytes.length)).status).toBe(201)
    expect((await begin(client, bytes.length)).status).toBe(409)
  })
})
