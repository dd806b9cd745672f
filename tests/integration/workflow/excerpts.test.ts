import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { mediaJobTasks, uploadRequests, walletTransactions } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { sweep } from '#server/operations/upkeep/sweep.ts'
import { excerptNeed } from '#src/local/edits/excerpt-stretches.ts'
import { momentBoard, requestOfMoments } from '#src/local/edits/moment-boards.ts'
import { composedSource, planExcerpt } from '#src/local/uploads/file/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { readMovieIndex } from '#src/local/uploads/file/movie-index.ts'
import { probe } from '#tests/fixtures/probes.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { balance, fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, type UploadRequest } from '#tests/setup/upload.ts'

type Stretch = components['schemas']['ExcerptStretch']
type TaskRequest = components['schemas']['MediaJobTaskRequest']

const SECONDS = 120
/** An edit of the whole that takes little to make. */
const COPY = { mediaJobTaskPresetSlug: 'example-low-resolution-video' } as const
const SOURCE: SourceProbe = probe({
  durationMs: SECONDS * 1000,
  width: 160,
  height: 90,
  frameRate: 12,
})

let server: TestServer
let video: Buffer
let teaser: TaskRequest
beforeAll(async () => {
  const path = await keptClip('excerpts.mp4', [
    ...`-f lavfi -i testsrc2=s=160x90:r=12:d=${SECONDS}`.split(' '),
    ...`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${SECONDS}`.split(' '),
    ...'-c:v libx264 -preset ultrafast -g 24 -c:a aac -ac 2'.split(' '),
  ])
  video = await readFile(path)
  teaser = withMoments({ mediaJobTaskPresetSlug: 'teaser-15s' })
  server = await startTestServer({
    isWorker: true,
    env: { ONECUT_WORKERS: '1', ONECUT_FRAME_ORIGIN: 'none' },
  })
})
afterAll(() => server.stop())

/** An edit with the moments that it shows by itself. */
function withMoments(request: TaskRequest): TaskRequest {
  const { durationMs, width, height, frameRate } = SOURCE
  const source = { durationMs, width, height, frameRate, nominalRate: null }
  const found = momentBoard(request, {
    source,
    moments: [],
    pictures: null,
  } as unknown as Parameters<typeof momentBoard>[1])
  if (found === null) throw new Error('no board')
  return requestOfMoments(request, found.begin)
}

interface MadeExcerpt {
  readonly bytes: Uint8Array
  readonly stretches: readonly Stretch[]
}

/** The excerpt that a device makes for these edits. */
async function makeExcerpt(requests: readonly TaskRequest[]): Promise<MadeExcerpt> {
  const stretches = excerptNeed(requests, SOURCE, () => true)?.stretches ?? []
  const whole = fileSource(new File([new Uint8Array(video)], 'beach day.mp4'))
  const index = await readMovieIndex(whole)
  const planned = index.ok ? planExcerpt(index.value, stretches) : index
  if (!planned.ok) throw new Error(planned.error.code)
  const read = await composedSource(whole, planned.value).read(0, planned.value.sizeBytes)
  if (!read.ok) throw new Error(read.error.kind)
  return { bytes: new Uint8Array(read.value), stretches: [...stretches] }
}

async function complete(client: TestClient, upload: UploadRequest, bytes: Uint8Array) {
  const parts = await sendParts(client, upload, bytes)
  return await client.patch(`/v1/upload-requests/${upload._id}`, {
    uploadRequest: { upload: { parts } },
  })
}

async function sendExcerpt(
  client: TestClient,
  uploadRequestId: string,
  { bytes, stretches }: MadeExcerpt,
): Promise<string> {
  const upload = await beginUpload(client, bytes.length, {
    excerpt: { uploadRequestId, stretches: [...stretches] },
  })
  expect((await complete(client, upload, bytes)).status).toBe(200)
  return upload._id
}

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
    const job = await requestEdits(client, whole._id, [teaser, COPY])
    await payFor(client, job._id)
    const excerptId = await sendExcerpt(client, whole._id, await makeExcerpt([teaser]))
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

    expect((await complete(client, whole, video)).status).toBe(200)
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

  it('NOW-01 that came before the payment gives the edits once they are paid', async () => {
    const { client } = await server.signUp()
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser])
    const excerptId = await sendExcerpt(client, whole._id, await makeExcerpt([teaser]))
    await untilState(excerptId, 'validated')
    expect((await fetchJob(client, job._id)).tasks[0]?.status).toBe('created')
    await payFor(client, job._id)
    const done = await untilTasks(client, job._id, ['succeeded'])
    expect(await sourceOf(done, 0)).toBe(excerptId)
  })

  it('NOW-01 that has not what it says lets its edits wait for the video', async () => {
    const { client } = await server.signUp()
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser])
    await payFor(client, job._id)
    const { bytes } = await makeExcerpt([teaser])
    const lying = await sendExcerpt(client, whole._id, {
      bytes,
      stretches: [{ startMs: 0, endMs: SECONDS * 1000 }],
    })
    await untilState(lying, 'failed')
    expect((await fetchJob(client, job._id)).tasks[0]?.status).toBe('created')
    expect((await complete(client, whole, video)).status).toBe(200)
    const done = await untilTasks(client, job._id, ['succeeded'])
    expect(await sourceOf(done, 0)).toBeNull()
  })

  it('NOW-01 that is lost lets its edits wait for the video', async () => {
    const { client } = await server.signUp()
    const whole = await beginUpload(client, video.length)
    const job = await requestEdits(client, whole._id, [teaser])
    const excerptId = await sendExcerpt(client, whole._id, await makeExcerpt([teaser]))
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
    const excerptId = await sendExcerpt(client, whole._id, await makeExcerpt([teaser]))
    await untilTasks(client, job._id, ['succeeded', 'created'])
    const broken = video.map((byte, at) => (at < 64 ? 0 : byte))
    expect((await complete(client, whole, broken)).status).toBe(200)
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
    const { bytes, stretches } = await makeExcerpt([teaser])
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
    expect((await begin(client, bytes.length)).status).toBe(201)
    expect((await begin(client, bytes.length)).status).toBe(409)
  })
})
