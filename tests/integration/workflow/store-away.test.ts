import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobTasks } from '#server/db/schema.ts'
import type { ObjectStore } from '#server/object-store/port.ts'
import { createRenderSlots } from '#server/operations/workflows/slot-work.ts'
import { makeSample } from '#server/operations/processing/samples/make.ts'
import { unavailable } from '#server/problems.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import type { TestAnswer } from '#tests/setup/client.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, paidWatermark } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts } from '#tests/setup/upload.ts'

let server: TestServer
let me: SignedUp
let dir: string
let video: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-away-'))
  await makeClip(join(dir, 'clip.mp4'), 2, { size: '160x90' })
  server = await startTestServer()
  me = await server.signUp()
  video = await checkedUploads(server)(me.client, join(dir, 'clip.mp4'))
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

/** As a bucket's store does while it is away. */
function beAway(...calls: readonly (keyof ObjectStore)[]): void {
  for (const call of calls)
    vi.spyOn(server.deps.store as unknown as Record<string, () => unknown>, call).mockRejectedValue(
      unavailable(),
    )
}

const paid = async () => await paidWatermark(me.client, video)

it('SCL-04 an edit waits for a store that is away, before it begins and with what it has made, and loses no attempt; its download is refused with a time meanwhile', async () => {
  const { jobId, taskId } = await paid()
  const { store } = server.deps
  const isAway = vi.spyOn(store, 'isAway').mockResolvedValueOnce(true).mockResolvedValue(false)
  const putFile = vi.spyOn(store, 'putFile').mockRejectedValueOnce(unavailable())
  const stop = AbortSignal.timeout(patience(60))
  await createRenderSlots(server.deps, { longSlots: 1 }).serve(stop)
  expect(putFile).toHaveBeenCalledTimes(2)
  expect(isAway.mock.calls.length).toBeGreaterThan(2)
  const [row] = await server.deps.db
    .select()
    .from(mediaJobTasks)
    .where(eq(mediaJobTasks.id, taskId))
  expect(row).toMatchObject({ status: 'succeeded', attempt: 1, tries: 0 })
  const file = (await fetchJob(me.client, jobId)).tasks[0]?.outputs[0]
  if (file?.kind !== 'download-button') throw new Error('The edit has no download')
  beAway('head')
  expectRefused(await me.client.get(file.downloadUrl))
  vi.restoreAllMocks()
  expect((await me.client.get(file.downloadUrl)).status).toBe(200)
})

it('SCL-04 an edit that waits for a store that is away ends soon after it was cancelled', async () => {
  const { taskId } = await paid()
  const { db, store } = server.deps
  const isWaiting = Promise.withResolvers<void>()
  vi.spyOn(store, 'isAway').mockImplementation(async () => {
    isWaiting.resolve()
    return true
  })
  vi.spyOn(store, 'putFile').mockRejectedValue(unavailable())
  const stop = AbortSignal.timeout(patience(60))
  const ended = renderTask(server.deps, { taskId, stop })
  await isWaiting.promise
  await db.update(mediaJobTasks).set({ status: 'canceled' }).where(eq(mediaJobTasks.id, taskId))
  await ended
  expect(stop.aborted).toBe(false)
  const [row] = await db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId))
  expect(row).toMatchObject({ status: 'canceled', attempt: 1, tries: 0 })
})

function expectRefused(answer: TestAnswer): void {
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'system/unavailable' } } })
  expect(answer.headers.get('retry-after')).toBe('1')
}

it('SCL-04 calls of an upload that find no store are refused with a time, and are answered when they are repeated', async () => {
  const bytes = randomBytes(1000)
  const key = crypto.randomUUID()
  beAway('createMultipart')
  await expect(beginUpload(me.client, bytes.length, { key })).rejects.toThrow(/answered 503/)
  vi.restoreAllMocks()
  // Its row was made by the call that was refused.
  await expect(beginUpload(me.client, bytes.length, { key })).rejects.toThrow(/answered 200/)
  const upload = await beginUpload(me.client, bytes.length)
  const parts = await sendParts(me.client, upload, bytes)
  const address = `/v1/upload-requests/${upload._id}`
  const complete = async () =>
    await me.client.patch(address, { uploadRequest: { upload: { parts } } })
  beAway('listParts', 'completeMultipart')
  expectRefused(await me.client.get(address))
  expectRefused(await me.client.post(`${address}/part-urls`, { partNumbers: [1] }))
  expectRefused(await complete())
  vi.restoreAllMocks()
  expect((await complete()).status).toBe(200)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})

it('SCL-04 a sample that cannot be stored is tried again after its last try', async () => {
  const address = `/v1/upload-requests/${video}/samples`
  const asked = await me.client.post<{ sample: components['schemas']['Sample'] }>(address, {
    sample: { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: 'a' } },
  })
  const sampleId = asked.body.sample._id
  const signal = AbortSignal.timeout(patience(60))
  const make = async () => await makeSample(server.deps, { sampleId, signal, isLastAttempt: true })
  const state = async () =>
    (await me.client.get<typeof asked.body>(`${address}/${sampleId}`)).body.sample.state
  beAway('putFile')
  await make()
  expect(await state()).toBe('waiting')
  vi.restoreAllMocks()
  await make()
  expect(await state()).toBe('ready')
})
