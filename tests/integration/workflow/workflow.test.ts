import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  mediaJobTasks,
  renderSpeeds,
  taskOutputs,
  uploadRequests,
  walletTransactions,
  workers,
} from '#server/db/schema.ts'
import { sayWhatWorks } from '#server/operations/core/workers.ts'
import { makeClip } from '#tests/setup/media.ts'
import { balance, fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { uploadBytes, uploadFile, beginUpload, sendParts } from '#tests/setup/upload.ts'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'

/** An edit that takes little to make. */
const COPY = 'example-low-resolution-video'
let server: TestServer
let dir: string
let client: TestClient

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-flow-'))
  await makeClip(join(dir, 'clip.mp4'), 3, { size: '160x90' })
  server = await startTestServer({ isWorker: true, env: { ONECUT_WORKERS: '1' } })
  client = (await server.signUp()).client
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const settled = async (who: TestClient, id: string): Promise<MediaJob> =>
  await vi.waitFor(
    async () => {
      const job = await fetchJob(who, id)
      if (!job.tasks.every((task) => task.status === 'succeeded' || task.status === 'failed'))
        throw new Error(`still ${job.tasks.map((task) => task.status).join()}`)
      return job
    },
    { timeout: patience(60), interval: 200 },
  )

const isValid = async (who: TestClient, id: string): Promise<void> => {
  await vi.waitFor(
    async () => {
      const { uploadRequest } = (
        await who.get<{ uploadRequest: { isValidated: boolean; isFailed: boolean } }>(
          `/v1/upload-requests/${id}`,
        )
      ).body
      if (!uploadRequest.isValidated && !uploadRequest.isFailed)
        throw new Error('still being checked')
    },
    { timeout: patience(30), interval: 100 },
  )
}

describe('from upload to download', () => {
  let done: MediaJob

  it('JOB-08 a paid edit is made and every field says so', async () => {
    const upload = await uploadFile(client, join(dir, 'clip.mp4'), {
      name: 'Été à la plage.v2.mp4',
    })
    const asked = await requestEdits(client, upload._id, [
      { mediaJobTaskPresetSlug: COPY },
      { mediaJobTaskPresetSlug: 'still-pack' },
    ])
    expect(asked).toMatchObject({
      name: 'Été à la plage.v2',
      uploadRequestId: upload._id,
      progressRatio: 0,
      isMediaWorkflowStarted: false,
      isUploadRequestCompleted: true,
      orderIsPlaced: false,
      orderId: null,
      tasks: [
        { status: 'created', mediaJobTaskPresetSlug: COPY },
        { mediaJobTaskPresetSlug: 'still-pack' },
      ],
    })
    await payFor(client, asked._id)
    done = await settled(client, asked._id)
    expect(done).toMatchObject({
      progressRatio: 1,
      isMediaWorkflowStarted: true,
      isMediaWorkflowFailed: false,
      isUploadRequestFailed: false,
      isUploadRequestValidated: true,
      orderIsPlaced: true,
      estimatedCompletedAt: null,
      videoDuration: 3000,
      thumbnailUrl: `/editors/api/v1/media-jobs/${asked._id}/thumbnail`,
    })
    expect(done.tasks.map((task) => [task.status, task.errorMessage])).toEqual([
      ['succeeded', null],
      ['succeeded', null],
    ])
    const [copy] = done.tasks[0]?.outputs ?? []
    if (copy?.kind !== 'download-button') throw new Error('The copy has no download')
    expect(copy).toMatchObject({ contentType: 'video/mp4', width: 160, height: 90 })
    expect(Math.abs((copy.duration ?? 0) - 3000)).toBeLessThan(300)
    const thumbnail = await client.get(done.thumbnailUrl ?? '')
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  it('REC-25 what was made teaches the server how fast it is', async () => {
    const rows = await server.deps.db.select().from(renderSpeeds)
    const learned = rows.filter(({ ratios }) => ratios.every((ratio) => ratio > 0))
    expect(learned.map(({ work }) => work).toSorted()).toEqual([COPY, 'search', 'still-pack'])
  })

  it('JOB-10 a result downloads whole, in ranges, by its name, and only for its owner', async () => {
    const zip = done.tasks[1]?.outputs.find(
      (output) => output.kind === 'download-button' && output.contentType === 'application/zip',
    )
    if (zip?.kind !== 'download-button') throw new Error('The still pack has no archive')
    const whole = await client.get(zip.downloadUrl)
    expect([whole.status, whole.bytes.length, whole.headers.get('content-length')]).toEqual([
      200,
      zip.sizeBytes,
      String(zip.sizeBytes),
    ])
    expect(Buffer.from(whole.bytes.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004')
    // So that an archive of all results can begin at any byte of it.
    const [kept] = await server.deps.db
      .select({ checksum: taskOutputs.crc32 })
      .from(taskOutputs)
      .where(eq(taskOutputs.id, zip.downloadUrl.split('/').at(-2) ?? ''))
    expect(kept?.checksum).toBe(crc32(whole.bytes))
    expect(whole.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]+\.zip"; filename\*=UTF-8''\S+$/,
    )
    expect([
      whole.headers.get('accept-ranges'),
      whole.headers.get('x-content-type-options'),
    ]).toEqual(['bytes', 'nosniff'])
    const eTag = whole.headers.get('etag') ?? ''
    const part = await client.get(zip.downloadUrl, { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 10-19/${zip.sizeBytes}`,
    ])
    expect(Buffer.from(part.bytes).equals(Buffer.from(whole.bytes.subarray(10, 20)))).toBe(true)
    const tail = await client.get(zip.downloadUrl, {
      headers: { range: 'bytes=-5', 'if-range': eTag },
    })
    expect(Buffer.from(tail.bytes).equals(Buffer.from(whole.bytes.subarray(-5)))).toBe(true)
    expect(
      (await client.get(zip.downloadUrl, { headers: { range: 'bytes=-5', 'if-range': '"other"' } }))
        .status,
    ).toBe(200)
    const beyond = await client.get(zip.downloadUrl, {
      headers: { range: `bytes=${zip.sizeBytes}-` },
    })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
      416,
      `bytes */${zip.sizeBytes}`,
    ])
    expect((await client.get(zip.downloadUrl, { headers: { 'if-none-match': eTag } })).status).toBe(
      304,
    )
    const head = await client.call('HEAD', zip.downloadUrl)
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([
      200,
      String(zip.sizeBytes),
      0,
    ])
    expect(
      (await client.get(`${zip.downloadUrl}?inline=1`)).headers.get('content-disposition'),
    ).toMatch(/^inline; /)
    expect((await (await server.signUp()).client.get(zip.downloadUrl)).status).toBe(404)
    expect((await createTestClient(server.origin).get(zip.downloadUrl)).status).toBe(401)
  })

  it('JOB-01 payment before the upload is there starts the work when it is checked', async () => {
    const bytes = new Uint8Array(await readFile(join(dir, 'clip.mp4')))
    const upload = await beginUpload(client, bytes.length)
    const job = await requestEdits(client, upload._id, [{ mediaJobTaskPresetSlug: COPY }])
    await payFor(client, job._id)
    expect(await fetchJob(client, job._id)).toMatchObject({
      isMediaWorkflowStarted: false,
      isUploadRequestCompleted: false,
      orderIsPlaced: true,
      estimatedCompletedAt: null,
    })
    const parts = await sendParts(client, upload, bytes)
    await client.patch(`/v1/upload-requests/${upload._id}`, {
      uploadRequest: { upload: { parts } },
    })
    expect((await settled(client, job._id)).tasks[0]?.status).toBe('succeeded')
  })
})

describe('when something fails', () => {
  it('JOB-10 a file that is no video fails its tasks with the reason and gives the tokens back', async () => {
    const person = (await server.signUp()).client
    const before = await balance(person)
    const text = new TextEncoder().encode('This is only a text. '.repeat(500))
    const upload = await beginUpload(person, text.length)
    const job = await requestEdits(person, upload._id, [
      { mediaJobTaskPresetSlug: 'still-pack' },
      { mediaJobTaskPresetSlug: 'teaser-15s' },
    ])
    await payFor(person, job._id)
    expect(await balance(person)).toBeLessThan(before)
    const parts = await sendParts(person, upload, text)
    await person.patch(`/v1/upload-requests/${upload._id}`, {
      uploadRequest: { upload: { parts } },
    })
    const failed = await settled(person, job._id)
    expect(failed).toMatchObject({
      isUploadRequestFailed: true,
      isMediaWorkflowFailed: true,
      isMediaWorkflowStarted: false,
    })
    expect(failed.tasks.map((task) => task.errorMessage)).toEqual(
      Array(2).fill('This is not a video file. Please choose another file.'),
    )
    expect(failed.tasks.every((task) => task.refundedCoinAmount > 0)).toBe(true)
    expect(await balance(person)).toBe(before)
  })

  it('JOB-10 REC-24 a task that cannot be made is refunded once, the other succeeds, and a retry is free and possible once', async () => {
    const person = (await server.signUp()).client
    const upload = await uploadFile(person, join(dir, 'clip.mp4'))
    await isValid(person, upload._id)
    const job = await requestEdits(person, upload._id, [
      { mediaJobTaskPresetSlug: COPY },
      { mediaJobTaskPresetSlug: 'still-pack' },
    ])
    // An intro that is gone when the work begins.
    const broken = job.tasks[1]?._id ?? ''
    await server.deps.db
      .update(mediaJobTasks)
      .set({
        presetSlug: 'tube-cut',
        payload: {
          targetDuration: 0,
          introMediaAssetIds: [crypto.randomUUID()],
          outroMediaAssetIds: [],
        },
      })
      .where(eq(mediaJobTasks.id, broken))
    const before = await balance(person)
    await payFor(person, job._id)
    const done = await settled(person, job._id)
    expect(done.tasks.map((task) => task.status)).toEqual(['succeeded', 'failed'])
    expect(done).toMatchObject({ isMediaWorkflowFailed: false, progressRatio: 1 })
    const copy = 50
    expect(await balance(person)).toBe(before - copy)
    expect((await person.post(`/v1/media-job-tasks/${done.tasks[0]?._id}/retry`)).status).toBe(409)

    const again = await person.post<{ mediaJobTask: { status: string } }>(
      `/v1/media-job-tasks/${broken}/retry`,
    )
    expect([again.status, again.body.mediaJobTask.status]).toEqual([200, 'created'])
    await settled(person, job._id)
    expect(await balance(person)).toBe(before - copy)
    const refunds = await server.deps.db
      .select()
      .from(walletTransactions)
      .where(eq(walletTransactions.cause, `task:${broken}`))
    expect(refunds).toHaveLength(1)
    const third = await person.post<{ error: { code: string } }>(
      `/v1/media-job-tasks/${broken}/retry`,
    )
    expect([third.status, third.body.error.code]).toEqual([409, 'media-job-tasks/already-retried'])
  })

  it('JOB-10 a source that cannot be read any more fails; raw facts are kept for support and not shown', async () => {
    const person = (await server.signUp()).client
    const upload = await uploadFile(person, join(dir, 'clip.mp4'))
    await isValid(person, upload._id)
    const [row] = await server.deps.db
      .select()
      .from(uploadRequests)
      .where(eq(uploadRequests.id, upload._id))
    const objects = join(server.deps.settings.dataDir, 'store/objects')
    await writeFile(join(objects, row?.objectKey ?? ''), 'gone')
    const job = await requestEdits(person, upload._id, [
      { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@me' } },
    ])
    await payFor(person, job._id)
    const failed = await settled(person, job._id)
    expect(failed.tasks[0]).toMatchObject({
      status: 'failed',
      errorMessage: 'This edit could not be made from this video.',
    })
    const [task] = await server.deps.db
      .select()
      .from(mediaJobTasks)
      .where(eq(mediaJobTasks.id, failed.tasks[0]?._id ?? ''))
    expect(task?.supportLog).toMatch(/step /)
  })
})

describe('asking for edits', () => {
  it('JOB-03 a second request replaces the edits of the unpaid job, a double click makes one job', async () => {
    const person = (await server.signUp()).client
    const upload = await uploadBytes(person, new Uint8Array(await readFile(join(dir, 'clip.mp4'))))
    const [one, two] = await Promise.all([
      requestEdits(person, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }]),
      requestEdits(person, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }]),
    ])
    expect(one._id).toBe(two._id)
    const changed = await requestEdits(person, upload._id, [{ mediaJobTaskPresetSlug: COPY }])
    expect([changed._id, changed.tasks.map((task) => task.mediaJobTaskPresetSlug)]).toEqual([
      one._id,
      [COPY],
    ])
    await payFor(person, changed._id)
    expect(
      (await requestEdits(person, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }]))._id,
    ).not.toBe(one._id)
    await settled(person, changed._id)
  })

  it.each([
    [
      'an edit twice',
      [{ mediaJobTaskPresetSlug: 'still-pack' }, { mediaJobTaskPresetSlug: 'still-pack' }],
      422,
      'presets/doubled',
    ],
    [
      'a blank watermark',
      [{ mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '   ' } }],
      422,
      'request/invalid',
    ],
    [
      'an asset that does not exist',
      [
        {
          mediaJobTaskPresetSlug: 'tube-cut',
          payload: {
            targetDuration: 0,
            introMediaAssetIds: ['0197a3f2-7c1e-7b90-a111-5d2c8e4f0a01'],
            outroMediaAssetIds: [],
          },
        },
      ],
      404,
      'media-assets/not-found',
    ],
  ])('OPT-01 %s is refused', async (_title, mediaJobTaskRequests, status, code) => {
    const upload = await beginUpload(client, 1000)
    const answer = await client.post<{ error: { code: string } }>('/v2/media-jobs', {
      mediaJob: { uploadRequestId: upload._id, mediaJobTaskRequests },
    })
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  it('FMT-01 an edit that covers faces is refused where a worker is without a search for them', async () => {
    const person = (await server.signUp()).client
    const upload = await beginUpload(person, 1000)
    const ordered = () =>
      person.post<{ readonly error: { readonly code: string } }>('/v2/media-jobs', {
        mediaJob: {
          uploadRequestId: upload._id,
          mediaJobTaskRequests: [
            {
              mediaJobTaskPresetSlug: 'incognito-full-scene',
              payload: { obfuscateVoice: true, denoiseAudio: true },
            },
          ],
        },
      })
    const blind = { ...server.deps.leases, owner: 'a worker without a search' }
    await sayWhatWorks({ ...server.deps, faces: null, leases: blind })
    try {
      expect((await ordered()).body.error.code).toBe('presets/not-offered')
    } finally {
      await server.deps.db.delete(workers).where(eq(workers.id, blind.owner))
    }
  })
})

describe('media assets', () => {
  it('OPT-08 an uploaded logo becomes an asset and stands before the film', async () => {
    const person = (await server.signUp()).client
    await makeClip(join(dir, 'logo.png'), 1, {
      sound: false,
      output: ['-frames:v', '1', '-update', '1'],
    })
    const logo = await uploadFile(person, join(dir, 'logo.png'), {
      name: 'logo.png',
      purpose: 'media-asset',
    })
    const named = await person.post<{ mediaAsset: { _id: string } }>('/v1/media-assets', {
      mediaAsset: { uploadRequestId: logo._id, name: ' My logo ' },
    })
    expect([named.status, named.body.mediaAsset]).toEqual([
      201,
      expect.objectContaining({ name: 'My logo', format: null }),
    ])
    await isValid(person, logo._id)
    expect(
      (await person.get<{ mediaAssets: unknown[] }>('/v1/media-assets')).body.mediaAssets,
    ).toEqual([
      expect.objectContaining({
        name: 'My logo',
        format: expect.objectContaining({ slug: 'image' }) as unknown,
      }),
    ])
    expect(
      (await person.get<{ mediaAssets: unknown[] }>('/v1/media-assets?formatSlug=video')).body
        .mediaAssets,
    ).toEqual([])
    const upload = await uploadFile(person, join(dir, 'clip.mp4'))
    await isValid(person, upload._id)
    const job = await requestEdits(person, upload._id, [
      {
        mediaJobTaskPresetSlug: 'tube-cut',
        payload: {
          targetDuration: 0,
          introMediaAssetIds: [named.body.mediaAsset._id],
          outroMediaAssetIds: [],
        },
      },
    ])
    await payFor(person, job._id)
    const [task] = (await settled(person, job._id)).tasks
    expect([task?.status, task?.errorMessage]).toEqual(['succeeded', null])
    const [output] = task?.outputs ?? []
    expect(output?.kind === 'download-button' ? output.duration : 0).toBeGreaterThan(5500)
    // Each time it is shown counts.
    const { db } = server.deps
    const [row] = await db.select().from(uploadRequests).where(eq(uploadRequests.id, logo._id))
    await db
      .update(uploadRequests)
      .set({ probe: { ...(row?.probe as object), durationMs: 400_000 } })
      .where(eq(uploadRequests.id, logo._id))
    const second = await uploadFile(person, join(dir, 'clip.mp4'))
    const tooLong = await person.post<{ error: { code: string } }>('/v2/media-jobs', {
      mediaJob: {
        uploadRequestId: second._id,
        mediaJobTaskRequests: [
          {
            mediaJobTaskPresetSlug: 'tube-cut',
            payload: {
              targetDuration: 0,
              introMediaAssetIds: Array.from({ length: 5 }, () => named.body.mediaAsset._id),
              outroMediaAssetIds: [],
            },
          },
        ],
      },
    })
    expect([tooLong.status, tooLong.body.error.code]).toEqual([422, 'media-assets/too-long'])
  })
})

describe('music', () => {
  it('OPT-04 a track that is not in the list of the server is refused', async () => {
    const person = (await server.signUp()).client
    await makeClip(join(dir, 'brand.mp4'), 1)
    const brand = await uploadFile(person, join(dir, 'brand.mp4'), { purpose: 'media-asset' })
    const named = await person.post<{ mediaAsset: { _id: string } }>('/v1/media-assets', {
      mediaAsset: { uploadRequestId: brand._id, name: 'Brand' },
    })
    const asset = named.body.mediaAsset._id
    await isValid(person, brand._id)
    const upload = await uploadFile(person, join(dir, 'clip.mp4'))
    const payload = {
      introBrandLogoVideoMediaAssetId: asset,
      outroBrandLogoVideoMediaAssetId: asset,
      musicTrackId: asset,
    }
    const unknown = await person.post<{ error: { code: string } }>('/v2/media-jobs', {
      mediaJob: {
        uploadRequestId: upload._id,
        mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'team-skeet-trailer', payload }],
      },
    })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'music-tracks/not-found'])
  })
})

it('JOB-08 nothing in this file ended in an unexpected failure', () => {
  expect(
    server.logged
      .filter(({ level }) => level === 'error')
      .map((line) => JSON.stringify(line).slice(0, 600)),
  ).toEqual([])
})
