import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

const MIB = 1024 ** 2
let server: TestServer
let me: SignedUp
let now = Date.parse('2026-11-21T12:00:00Z')
const bytes = randomBytes(MIB)

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
  me = await server.signUp()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await server.stop()
})

const rowOf = async (id: string): Promise<UploadRow | undefined> =>
  (await server.deps.db.select().from(uploadRequests).where(eq(uploadRequests.id, id)))[0]
const rowOfKey = async (key: string): Promise<UploadRow | undefined> =>
  (
    await server.deps.db.select().from(uploadRequests).where(eq(uploadRequests.idempotencyKey, key))
  )[0]
const complete = async (id: string, parts: readonly { partNumber: number; eTag: string }[]) =>
  await me.client.patch(`/v1/upload-requests/${id}`, { uploadRequest: { upload: { parts } } })

/** The process dies right before or right after the store has done what it was asked for. */
function dieIn(call: 'createMultipart' | 'completeMultipart', when: 'before' | 'after'): void {
  const { store } = server.deps
  const real = store[call].bind(store) as (...given: unknown[]) => Promise<unknown>
  const spy = vi.spyOn(store, call) as unknown as {
    mockImplementationOnce(of: (...given: unknown[]) => Promise<unknown>): void
  }
  spy.mockImplementationOnce(async (...given) => {
    if (when === 'after') await real(...given)
    throw new Error('the process died')
  })
}

describe.each(['before', 'after'] as const)('a crash right %s the call of the store', (when) => {
  it('SCL-04 an upload that was opening is opened by the next call with its key', async () => {
    const key = crypto.randomUUID()
    dieIn('createMultipart', when)
    await expect(beginUpload(me.client, bytes.length, { key })).rejects.toThrow(/answered 500/)
    const left = await rowOfKey(key)
    expect(left).toMatchObject({ state: 'open', storeCall: 'opening' })
    const urls = await me.client.post(`/v1/upload-requests/${left?.id}/part-urls`, {
      partNumbers: [1],
    })
    expect(urls.status).toBe(503)
    // It is not new: its row was made by the call that died.
    await expect(beginUpload(me.client, bytes.length, { key })).rejects.toThrow(/answered 200/)
    const answer = await me.client.get<{ uploadRequest: UploadRequest }>(
      `/v1/upload-requests/${left?.id}`,
    )
    const upload = answer.body.uploadRequest
    const parts = await sendParts(me.client, upload, bytes)
    expect((await complete(upload._id, parts)).status).toBe(200)
    expect(await rowOf(upload._id)).toMatchObject({ state: 'completed', storeCall: null })
  })

  it('SCL-04 an upload that was opening and does not come back is forgotten with its bytes', async () => {
    const key = crypto.randomUUID()
    dieIn('createMultipart', when)
    await expect(beginUpload(me.client, bytes.length, { key })).rejects.toThrow(/answered 500/)
    const left = await rowOfKey(key)
    await reconcile(server.deps)
    expect(await rowOfKey(key)).toMatchObject({ storeCall: 'opening' })
    now += 61_000
    await reconcile(server.deps)
    expect(await rowOfKey(key)).toBeUndefined()
    const path = server.deps.copies.unfinishedPath(planOf(left!))
    await expect(stat(path ?? '')).rejects.toThrow(/ENOENT/)
  })

  it('SCL-04 an upload that was completing takes no other bytes, and is completed by the next call', async () => {
    const upload = await beginUpload(me.client, bytes.length)
    const parts = await sendParts(me.client, upload, bytes)
    dieIn('completeMultipart', when)
    expect((await complete(upload._id, parts)).status).toBe(500)
    expect(await rowOf(upload._id)).toMatchObject({ state: 'open', storeCall: 'completing' })
    const [part] = upload.upload.parts
    const other = await fetch(new URL(part?.presignedUrl ?? '', me.client.origin), {
      method: 'PUT',
      body: new Uint8Array(randomBytes(MIB)),
    })
    expect(other.status).toBe(when === 'before' ? 503 : 404)
    expect((await complete(upload._id, parts)).status).toBe(200)
    expect(await rowOf(upload._id)).toMatchObject({ state: 'completed', storeCall: null })
  })

  it('SCL-04 an upload that was completing is completed without another call', async () => {
    const upload = await beginUpload(me.client, bytes.length)
    const parts = await sendParts(me.client, upload, bytes)
    dieIn('completeMultipart', when)
    expect((await complete(upload._id, parts)).status).toBe(500)
    now += 61_000
    await reconcile(server.deps)
    expect(await rowOf(upload._id)).toMatchObject({ state: 'completed', storeCall: null })
    expect(await server.deps.store.head(planOf((await rowOf(upload._id))!).objectKey)).toEqual({
      sizeBytes: bytes.length,
    })
  })

  it('SCL-04 an upload that was completing and is given up leaves nothing in the store', async () => {
    const upload = await beginUpload(me.client, bytes.length)
    const parts = await sendParts(me.client, upload, bytes)
    dieIn('completeMultipart', when)
    expect((await complete(upload._id, parts)).status).toBe(500)
    expect((await me.client.delete(`/v1/upload-requests/${upload._id}`)).status).toBe(204)
    expect(await server.deps.store.head(`uploads/${upload._id}`)).toBeNull()
    expect(await rowOf(upload._id)).toMatchObject({ state: 'aborted', bytesGoneAt: null })
    now += 3_600_001
    await sweep(server.deps)
    expect((await rowOf(upload._id))?.bytesGoneAt).not.toBeNull()
  })
})

it('SCL-04 a completion that lacks parts takes parts again at once, and after a crash too', async () => {
  const notSent = [{ partNumber: 1, eTag: '0'.repeat(64) }]
  const upload = await beginUpload(me.client, bytes.length)
  expect((await complete(upload._id, notSent)).status).toBe(409)
  expect(await rowOf(upload._id)).toMatchObject({ state: 'open', storeCall: null })
  dieIn('completeMultipart', 'before')
  expect((await complete(upload._id, notSent)).status).toBe(500)
  now += 61_000
  await reconcile(server.deps)
  expect(await rowOf(upload._id)).toMatchObject({ state: 'open', storeCall: null })
  const parts = await sendParts(me.client, upload, bytes)
  expect((await complete(upload._id, parts)).status).toBe(200)
})

it('SCL-04 an upload that was given up while its file was made leaves no file', async () => {
  const upload = await beginUpload(me.client, bytes.length)
  const parts = await sendParts(me.client, upload, bytes)
  const { store } = server.deps
  const real = store.completeMultipart.bind(store)
  vi.spyOn(store, 'completeMultipart').mockImplementationOnce(async (...given) => {
    const made = await real(...given)
    // What was given up before the file was there.
    vi.spyOn(store, 'remove').mockResolvedValue()
    expect((await me.client.delete(`/v1/upload-requests/${upload._id}`)).status).toBe(204)
    vi.mocked(store.remove).mockRestore()
    return made
  })
  expect((await complete(upload._id, parts)).status).toBe(409)
  expect(await store.head(`uploads/${upload._id}`)).toBeNull()
})

it('SCL-04 bytes that could not be deleted are tried again, and are asked for no more once gone', async () => {
  const upload = await uploadBytes(me.client, bytes)
  const { store } = server.deps
  const remove = vi.spyOn(store, 'remove').mockRejectedValueOnce(new Error('the store is away'))
  expect((await me.client.delete(`/v1/upload-requests/${upload._id}`)).status).toBe(500)
  expect(await rowOf(upload._id)).toMatchObject({ state: 'aborted', bytesGoneAt: null })
  await sweep(server.deps)
  expect((await rowOf(upload._id))?.bytesGoneAt).not.toBeNull()
  expect(await store.head(`uploads/${upload._id}`)).toBeNull()
  remove.mockClear()
  await sweep(server.deps)
  expect(remove.mock.calls.flat()).not.toContain(`uploads/${upload._id}`)
})
