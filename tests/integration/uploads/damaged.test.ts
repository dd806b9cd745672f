import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { reopenUpload } from '#server/operations/media/uploads/reopen.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { makePaddedMovie } from '#tests/setup/padded-movie.ts'
import { balance, fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, sendParts, uploadBytes, type UploadRequest } from '#tests/setup/upload.ts'

const MIB = 1024 ** 2
const DAY_MS = 86_400_000
let server: TestServer
let dir: string
let me: SignedUp
/** Three parts of 5 MiB; the second is in a box that players skip. */
let movie: Buffer
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-damaged-'))
  movie = await makePaddedMovie(join(dir, 'movie.mp4'), 2, 'end', 12 * MIB)
  server = await startTestServer({
    env: { ONECUT_PART_SIZE_BYTES: String(5 * MIB) },
    clock: () => new Date(now),
  })
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const check = async (id: string): Promise<void> => {
  await validateUpload(server.deps, {
    uploadRequestId: id,
    signal: AbortSignal.timeout(patience(60)),
  })
}
const fetchUpload = async (id: string): Promise<UploadRequest> =>
  (await me.client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${id}`)).body
    .uploadRequest
const rowOf = async (id: string): Promise<UploadRow> => {
  const rows = await server.deps.db.select().from(uploadRequests).where(eq(uploadRequests.id, id))
  return rows[0]!
}
const objectOf = (id: string): string =>
  join(server.deps.settings.dataDir, 'store/objects/uploads', id)

async function flipByte(path: string, at: number): Promise<void> {
  await using file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, at)
  await file.write(Buffer.from([~(byte[0] ?? 0) & 0xff]), 0, 1, at)
}

/** What a client does that finds its upload open: sends what is missing and completes. */
async function sendMissing(id: string, bytes: Uint8Array): Promise<number[]> {
  const upload = await fetchUpload(id)
  const missing = upload.upload.parts.filter((part) => part.eTag === null)
  const parts = await sendParts(me.client, upload, bytes)
  const body = { uploadRequest: { upload: { parts } } }
  expect((await me.client.patch(`/v1/upload-requests/${id}`, body)).status).toBe(200)
  return missing.map((part) => part.partNumber)
}

it('UPL-12 an upload at whose check the machine fails three times says so until it is checked', async () => {
  const { _id: uploadRequestId } = await uploadBytes(me.client, movie)
  const signal = AbortSignal.timeout(patience(60))
  const withoutTools = { ...server.deps, ffmpeg: null }
  const lateAfter: boolean[] = []
  for (let fault = 1; fault <= 3; fault += 1) {
    await expect(validateUpload(withoutTools, { uploadRequestId, signal })).rejects.toThrow(
      /ffmpeg/,
    )
    lateAfter.push((await fetchUpload(uploadRequestId)).isCheckLate ?? false)
  }
  expect(lateAfter).toEqual([false, false, true])
  const stopped = AbortSignal.abort(new Error('The worker stops'))
  await expect(validateUpload(server.deps, { uploadRequestId, signal: stopped })).rejects.toThrow()
  expect((await rowOf(uploadRequestId)).checkFaults).toBe(3)
  await check(uploadRequestId)
  expect(await fetchUpload(uploadRequestId)).toMatchObject({
    isValidated: true,
    isCheckLate: false,
  })
})

it('UPL-12 an upload whose check is killed twice fails with our words, and the tokens come back', async () => {
  const uploaded = await uploadBytes(me.client, movie)
  const job = await requestEdits(me.client, uploaded._id, [
    { mediaJobTaskPresetSlug: 'still-pack' },
  ])
  const before = await balance(me.client)
  await payFor(me.client, job._id)
  const program = join(dir, 'killed')
  await writeFile(program, '#!/bin/sh\nkill -KILL $$\n', { mode: 0o755 })
  const confinement = { kind: 'none', uid: null, nice: null } as const
  const ffmpeg = { ...server.deps.ffmpeg!, ffprobePath: program, confinement }
  const checkKilled = async (): Promise<void> => {
    const signal = AbortSignal.timeout(patience(60))
    await validateUpload({ ...server.deps, ffmpeg }, { uploadRequestId: uploaded._id, signal })
  }
  await expect(checkKilled()).rejects.toThrow(/killed/)
  expect((await rowOf(uploaded._id)).state).toBe('completed')
  await checkKilled()
  expect(await rowOf(uploaded._id)).toMatchObject({
    state: 'failed',
    failureReason: expect.stringContaining('went wrong on our side'),
  })
  expect(await balance(me.client)).toBe(before)
})

describe('an upload whose stored bytes changed before its check', () => {
  it('SAF-02 is open again and lacks exactly the damaged part; a paid order waits and is carried out', async () => {
    const uploaded = await uploadBytes(me.client, movie)
    const job = await requestEdits(me.client, uploaded._id, [
      { mediaJobTaskPresetSlug: 'still-pack' },
    ])
    await payFor(me.client, job._id)
    const paid = await balance(me.client)
    await flipByte(objectOf(uploaded._id), 7 * MIB)
    await check(uploaded._id)

    expect(await fetchUpload(uploaded._id)).toMatchObject({
      state: 'open',
      isFailed: false,
      uploadEndedAt: null,
      receivedBytes: movie.length - 5 * MIB,
      upload: { checksumSha256: null },
    })
    expect(await fetchJob(me.client, job._id)).toMatchObject({
      isUploadRequestFailed: false,
      isMediaWorkflowStarted: false,
      tasks: [{ status: 'created' }],
    })
    expect(await sendMissing(uploaded._id, movie)).toEqual([2])
    expect((await fetchUpload(uploaded._id)).upload.checksumSha256).toBe(
      uploaded.upload.checksumSha256,
    )
    await check(uploaded._id)
    expect((await fetchUpload(uploaded._id)).state).toBe('validated')
    expect((await fetchJob(me.client, job._id)).isMediaWorkflowStarted).toBe(true)
    expect(await balance(me.client)).toBe(paid)
  })

  it('SAF-02 lacks the end when the file was cut short', async () => {
    const { _id: id } = await uploadBytes(me.client, movie)
    await truncate(objectOf(id), 11 * MIB)
    await check(id)
    expect(await sendMissing(id, movie)).toEqual([3])
    await check(id)
    expect((await fetchUpload(id)).state).toBe('validated')
  })

  it('SAF-02 keeps all bytes when the server is killed between moving the file and its row', async () => {
    const { _id: id } = await uploadBytes(me.client, movie)
    await server.deps.store.reopenMultipart(planOf(await rowOf(id)), null, [])
    now += 2 * DAY_MS
    await sweep(server.deps)
    await check(id)
    expect(await sendMissing(id, movie)).toEqual([])
    await check(id)
    expect((await fetchUpload(id)).state).toBe('validated')
  })

  it('SAF-02 is not opened by a check of an earlier completion', async () => {
    const { _id: id } = await uploadBytes(me.client, movie)
    const before = await rowOf(id)
    await reopenUpload(server.deps, { upload: before, damaged: [1] })
    now += 1000
    await sendMissing(id, movie)
    await reopenUpload(server.deps, { upload: before, damaged: [1, 2, 3] })
    expect(await fetchUpload(id)).toMatchObject({
      state: 'completed',
      receivedBytes: movie.length,
    })
  })

  it('SAF-02 keeps 7 days to come again, however old it is', async () => {
    const bytes = movie.subarray(0, MIB)
    const { _id: id } = await beginUpload(me.client, bytes.length)
    now += 6 * DAY_MS
    await sendMissing(id, bytes)
    now += 2 * DAY_MS
    await flipByte(objectOf(id), 0)
    await check(id)
    await sweep(server.deps)
    expect((await rowOf(id)).state).toBe('open')
    now += 7 * DAY_MS + 1
    await sweep(server.deps)
    expect((await rowOf(id)).state).toBe('aborted')
  })
})
