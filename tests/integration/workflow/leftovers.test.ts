import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inArray, lt } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import { mails, uploadRequests } from '#server/db/schema.ts'
import { offeredConfinements } from '#server/media/confinement/choose.ts'
import type { ObjectStore } from '#server/object-store/port.ts'
import { markAborted } from '#server/operations/media/uploads/abort.ts'
import { claimTask } from '#server/operations/processing/tasks/claim.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { onPath } from '#tests/setup/look-around.ts'
import { makeClip } from '#tests/setup/media.ts'
import { balance, fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadFile } from '#tests/setup/upload.ts'

let server: TestServer
let dir: string
let uploadChecked: ReturnType<typeof checkedUploads>
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-left-'))
  await makeClip(join(dir, 'clip.mp4'), 2, { size: '160x90' })
  server = await startTestServer({ clock: () => new Date(now) })
  uploadChecked = checkedUploads(server)
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const validate = (id: string) =>
  validateUpload(server.deps, { uploadRequestId: id, signal: AbortSignal.timeout(patience(30)) })
async function storeFile(key: string): Promise<void> {
  await writeFile(join(dir, 'file'), 'left')
  await server.deps.store.putFile(key, join(dir, 'file'), 'video/mp4')
}

/** An edit of several files that is paid and not begun. */
async function paidEdit() {
  const { client } = await server.signUp()
  const uploadId = await uploadChecked(client, join(dir, 'clip.mp4'))
  const job = await requestEdits(client, uploadId, [
    { mediaJobTaskPresetSlug: 'social-media-gif-pack' },
  ])
  await payFor(client, job._id)
  const taskId = job.tasks[0]?._id ?? ''
  return { client, jobId: job._id, taskId }
}

it('JOB-10 what a killed attempt had stored goes when the next attempt begins', async () => {
  const { client, jobId, taskId } = await paidEdit()
  await storeFile(`outputs/${taskId}/0/0-cut-off.mp4`)
  await renderTask(server.deps, { taskId, stop: AbortSignal.timeout(patience(30)) })
  const [task] = (await fetchJob(client, jobId)).tasks
  expect(task?.status).toBe('succeeded')
  const stored = await readdir(
    join(server.deps.settings.dataDir, 'store/objects/outputs', taskId),
    { recursive: true, withFileTypes: true },
  )
  expect(stored.filter((each) => each.isFile())).toHaveLength(task?.outputs.length ?? 0)
})

it.each([
  [
    'another one begins meanwhile',
    async (taskId: string) => void (await claimTask(server.deps, { taskId })),
  ],
  ['the store breaks off', async () => Promise.reject(new Error('the store is away'))],
])('JOB-10 what an attempt has stored goes with it where %s', async (_why, meanwhile) => {
  const { taskId } = await paidEdit()
  const stored: string[] = []
  const store: ObjectStore = {
    ...server.deps.store,
    putFile: async (key, ...file) => {
      const put = await server.deps.store.putFile(key, ...file)
      stored.push(key)
      await meanwhile(taskId)
      return put
    },
  }
  const stop = AbortSignal.timeout(patience(30))
  await renderTask({ ...server.deps, store }, { taskId, stop }).catch(() => undefined)
  const left = await readdir(join(server.deps.settings.dataDir, 'store/objects/outputs', taskId))
  expect(stored[0]).toContain(`outputs/${taskId}/1/`)
  expect(left).toEqual([])
})

it('UPL-13 the file of an upload that was given up goes even when the server was killed before it deleted it', async () => {
  const { client } = await server.signUp()
  const upload = await uploadFile(client, join(dir, 'clip.mp4'))
  await validate(upload._id)
  const keys = [`uploads/${upload._id}`, `thumbnails/${upload._id}.jpg`]
  const stored = () =>
    Promise.all(keys.map(async (key) => (await server.deps.store.head(key)) !== null))
  await inTransaction(server.deps, (ctx) => markAborted(ctx, { upload: { id: upload._id } }))
  expect(await stored()).toEqual([true, true])
  await sweep(server.deps)
  expect(await stored()).toEqual([false, false])
  // Killed between the rename of the whole file and the row, then given up.
  const open = await beginUpload(client, 1000)
  await storeFile(`uploads/${open._id}`)
  await inTransaction(server.deps, (ctx) => markAborted(ctx, { upload: { id: open._id } }))
  await sweep(server.deps)
  expect(await server.deps.store.head(`uploads/${open._id}`)).toBeNull()
})

it('TRU-01 a paid edit that runs into its limit of processor time fails once, with a sentence, and its tokens come back', async () => {
  const { client } = await server.signUp()
  const uploadId = await uploadChecked(client, join(dir, 'clip.mp4'))
  const before = await balance(client)
  const job = await requestEdits(client, uploadId, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  await payFor(client, job._id)
  expect(before - (await balance(client))).toBeGreaterThan(0)
  const { ffmpeg } = server.deps
  if (ffmpeg === null) throw new Error('There is no ffmpeg')
  // Ends as the system ends a tool whose processor time is over.
  const ffmpegPath = join(dir, 'endless')
  await writeFile(ffmpegPath, '#!/bin/sh\nkill -XCPU $$\n', { mode: 0o755 })
  // The tools run as a user of their own.
  await chmod(dir, 0o711)
  const confinement = (await offeredConfinements(onPath)).find(({ kind }) => kind === 'none')
  if (confinement === undefined) throw new Error('There is always a confinement')
  const deps = { ...server.deps, ffmpeg: { ...ffmpeg, ffmpegPath, confinement } }
  const taskId = job.tasks[0]?._id ?? ''
  await renderTask(deps, { taskId, stop: AbortSignal.timeout(patience(30)) })
  const [task] = (await fetchJob(client, job._id)).tasks
  expect(task?.status).toBe('failed')
  expect(task?.errorMessage).toMatch(/^This edit was stopped: it took far more computing/)
  expect(await balance(client)).toBe(before)
  expect(task?.refundedCoinAmount).toBeGreaterThan(0)
})

it('JOB-10 edits that were paid for a video that never came are ended after 7 days and their tokens come back', async () => {
  const { client } = await server.signUp()
  const before = await balance(client)
  const upload = await beginUpload(client, 1000)
  const job = await requestEdits(client, upload._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  await payFor(client, job._id)
  const price = before - (await balance(client))
  expect(price).toBeGreaterThan(0)
  now += 6 * 86_400_000
  await sweep(server.deps)
  expect((await fetchJob(client, job._id)).tasks[0]?.status).toBe('created')
  now += 86_400_000 + 1
  await sweep(server.deps)
  const ended = await fetchJob(client, job._id)
  expect(ended).toMatchObject({
    isUploadRequestFailed: true,
    tasks: [
      {
        status: 'failed',
        errorMessage: 'The video did not arrive within 7 days. Please upload it again.',
      },
    ],
  })
  expect(ended.tasks[0]?.refundedCoinAmount).toBe(price)
  // The other trial tokens have expired meanwhile; those that came back get some days more.
  expect(await balance(client)).toBe(price)
})

it('UPL-13 mails and given-up uploads that nothing refers to are forgotten after 30 days, and nothing sooner', async () => {
  const { client } = await server.signUp()
  const [used, unused] = [await beginUpload(client, 100), await beginUpload(client, 100)]
  await requestEdits(client, used._id, [{ mediaJobTaskPresetSlug: 'still-pack' }])
  await inTransaction(server.deps, async (ctx) => {
    for (const { _id } of [used, unused]) await markAborted(ctx, { upload: { id: _id } })
  })
  const left = async () => {
    const rows = await server.deps.db
      .select({ id: uploadRequests.id })
      .from(uploadRequests)
      .where(inArray(uploadRequests.id, [used._id, unused._id]))
    return rows.map((row) => row.id).toSorted()
  }
  const day = 24 * 60 * 60 * 1000
  const begun = now
  now = begun + 29 * day
  await sweep(server.deps)
  expect(await left()).toEqual([used._id, unused._id].toSorted())
  expect((await server.deps.db.select().from(mails)).length).toBeGreaterThan(0)
  now = begun + 31 * day
  await sweep(server.deps)
  expect(await left()).toEqual([used._id])
  expect(
    await server.deps.db
      .select()
      .from(mails)
      .where(lt(mails.createdAt, new Date(begun + day))),
  ).toEqual([])
})
