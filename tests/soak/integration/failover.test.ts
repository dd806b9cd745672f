import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mediaJobTasks } from '#server/db/schema.ts'
import { makeClip } from '#tests/setup/media.ts'
import { payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startRelayed } from '#tests/setup/replicated.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

const PART_BYTES = 5 * 1024 ** 2
const PARTS = 12

let relayed: Awaited<ReturnType<typeof startRelayed>>
let server: TestServer
let me: SignedUp
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-failover-'))
  relayed = await startRelayed()
  const env = { ONECUT_PART_SIZE_BYTES: String(PART_BYTES) }
  server = await startTestServer({ isWorker: true, template: relayed.template, env })
  me = await server.signUp()
}, patience(120))
afterAll(async () => {
  await server?.stop()
  await relayed?.relay.close()
  await relayed?.database.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What a call is answered at last, and all of its refusals before. */
async function untilAnswered(
  send: () => Promise<{ readonly status: number; readonly headers: Headers }>,
  seen: Set<string>,
): Promise<number> {
  for (;;) {
    const { status, headers } = await send()
    if (status < 500) return status
    seen.add(`${status}, again in ${headers.get('retry-after')} s`)
    await setTimeout(200)
  }
}

it('SCL-04 a replica that takes over in mid-upload and mid-edit: nothing that was answered is lost, no call is refused, and the edit loses no try', async () => {
  const { client } = me
  const clip = join(folder, 'clip.mp4')
  await makeClip(clip, 20, { size: '1280x720' })
  const { _id } = await uploadFile(client, clip)
  const state = async (id: string) =>
    (await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)).body
      .uploadRequest
  await expect
    .poll(async () => (await state(_id)).state, { timeout: patience(60) })
    .toBe('validated')
  const job = await requestEdits(client, _id, [
    { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@me' } },
  ])
  await payFor(client, job._id)
  const task = async () =>
    (
      await server.deps.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.mediaJobId, job._id))
    )[0]
  await expect
    .poll(async () => (await task())?.progressRatio ?? 0, { timeout: patience(60) })
    .toBeGreaterThan(0.02)

  const bytes = randomBytes(PARTS * PART_BYTES)
  const upload = await beginUpload(client, bytes.length)
  const [seen, ofParts] = [new Set<string>(), new Set<string>()]
  const stored: number[] = []
  let taken: Promise<void> | null = null
  for (const { partNumber, presignedUrl } of upload.upload.parts) {
    const body = bytes.subarray((partNumber - 1) * PART_BYTES, partNumber * PART_BYTES)
    const send = async () =>
      await fetch(new URL(presignedUrl ?? '', client.origin), { method: 'PUT', body })
    expect(await untilAnswered(send, ofParts)).toBe(200)
    stored.push(partNumber)
    if (partNumber === 4)
      taken = relayed.database.failOver().then(({ port }) => {
        relayed.relay.lead(port)
      })
    const look = async () => await client.get(`/v1/upload-requests/${upload._id}`)
    expect(await untilAnswered(look, seen)).toBe(200)
  }
  await taken
  const after = await state(upload._id)
  const listed = after.upload.parts.filter(({ eTag }) => eTag !== null)
  expect(listed.map(({ partNumber }) => partNumber)).toEqual(stored)
  const parts = listed.map(({ partNumber, eTag }) => ({ partNumber, eTag }))
  const complete = async () =>
    await client.patch(`/v1/upload-requests/${upload._id}`, {
      uploadRequest: { upload: { parts } },
    })
  expect(await untilAnswered(complete, seen)).toBe(200)
  await expect
    .poll(async () => (await task())?.status, { timeout: patience(120) })
    .toBe('succeeded')
  expect(await task()).toMatchObject({ tries: 0 })
  expect([...seen]).toEqual([])
  // One that was under way loses its lock.
  expect([...ofParts].filter((answer) => answer !== '503, again in 2 s')).toEqual([])
})
