import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadParts, uploadRequests } from '#server/db/schema.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
const MIB = 1024 ** 2
const body = new Uint8Array(randomBytes(40 * MIB))
interface Answer {
  readonly uploadRequest: UploadRequest
  readonly error?: { code: string; message: string; missingPartNumbers?: number[] }
}

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
})

interface PartUrlsAnswer extends Answer {
  readonly parts: UploadRequest['upload']['parts']
  readonly urlsExpireAt: string | null
}
const askForUrls = async (
  id: string,
  partNumbers: readonly number[],
  more: { readonly lifetimeSeconds?: number } = {},
) =>
  await me.client.post<PartUrlsAnswer>(`/v1/upload-requests/${id}/part-urls`, {
    partNumbers,
    ...more,
  })
const complete = async (
  id: string,
  parts: readonly { partNumber: number; eTag: string; checksumSha256?: string }[],
) =>
  await me.client.patch<Answer>(`/v1/upload-requests/${id}`, {
    uploadRequest: { upload: { parts } },
  })
const fetchUpload = async (id: string): Promise<UploadRequest> =>
  (await me.client.get<Answer>(`/v1/upload-requests/${id}`)).body.uploadRequest

describe('creating', () => {
  it('UPL-08 plans parts that tile the file and answers every field', async () => {
    const upload = await beginUpload(me.client, body.length)
    expect(upload).toMatchObject({
      state: 'open',
      isValidated: false,
      uploadEndedAt: null,
      metadataProcessedAt: null,
      upload: {
        provider: 's3-multipart',
        metadata: { clientFilename: 'beach day.mp4', clientFileSize: body.length },
      },
    })
    expect(upload.upload.parts.map((part) => [part.partNumber, part.partSize])).toEqual([
      [1, 16 * MIB],
      [2, 16 * MIB],
      [3, 8 * MIB],
    ])
    expect(
      upload.upload.parts.every((part) => part.presignedUrl?.startsWith('/editors/api/v1/parts/')),
    ).toBe(true)
  })

  it('NOW-02 notes which stretch of a file is sent, and says it to every device', async () => {
    const trim = { fromMs: 40_000, toMs: 1_870_000, wholeFileSize: 25_000_000_000 }
    const idempotencyKey = `key-${crypto.randomUUID()}`
    const begin = async (said: typeof trim) =>
      await me.client.post<Answer>('/v2/upload-requests', {
        uploadRequest: {
          idempotencyKey,
          upload: {
            provider: 's3-multipart',
            metadata: { clientFilename: 'a.mp4', clientFileSize: 1000 },
            trim: said,
          },
        },
      })
    const begun = await begin(trim)
    expect(begun.body.uploadRequest.upload.trim).toEqual(trim)
    expect((await fetchUpload(begun.body.uploadRequest._id)).upload.trim).toEqual(trim)
    expect((await begin({ ...trim, toMs: 99_000 })).status).toBe(409)
    expect((await begin({ ...trim, toMs: 40_000 })).body.error?.code).toBe('request/invalid')
    expect((await beginUpload(me.client, 1000)).upload.trim).toBeNull()
  })

  it('UPL-08 the same key gives the same upload, another file under it is 409', async () => {
    const key = `key-${crypto.randomUUID()}`
    const request = (clientFileSize: number) => ({
      uploadRequest: {
        idempotencyKey: key,
        upload: { provider: 's3-multipart', metadata: { clientFilename: 'a.mp4', clientFileSize } },
      },
    })
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await me.client.post<Answer>('/v2/upload-requests', request(5))),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 201])
    expect(new Set(answers.map((answer) => answer.body.uploadRequest._id)).size).toBe(1)
    const other = await me.client.post<Answer>('/v2/upload-requests', request(6))
    expect([other.status, other.body.error?.code]).toEqual([409, 'request/idempotency-conflict'])
  })

  it.each([
    ['nothing', { clientFilename: 'a.mp4', clientFileSize: 0 }, 's3-multipart', 422],
    [
      'more than 50 GiB',
      { clientFilename: 'a.mp4', clientFileSize: 50 * 1024 ** 3 + 1 },
      's3-multipart',
      422,
    ],
    [
      'more than one part can hold',
      { clientFilename: 'a.mp4', clientFileSize: 5 * 1024 ** 3 + 1 },
      's3-singlepart',
      422,
    ],
    ['a document', { clientFilename: 'notes.pdf', clientFileSize: 10 }, 's3-multipart', 422],
    ['a picture', { clientFilename: 'photo.JPG', clientFileSize: 10 }, 's3-multipart', 422],
  ])('UPL-08 %s is refused with a reason', async (_title, metadata, provider, status) => {
    const answer = await me.client.post<{ error: { message: string } }>('/v2/upload-requests', {
      uploadRequest: { idempotencyKey: crypto.randomUUID(), upload: { provider, metadata } },
    })
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toMatch(/\w/)
  })

  it('UPL-11 a file of another type is refused by the words of its provider, and its field says what to do', async () => {
    const metadata = { clientFilename: 'video.zip', clientFileSize: 10 }
    const answer = await me.client.post<{ error: { message: string; fields: object } }>(
      '/v2/upload-requests',
      {
        uploadRequest: {
          idempotencyKey: crypto.randomUUID(),
          upload: { provider: 's3-multipart', metadata },
        },
      },
    )
    expect(answer.body.error).toMatchObject({
      message: 'Invalid file type for S3 multipart upload.',
      fields: {
        'uploadRequest.upload.metadata.clientFilename': 'Only video files are accepted',
      },
    })
  })

  it('UPL-11 an import that this server cannot make is refused', async () => {
    const answer = await me.client.post<Answer>('/v2/upload-requests', {
      uploadRequest: {
        idempotencyKey: crypto.randomUUID(),
        upload: {
          provider: 'dropbox-chooser-single-file',
          dropboxFileId: 'id:abc',
          directLink: 'https://dl.dropboxusercontent.com/a.mp4',
          metadata: { clientFilename: 'a.mp4', clientFileSize: 10 },
        },
      },
    })
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'uploads/provider-not-offered'])
    expect(answer.body.error?.message).toMatch(/^Invalid upload provider\. /)
  })

  it('UPL-08 a path in the name is dropped', async () => {
    expect(
      (await beginUpload(me.client, 5, { name: 'C:\\Users\\me\\..\\film\u0000.mp4' })).upload
        .metadata.clientFilename,
    ).toBe('film.mp4')
  })
})

describe('resuming and completing', () => {
  it('UPL-09 a client that knows only the id goes on where it stopped', async () => {
    const begun = await beginUpload(me.client, body.length)
    await sendParts(
      me.client,
      { ...begun, upload: { ...begun.upload, parts: begun.upload.parts.slice(0, 1) } },
      body,
    )
    const resumed = await fetchUpload(begun._id)
    expect(resumed.upload.parts.map((part) => [part.size, part.presignedUrl === null])).toEqual([
      [16 * MIB, true],
      [null, false],
      [null, false],
    ])
    expect(resumed.receivedBytes).toBe(16 * MIB)
    const parts = await sendParts(me.client, resumed, body)
    const done = await complete(begun._id, parts)
    expect([
      done.status,
      done.body.uploadRequest.state,
      typeof done.body.uploadRequest.uploadEndedAt,
    ]).toEqual([200, 'completed', 'string'])
    const [row] = await server.deps.db
      .select()
      .from(uploadRequests)
      .where(eq(uploadRequests.id, begun._id))
    const stored = await buffer(await server.deps.store.read(row?.objectKey ?? ''))
    expect(createHash('sha256').update(stored).digest('hex')).toBe(
      createHash('sha256').update(body).digest('hex'),
    )
  })

  it('UPL-10 missing and wrong parts are named, nothing is lost, and repeating is harmless', async () => {
    const begun = await beginUpload(me.client, body.length)
    const parts = await sendParts(me.client, begun, body)
    const wrong = await complete(begun._id, [parts[0]!, { ...parts[1]!, eTag: 'f'.repeat(64) }])
    expect([wrong.status, wrong.body.error?.code, wrong.body.error?.missingPartNumbers]).toEqual([
      409,
      'uploads/parts-missing',
      [2, 3],
    ])
    const [first, second] = await Promise.all([
      complete(begun._id, parts),
      complete(begun._id, parts),
    ])
    expect([first.status, second.status]).toEqual([200, 200])
    expect((await complete(begun._id, parts)).body.uploadRequest.uploadEndedAt).toBe(
      first.body.uploadRequest.uploadEndedAt,
    )
    // A device that missed the answer asks again after the check: that is not made again.
    await server.deps.db
      .update(uploadRequests)
      .set({ state: 'validated' })
      .where(eq(uploadRequests.id, begun._id))
    expect((await complete(begun._id, parts)).body.uploadRequest.state).toBe('validated')
  })

  it('SAF-04 bytes of parts that broke off count as received, once, so that every device goes on behind them', async () => {
    const begun = await beginUpload(me.client, body.length)
    const part = body.subarray(0, 16 * MIB)
    const send = async (from: number, to: number): Promise<number> => {
      const url = new URL(begun.upload.parts[0]?.presignedUrl ?? '', me.client.origin)
      const answer = await fetch(url, {
        method: 'PATCH',
        headers: {
          'x-amz-checksum-sha256': createHash('sha256').update(part).digest('base64'),
          'upload-offset': String(from),
        },
        body: part.slice(from, to),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const received = async () => {
      const { receivedBytes, lastReceivedAt } = await fetchUpload(begun._id)
      const listed = await me.client.get<{ uploadRequests: UploadRequest[] }>('/v1/upload-requests')
      expect(listed.body.uploadRequests.find(({ _id }) => _id === begun._id)).toMatchObject({
        receivedBytes,
        lastReceivedAt,
      })
      return [receivedBytes, lastReceivedAt !== null]
    }
    expect(await received()).toEqual([0, false])
    expect(await send(0, 5 * MIB)).toBe(204)
    expect(await received()).toEqual([5 * MIB, true])
    expect(await send(5 * MIB, 16 * MIB)).toBe(200)
    expect(await received()).toEqual([16 * MIB, true])
  })

  it('SAF-02 a completed upload proves its bytes by the checksums of its parts', async () => {
    const begun = await beginUpload(me.client, body.length)
    expect([begun.upload.checksumSha256, begun.lastReceivedAt]).toEqual([null, null])
    const parts = await sendParts(me.client, begun, body)
    const digests = [
      [0, 16],
      [16, 32],
      [32, 40],
    ].map(([start = 0, end]) =>
      createHash('sha256')
        .update(body.subarray(start * MIB, (end ?? 0) * MIB))
        .digest(),
    )
    const sent = await fetchUpload(begun._id)
    expect([sent.upload.parts.map((part) => part.checksumSha256), sent.lastReceivedAt]).toEqual([
      digests.map((digest) => digest.toString('base64')),
      new Date(now).toISOString(),
    ])
    const wrong = await complete(
      begun._id,
      parts.map((part) => ({ ...part, checksumSha256: digests[1]!.toString('base64') })),
    )
    expect([wrong.body.error?.code, wrong.body.error?.missingPartNumbers]).toEqual([
      'uploads/parts-missing',
      [1, 3],
    ])
    expect((await fetchUpload(begun._id)).upload.checksumSha256).toBe(null)
    const done = await complete(begun._id, parts)
    const whole = `${createHash('sha256').update(Buffer.concat(digests)).digest('base64')}-3`
    expect(done.body.uploadRequest.upload.checksumSha256).toBe(whole)
    expect((await complete(begun._id, parts)).body.uploadRequest.upload.checksumSha256).toBe(whole)
    const listed = await me.client.get<{ uploadRequests: UploadRequest[] }>('/v1/upload-requests')
    expect(
      listed.body.uploadRequests.find(({ _id }) => _id === begun._id)?.upload.checksumSha256,
    ).toBe(whole)
  })

  it('REC-08 each upload has a secret of its own, which no answer holds', async () => {
    const two = [await beginUpload(me.client, 1000), await beginUpload(me.client, 1000)]
    const secrets = await Promise.all(
      two.map(async ({ _id }) => {
        const [row] = await server.deps.db
          .select({ secret: uploadRequests.secret })
          .from(uploadRequests)
          .where(eq(uploadRequests.id, _id))
        return row?.secret ?? ''
      }),
    )
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(secrets).size).toBe(2)
    const answers = JSON.stringify([
      two,
      await fetchUpload(two[0]!._id),
      (await me.client.get('/v1/upload-requests')).body,
      (await me.client.get('/v1/user')).body,
    ])
    for (const secret of secrets) expect(answers).not.toContain(secret)
  })

  it('UPL-10 10,000 parts with their checksums can be named', async () => {
    const begun = await beginUpload(me.client, 1000)
    const parts = Array.from({ length: 10_000 }, (_, index) => ({
      partNumber: index + 1,
      eTag: 'a'.repeat(64),
      checksumSha256: `${'A'.repeat(43)}=`,
    }))
    const { status, body: answer } = await complete(begun._id, parts)
    expect([status, answer.error?.code]).toEqual([422, 'request/invalid'])
  })

  it('UPL-10 a part that comes after the completion changes nothing', async () => {
    const begun = await beginUpload(me.client, 1000)
    await uploadThe(begun, body.slice(0, 1000))
    const late = await fetch(new URL(begun.upload.parts[0]?.presignedUrl ?? '', server.origin), {
      method: 'PUT',
      body: body.slice(1000, 2000),
    })
    expect(late.status).toBe(404)
    const [row] = await server.deps.db
      .select()
      .from(uploadRequests)
      .where(eq(uploadRequests.id, begun._id))
    expect(
      (await buffer(await server.deps.store.read(row?.objectKey ?? ''))).equals(
        body.slice(0, 1000),
      ),
    ).toBe(true)
    expect(
      await server.deps.db
        .select()
        .from(uploadParts)
        .where(eq(uploadParts.uploadRequestId, begun._id)),
    ).toHaveLength(1)
  })

  it('UPL-12 metadata is 202 until the file was measured', async () => {
    const upload = await uploadBytes(me.client, body.slice(0, 100))
    expect((await me.client.get(`/v1/upload-requests/${upload._id}/metadata`)).status).toBe(202)
    await server.deps.db
      .update(uploadRequests)
      .set({
        state: 'failed',
        failureReason: 'This is not a video file.',
        failureCode: 'unreadable',
      })
      .where(eq(uploadRequests.id, upload._id))
    const measured = await me.client.get<Answer>(`/v1/upload-requests/${upload._id}/metadata`)
    const { failureReason, receivedBytes, upload: seen } = measured.body.uploadRequest
    expect([measured.status, failureReason, receivedBytes]).toEqual([
      200,
      'This is not a video file.',
      100,
    ])
    expect(seen.parts, 'an answer that is asked for again and again is small').toEqual([])
  })
})

describe('part URLs on demand', () => {
  it('UPL-09 come for the parts that are asked for, in order, stored ones too', async () => {
    const begun = await beginUpload(me.client, body.length)
    await sendParts(
      me.client,
      { ...begun, upload: { ...begun.upload, parts: begun.upload.parts.slice(0, 1) } },
      body,
    )
    const { status, body: answer } = await askForUrls(begun._id, [3, 1])
    expect([status, answer.urlsExpireAt]).toEqual([200, new Date(now + 3_600_000).toISOString()])
    expect(answer.parts.map((part) => [part.partNumber, part.partSize, part.size])).toEqual([
      [1, 16 * MIB, 16 * MIB],
      [3, 8 * MIB, null],
    ])
    const put = await fetch(new URL(answer.parts[1]?.presignedUrl ?? '', server.origin), {
      method: 'PUT',
      body: body.subarray(32 * MIB),
    })
    expect([put.status, put.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const stored = await askForUrls(begun._id, [3])
    expect(stored.body.parts[0]?.eTag).toBe(put.headers.get('etag')?.replaceAll('"', ''))
    const replaced = await fetch(new URL(stored.body.parts[0]?.presignedUrl ?? '', server.origin), {
      method: 'PUT',
      body: body.subarray(0, 8 * MIB),
    })
    expect(replaced.status).toBe(200)
    const other = await askForUrls(begun._id, [3])
    expect(other.body.parts[0]?.eTag).toBe(replaced.headers.get('etag')?.replaceAll('"', ''))
    expect(other.body.parts[0]?.eTag).not.toBe(stored.body.parts[0]?.eTag)
  })

  it('SAF-06 can be good for a day, for a browser that sends on its own', async () => {
    const begun = await beginUpload(me.client, 1000)
    const lifeS = 24 * 3600
    const usual = await askForUrls(begun._id, [1])
    const { body: answer } = await askForUrls(begun._id, [1], { lifetimeSeconds: lifeS })
    expect(answer.urlsExpireAt).toBe(new Date(now + lifeS * 1000).toISOString())
    const begunAt = now
    const put = async ({ parts }: PartUrlsAnswer): Promise<number> => {
      const url = new URL(parts[0]?.presignedUrl ?? '', server.origin)
      return (await fetch(url, { method: 'PUT', body: body.subarray(0, 1000) })).status
    }
    try {
      now = begunAt + (lifeS - 1) * 1000
      expect(await put(usual.body)).toBe(403)
      expect(await put(answer)).toBe(200)
      now = begunAt + (lifeS + 1) * 1000
      expect(await put(answer)).toBe(403)
    } finally {
      now = begunAt
    }
  })

  it('UPL-09 are all that a long upload needs beside its first 49 parts and its last', async () => {
    const begun = await beginUpload(me.client, 2000 * MIB)
    const numbers = begun.upload.parts.map((part) => part.partNumber)
    const first49 = Array.from({ length: 49 }, (_, index) => index + 1)
    expect([begun.upload.partCount, begun.upload.partSize]).toEqual([125, 16 * MIB])
    expect(numbers).toEqual([...first49, 125])
    expect(begun.upload.parts.every((part) => part.presignedUrl !== null)).toBe(true)

    const { body: answer } = await askForUrls(begun._id, [60])
    const put = await fetch(new URL(answer.parts[0]?.presignedUrl ?? '', server.origin), {
      method: 'PUT',
      body: body.subarray(0, 16 * MIB),
    })
    expect(put.status).toBe(200)
    const resumed = await fetchUpload(begun._id)
    expect(resumed.upload.parts.map((part) => part.partNumber)).toEqual([...first49, 60, 125])
    await me.client.delete(`/v1/upload-requests/${begun._id}`)
    const { upload } = await fetchUpload(begun._id)
    expect(upload.parts.filter((part) => part.presignedUrl !== null)).toEqual([])
  })

  it('UPL-09 are refused for parts outside the plan and for uploads that take none', async () => {
    const begun = await beginUpload(me.client, 1000)
    const outside = await askForUrls(begun._id, [1, 2])
    expect([outside.status, outside.body.error]).toEqual([
      422,
      expect.objectContaining({ code: 'request/invalid', message: 'This upload has one part.' }),
    ])
    await uploadThe(begun, body.slice(0, 1000))
    const whole = await askForUrls(begun._id, [1])
    expect([whole.status, whole.body.error?.code]).toEqual([409, 'uploads/not-open'])
    const aborted = await beginUpload(me.client, 1000)
    await me.client.delete(`/v1/upload-requests/${aborted._id}`)
    const gone = await askForUrls(aborted._id, [1])
    expect([gone.status, gone.body.error?.code]).toEqual([409, 'uploads/aborted'])
  })
})

describe('giving up', () => {
  it('UPL-13 an aborted upload takes no parts, leaves the list, and can be aborted again', async () => {
    const person = await newPerson()
    const begun = await beginUpload(person.client, 1000)
    expect((await person.client.delete(`/v1/upload-requests/${begun._id}`)).status).toBe(204)
    expect((await person.client.delete(`/v1/upload-requests/${begun._id}`)).status).toBe(204)
    expect(
      (
        await fetch(new URL(begun.upload.parts[0]?.presignedUrl ?? '', server.origin), {
          method: 'PUT',
          body: body.slice(0, 1000),
        })
      ).status,
    ).toBe(404)
    expect(
      (await person.client.get<{ uploadRequests: unknown[] }>('/v1/upload-requests')).body
        .uploadRequests,
    ).toEqual([])
    expect(
      (await person.client.get<Answer>(`/v1/upload-requests/${begun._id}`)).body.uploadRequest
        .state,
    ).toBe('aborted')
  })

  it('UPL-13 unfinished uploads are reaped 7 days after their last part', async () => {
    const person = await newPerson()
    const idle = await beginUpload(person.client, 40 * MIB)
    const active = await beginUpload(person.client, 40 * MIB)
    const stateOf = async (id: string) =>
      (
        await server.deps.db
          .select({ state: uploadRequests.state })
          .from(uploadRequests)
          .where(eq(uploadRequests.id, id))
      )[0]?.state
    now += 6 * 86_400_000
    const fresh = await person.client.get<Answer>(`/v1/upload-requests/${active._id}`)
    await sendParts(
      person.client,
      {
        ...active,
        upload: { ...active.upload, parts: fresh.body.uploadRequest.upload.parts.slice(0, 1) },
      },
      body,
    )
    now += 2 * 86_400_000
    await sweep(server.deps)
    expect([await stateOf(idle._id), await stateOf(active._id)]).toEqual(['aborted', 'open'])
  })

  it('UPL-08 at most 20 unfinished uploads', async () => {
    const person = await newPerson()
    for (let n = 0; n < 20; n += 1) await beginUpload(person.client, 10)
    await expect(beginUpload(person.client, 10)).rejects.toThrow(/uploads\/too-many-open/)
  })
})

it('UPL-13 pages of own uploads concatenate to the whole list, newest first', async () => {
  const person = await newPerson()
  const made: string[] = []
  for (let n = 0; n < 7; n += 1) made.push((await beginUpload(person.client, 10))._id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { uploadRequests: UploadRequest[]; pagination: { nextCursor: string | null } } = (
      await person.client.get<{
        uploadRequests: UploadRequest[]
        pagination: { nextCursor: string | null }
      }>(`/v1/upload-requests?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
    ).body
    seen.push(...page.uploadRequests.map((upload) => upload._id))
    cursor = page.pagination.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(made.toReversed())
  expect((await person.client.get('/v1/upload-requests?cursor=spoiled')).status).toBe(422)
})

async function newPerson(): Promise<SignedUp> {
  now += 3_700_000
  return await server.signUp()
}

async function uploadThe(begun: UploadRequest, bytes: Uint8Array): Promise<void> {
  expect((await complete(begun._id, await sendParts(me.client, begun, bytes))).status).toBe(200)
}
