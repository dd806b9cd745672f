import { attestation } from '#tests/setup/order.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeClip } from '#tests/setup/media.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'
import { runTool } from '#tests/setup/run-tool.ts'

interface Refusal {
  readonly error: {
    readonly message: string
    readonly code: string
    readonly fields?: Record<string, string>
    readonly missingPartNumbers?: number[]
  }
}
const MIB = 1024 ** 2
const unknownId = '0197a3f2-7c1e-7b90-a111-5d2c8e4f0aff'
let server: TestServer
let client: TestClient
let clip: Uint8Array
let withIndexLast: Uint8Array
let nothing: Uint8Array
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-bad-'))
  await makeClip(join(folder, 'clip.mp4'), 12)
  await makeClip(join(folder, 'index-last.mp4'), 3, {
    output: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  })
  await runTool('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=25',
    '-frames:v',
    '1',
    '-c:v',
    'libx264',
    join(folder, 'nothing.mp4'),
  ])
  clip = new Uint8Array(await readFile(join(folder, 'clip.mp4')))
  withIndexLast = new Uint8Array(await readFile(join(folder, 'index-last.mp4')))
  nothing = new Uint8Array(await readFile(join(folder, 'nothing.mp4')))
  await rm(folder, { recursive: true })
  server = await startTestServer({ isWorker: true })
  ;({ client } = await server.signUp())
})
afterAll(async () => {
  await server.stop()
})

const begin = (metadata: unknown) =>
  client.post<Refusal>('/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: crypto.randomUUID(),
      upload: { provider: 's3-multipart', metadata },
    },
  })
const complete = (id: string, parts: unknown) =>
  client.patch<Refusal & { uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`, {
    uploadRequest: { upload: { parts } },
  })
const said = ({ status, body }: TestAnswer<Refusal>) => [
  status,
  body.error.code,
  body.error.message,
]

async function verdictOn(bytes: Uint8Array): Promise<UploadRequest> {
  const { _id } = await uploadBytes(client, bytes, { name: 'holiday.mp4' })
  return await vi.waitFor(
    async () => {
      const answer = await client.get<{ uploadRequest: UploadRequest }>(
        `/v1/upload-requests/${_id}/metadata`,
      )
      if (answer.status !== 200) throw new Error('still being checked')
      return answer.body.uploadRequest
    },
    { timeout: patience(30), interval: 50 },
  )
}

describe('files that are no video', () => {
  it('UPL-08 an empty file and one of 51 GB are refused before a byte is sent', async () => {
    expect(said(await begin({ clientFilename: 'a.mp4', clientFileSize: 0 }))).toEqual([
      422,
      'request/invalid',
      'This file is empty. Please choose another one.',
    ])
    expect(said(await begin({ clientFilename: 'a.mp4', clientFileSize: 51 * 1024 ** 3 }))).toEqual([
      422,
      'uploads/too-large',
      'This file is too large. You can upload files of up to 50 GB.',
    ])
  })

  it.each([
    [
      'text that is called .mp4',
      () => new TextEncoder().encode('Dear diary. '.repeat(400)),
      'This is not a video file. Please choose another file.',
    ],
    [
      'a copy without its index',
      () => withIndexLast.subarray(0, withIndexLast.length / 2),
      'The file ends early: its index is missing. Please export or copy it again, then upload the new file.',
    ],
    [
      'a copy that broke off before its middle',
      // Less than half: half of a video and more is better than none.
      () => clip.subarray(0, clip.length * 0.45),
      'The file ends early, so part of the video is missing. Please export or copy it again, then upload the new file.',
    ],
    [
      'a video of one frame',
      () => nothing,
      'This video is too short to edit. Please export it again, or choose another file.',
    ],
  ])('UPL-12 %s is refused with words that say what to do', async (_title, bytes, words) => {
    expect(await verdictOn(bytes())).toMatchObject({
      state: 'failed',
      isValidated: false,
      failureReason: words,
    })
  })

  it('UPL-12 after all of them a real video is taken', async () => {
    expect(await verdictOn(clip)).toMatchObject({
      state: 'validated',
      isValidated: true,
      failureReason: null,
    })
  })
})

describe('wrong calls', () => {
  it('UPL-09 a part of a wrong size is refused and the right one then counts', async () => {
    const upload = await beginUpload(client, 1000)
    const url = new URL(upload.upload.parts[0]?.presignedUrl ?? '', server.origin)
    for (const length of [0, 999, 1001]) {
      const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(length) })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: { code: 'parts/wrong-size', message: 'This part must have exactly 1000 bytes.' } },
      ])
    }
    expect(
      (await complete(upload._id, await sendParts(client, upload, new Uint8Array(1000)))).status,
    ).toBe(200)
  })

  it('UPL-10 a wrong ETag or part number at completion loses nothing', async () => {
    const bytes = new Uint8Array(20 * MIB)
    const upload = await beginUpload(client, bytes.length)
    const parts = await sendParts(client, upload, bytes)
    const wrong = await complete(upload._id, [parts[0], { partNumber: 2, eTag: 'not-it' }])
    expect([...said(wrong), wrong.body.error.missingPartNumbers]).toEqual([
      409,
      'uploads/parts-missing',
      '1 of 2 parts are not here yet. They will be sent again.',
      [2],
    ])
    expect(said(await complete(upload._id, [...parts, { partNumber: 3, eTag: 'x' }]))).toEqual([
      422,
      'request/invalid',
      'This upload has 2 parts.',
    ])
    expect((await complete(upload._id, parts)).body.uploadRequest.state).toBe('completed')
  })

  it.each([
    ['GET', `/v1/upload-requests/${unknownId}`, undefined, 'Upload request not found.'],
    [
      'PATCH',
      `/v1/upload-requests/${unknownId}`,
      { uploadRequest: { upload: { parts: [{ partNumber: 1, eTag: 'x' }] } } },
      'Upload request not found.',
    ],
    [
      'POST',
      '/v2/media-jobs',
      {
        mediaJob: {
          uploadRequestId: unknownId,
          mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
        },
      },
      'Upload request not found.',
    ],
    ['POST', '/v1/orders', { order: { mediaJobId: unknownId, attestation } }, 'Edit not found.'],
    ['GET', '/v1/orders/not-an-id', undefined, 'There is nothing here.'],
  ])('JOB-08 %s %s: an id that unknownId has is 404', async (method, path, body, words) => {
    const answer = await client.call<Refusal>(method, path, body === undefined ? {} : { body })
    expect([answer.status, answer.body.error.message]).toEqual([404, words])
  })

  it('JOB-01 a body that is no JSON, of another type or too large says so', async () => {
    expect(said(await client.post<Refusal>('/v1/orders', '{"order":'))).toEqual([
      400,
      'request/malformed-json',
      'The request could not be read: its body is not valid JSON.',
    ])
    expect(
      said(
        await client.post<Refusal>('/v1/orders', 'order=1', {
          headers: { 'content-type': 'text/plain' },
        }),
      ),
    ).toEqual([415, 'request/unsupported-media-type', 'Send the body as application/json.'])
    expect(
      said(
        await client.post<Refusal>('/v1/orders', JSON.stringify({ order: 'x'.repeat(2 * MIB) })),
      ),
    ).toEqual([
      413,
      'request/too-large',
      'This request is larger than 16 KiB, which is the most that this call takes.',
    ])
    expect(said(await client.post<Refusal>('/v1/orders', []))).toEqual([
      422,
      'request/invalid',
      'Some of the input could not be accepted (body must be an object).',
    ])
  })

  it('JOB-01 text that no database can hold does not break a call', async () => {
    const odd = 'a\0b\ud800c'
    const upload = await beginUpload(client, 10, {
      name: `${odd}.mp4`,
      key: `key-${odd}-${crypto.randomUUID()}`,
    })
    expect(upload.upload.metadata.clientFilename).toBe('ab\ufffdc.mp4')
    const ask = (task: unknown) =>
      client.post<{ mediaJob: { name: string } }>('/v2/media-jobs', {
        mediaJob: { uploadRequestId: upload._id, name: odd, mediaJobTaskRequests: [task] },
      })
    const answer = await ask({
      mediaJobTaskPresetSlug: 'dynamic-watermark',
      payload: { text: odd },
    })
    expect([answer.status, answer.body.mediaJob.name]).toEqual([201, 'ab\ufffdc'])
    expect((await client.get('/v1/media-jobs/paginated?name=a%00b')).status).toBe(200)
    expect(
      (await client.get(`/v1/media-jobs/paginated?cursor=${encodeURIComponent('\0')}`)).status,
    ).toBe(422)
  })

  it('JOB-08 none of this was an error of the server', () => {
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
