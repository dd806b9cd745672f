import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attestation, balance, fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { freeBox, makePaddedMovie } from '#tests/setup/padded-movie.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, type UploadRequest } from '#tests/setup/upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'

type Order = components['schemas']['Order']
type ErrorBody = components['schemas']['Error']

const MIB = 1024 ** 2
const BY_LENGTH = [
  { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@name' } },
] as const

/** Ten a second, so that a minute of them is checked soon. */
const FEW_PICTURES = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-r',
  '10',
  '-g',
  '10',
  '-pix_fmt',
  'yuv420p',
]

let server: TestServer
let dir: string
/**
 * 61 s, so two started minutes at 20 tokens; three parts of 5 MiB; the index in the first and in
 * the last part.
 */
let indexFirst: Buffer
let indexLast: Buffer
let fragmented: Buffer

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-early-'))
  indexFirst = await makePaddedMovie(join(dir, 'first.mp4'), 61, 'front', 12 * MIB)
  indexLast = await makePaddedMovie(join(dir, 'last.mp4'), 61, 'end', 12 * MIB)
  fragmented = await makePaddedMovie(join(dir, 'spread.mp4'), 61, 'spread', 12 * MIB)
  server = await startTestServer({ env: { ONECUT_PART_SIZE_BYTES: String(5 * MIB) } })
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const place = (client: TestClient, mediaJobId: string) =>
  client.post<{ order: Order } & ErrorBody>('/v1/orders', { order: { mediaJobId, attestation } })

async function putPart(
  client: TestClient,
  upload: UploadRequest,
  bytes: Uint8Array,
  partNumber: number,
): Promise<void> {
  const part = upload.upload.parts[partNumber - 1]
  if (part?.presignedUrl == null) throw new Error(`Part ${partNumber} has no URL`)
  const start = (partNumber - 1) * 5 * MIB
  const answer = await fetch(new URL(part.presignedUrl, client.origin), {
    method: 'PUT',
    body: new Uint8Array(bytes.subarray(start, start + part.partSize)),
  })
  expect(answer.status).toBe(200)
}

async function complete(client: TestClient, id: string, bytes: Uint8Array): Promise<void> {
  const fresh = (await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`))
    .body.uploadRequest
  const parts = await sendParts(client, fresh, bytes)
  expect(
    (await client.patch(`/v1/upload-requests/${id}`, { uploadRequest: { upload: { parts } } }))
      .status,
  ).toBe(200)
}

const check = (id: string): Promise<void> =>
  validateUpload(server.deps, { uploadRequestId: id, signal: AbortSignal.timeout(patience(60)) })

describe('prices by length before the upload is complete', () => {
  it('JOB-04 prices an order with the first part when the index is in front, and the whole file costs the same', async () => {
    const { client } = await server.signUp()
    const upload = await beginUpload(client, indexFirst.length)
    const job = await requestEdits(client, upload._id, BY_LENGTH)
    expect(await place(client, job._id)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/metadata-pending' } },
    })
    await putPart(client, upload, indexFirst, 2)
    expect((await place(client, job._id)).status).toBe(409)
    await putPart(client, upload, indexFirst, 1)
    expect((await place(client, job._id)).body.order).toMatchObject({
      status: 'open',
      lineItemsTotalCoinAmount: 40,
    })
    await payFor(client, job._id)
    expect(await balance(client)).toBe(960)

    await complete(client, upload._id, indexFirst)
    await check(upload._id)
    expect(await fetchJob(client, job._id)).toMatchObject({
      isMediaWorkflowStarted: true,
      isUploadRequestValidated: true,
      tasks: [{ status: 'created' }],
    })
    expect(await balance(client)).toBe(960)
  })

  it('JOB-04 needs the last part where the index is at the end, and the whole file where it tells no length before', async () => {
    const { client } = await server.signUp()
    const upload = await beginUpload(client, indexLast.length)
    const job = await requestEdits(client, upload._id, BY_LENGTH)
    await putPart(client, upload, indexLast, 1)
    expect((await place(client, job._id)).status).toBe(409)
    await putPart(client, upload, indexLast, upload.upload.parts.length)
    expect((await place(client, job._id)).body.order.lineItemsTotalCoinAmount).toBe(40)

    const live = await beginUpload(client, fragmented.length)
    const liveJob = await requestEdits(client, live._id, BY_LENGTH)
    await putPart(client, live, fragmented, 1)
    expect((await place(client, liveJob._id)).status).toBe(409)
    await complete(client, live._id, fragmented)
    // At once: not when the whole check is over.
    expect((await place(client, liveJob._id)).body.order.lineItemsTotalCoinAmount).toBe(40)
  })

  it('JOB-04 prices an order with the first part of a Matroska file whose head says its length', async () => {
    // A `Void` element behind the segment, which readers skip.
    const bytes = Buffer.concat([
      await matroska(),
      Buffer.from('ec01', 'hex'),
      Buffer.from((12 * MIB).toString(16).padStart(14, '0'), 'hex'),
      Buffer.alloc(12 * MIB),
    ])
    const { client } = await server.signUp()
    const upload = await beginUpload(client, bytes.length, { name: 'recording.mkv' })
    const job = await requestEdits(client, upload._id, BY_LENGTH)
    await putPart(client, upload, bytes, 1)
    const { order } = (await place(client, job._id)).body
    expect(order.lineItemsTotalCoinAmount).toBe(40)
    await complete(client, upload._id, bytes)
    await check(upload._id)
    expect(
      (await client.get<{ order: Order }>(`/v1/orders/${order._id}`)).body.order
        .remainingPayableCoinAmount,
    ).toBe(40)
    expect((await fetchJob(client, job._id)).isUploadRequestValidated).toBe(true)
  })

  it('JOB-04 a part that was sent again with another length: an unpaid order is repriced, a paid one gives all back', async () => {
    await makeClip(join(dir, 'short.mp4'), 20, { size: '128x72' })
    const short = await readFile(join(dir, 'short.mp4'))
    const pretended = Buffer.concat([short, freeBox(indexFirst.length - short.length)])
    const { client } = await server.signUp()
    for (const isPaid of [false, true]) {
      const upload = await beginUpload(client, indexFirst.length)
      const job = await requestEdits(client, upload._id, BY_LENGTH)
      await putPart(client, upload, pretended, 1)
      const { order } = (await place(client, job._id)).body
      expect(order.lineItemsTotalCoinAmount).toBe(20)
      if (isPaid) await payFor(client, job._id)
      await putPart(client, upload, indexFirst, 1)
      await complete(client, upload._id, indexFirst)
      await check(upload._id)
      const after = (await client.get<{ order: Order }>(`/v1/orders/${order._id}`)).body.order
      expect(await balance(client)).toBe(1000)
      if (!isPaid) {
        expect(after).toMatchObject({ status: 'open', remainingPayableCoinAmount: 40 })
        continue
      }
      expect(after).toMatchObject({
        status: 'canceled',
        paidTotalCoinAmount: 20,
        refundedTotalCoinAmount: 20,
        remainingPayableCoinAmount: 0,
      })
      expect(await fetchJob(client, job._id)).toMatchObject({
        isMediaWorkflowStarted: false,
        tasks: [{ status: 'failed', errorMessage: expect.stringContaining('different length') }],
      })
      const again = await requestEdits(client, upload._id, BY_LENGTH)
      expect(again._id).not.toBe(job._id)
      expect((await place(client, again._id)).body.order.lineItemsTotalCoinAmount).toBe(40)
    }
  })

  it('TRU-01 a header that claims one minute buys no second one: the packets are measured before work starts', async () => {
    const bytes = await matroska()
    // Eight bytes of the header (RFC 9559, `Duration`).
    bytes.writeDoubleBE(9000, bytes.indexOf(Buffer.from('448988', 'hex')) + 3)
    const { client } = await server.signUp()
    const upload = await beginUpload(client, bytes.length, { name: 'claims.mkv' })
    const job = await requestEdits(client, upload._id, BY_LENGTH)
    await complete(client, upload._id, bytes)
    const { order } = (await place(client, job._id)).body
    expect(order.lineItemsTotalCoinAmount).toBe(20)
    await payFor(client, job._id)
    await check(upload._id)
    expect(await balance(client)).toBe(1000)
    expect(await fetchJob(client, job._id)).toMatchObject({
      isMediaWorkflowStarted: false,
      tasks: [{ status: 'failed', errorMessage: expect.stringContaining('different length') }],
    })
    const again = await requestEdits(client, upload._id, BY_LENGTH)
    expect((await place(client, again._id)).body.order.lineItemsTotalCoinAmount).toBe(40)
  })

  it('JOB-04 refuses to mask the voice of a video without sound as soon as its index is here, before anything is paid', async () => {
    const silent = await makeSilent()
    const voice = { mediaJobTaskPresetSlug: 'voice-mask-full-scene' } as const
    const { client } = await server.signUp()
    const upload = await beginUpload(client, silent.length)
    const job = await requestEdits(client, upload._id, [voice])
    expect(await place(client, job._id)).toMatchObject({
      status: 409,
      body: { error: { code: 'orders/metadata-pending' } },
    })
    await putPart(client, upload, silent, 1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(client, job._id)))
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: {
            code: 'presets/needs-sound',
            message: expect.stringContaining('no sound, which "Voice Mask" needs'),
          },
        },
      })
    expect(
      await client.post('/v2/media-jobs', {
        mediaJob: { uploadRequestId: upload._id, mediaJobTaskRequests: [voice] },
      }),
    ).toMatchObject({ status: 422, body: { error: { code: 'presets/needs-sound' } } })
    expect(await balance(client)).toBe(1000)
    // Other edits of the same upload are not touched by it.
    const other = await requestEdits(client, upload._id, BY_LENGTH)
    expect((await place(client, other._id)).body.order.lineItemsTotalCoinAmount).toBe(40)
  })

  it('JOB-04 takes no tokens for a voice mask when the whole file turns out to have no sound', async () => {
    const silent = await makeSilent()
    const withSound = Buffer.concat([indexFirst.subarray(0, 5 * MIB), silent.subarray(5 * MIB)])
    const { client } = await server.signUp()
    const upload = await beginUpload(client, silent.length)
    const job = await requestEdits(client, upload._id, [
      { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
    ])
    await putPart(client, upload, withSound, 1)
    const { order } = (await place(client, job._id)).body
    expect(order).toMatchObject({ status: 'open' })
    // The same part again, now of the silent video.
    await putPart(client, upload, silent, 1)
    await complete(client, upload._id, silent)
    await check(upload._id)
    const wallet = (await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body.wallets[0]
    const paid = await client.post(`/v1/payments/orders/${order._id}/wallet-coin-transactions`, {
      walletCoinTransaction: {
        walletId: wallet?._id,
        coinAmount: order.remainingPayableCoinAmount,
      },
      idempotencyKey: crypto.randomUUID(),
    })
    expect(paid).toMatchObject({ status: 422, body: { error: { code: 'presets/needs-sound' } } })
    expect(await balance(client)).toBe(1000)
  })
})

/** The packets of `indexFirst` in a Matroska file. */
const matroska = async (): Promise<Buffer> =>
  await readFile(
    await keptClip('recording.mkv', ['-i', join(dir, 'first.mp4'), ...'-c copy'.split(' ')]),
  )

/** As long and as large as `indexFirst`, its index in front as well, but without sound. */
async function makeSilent(): Promise<Buffer> {
  const path = join(dir, 'silent.mp4')
  await makeClip(path, 61, {
    size: '128x72',
    sound: false,
    output: [...FEW_PICTURES, '-movflags', '+faststart'],
  })
  const bytes = await readFile(path)
  return Buffer.concat([bytes, freeBox(indexFirst.length - bytes.length)])
}
