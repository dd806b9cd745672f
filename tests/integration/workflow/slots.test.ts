import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { QUICK_S } from '#server/budgets.ts'
import { mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { readSlotWork, readWaitingIds } from '#server/operations/processing/slots/waiting.ts'
import { takeLease } from '#server/operations/core/lease.ts'
import { createRenderSlots } from '#server/operations/workflows/slot-work.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { makeClip } from '#tests/setup/media.ts'
import { attestation, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadFile } from '#tests/setup/upload.ts'

let api: TestServer
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-slots-'))
  await makeClip(join(dir, 'clip.mp4'), 2, { size: '160x90' })
  api = await startTestServer({ env: FREE })
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Five edits cost more than the tokens of a new account. */
const FREE = { ONECUT_PAYMENTS: 'false' }
const EDITS = ['team-skeet-thumbnail-video', 'social-media-gif-pack', 'still-pack'] as const
type Slug = (typeof EDITS)[number] | 'dynamic-watermark'
async function makeJob({ client }: SignedUp, slugs: readonly Slug[]): Promise<MediaJob> {
  const { _id } = await uploadFile(client, join(dir, 'clip.mp4'))
  const wanted = slugs.map((slug) =>
    slug === 'dynamic-watermark'
      ? { mediaJobTaskPresetSlug: slug, payload: { text: '@me' } }
      : { mediaJobTaskPresetSlug: slug },
  )
  return await requestEdits(client, _id, wanted)
}

async function order({ client }: SignedUp, { _id }: MediaJob): Promise<void> {
  expect(
    (await client.post('/v1/orders', { order: { mediaJobId: _id, attestation } })).status,
  ).toBe(201)
}

it('REC-25 of each account one edit waits in front, and what a process makes is known by its lease', async () => {
  const [anna, ben] = [await api.signUp(), await api.signUp()]
  const jobs = [await makeJob(anna, EDITS), await makeJob(ben, ['still-pack'])]
  for (const [index, job] of jobs.entries()) {
    await validateUpload(api.deps, {
      uploadRequestId: job.uploadRequestId,
      signal: AbortSignal.timeout(patience(30)),
    })
    await order(index === 0 ? anna : ben, job)
  }
  const read = async (resting: readonly string[] = []) =>
    await readSlotWork(api.deps, { kind: 'edits', resting })
  const { waiting } = await read()
  expect(waiting.map(({ userId }) => userId).toSorted()).toEqual(
    [anna.userId, ben.userId].toSorted(),
  )
  expect(waiting.every(({ costS }) => costS >= 1)).toBe(true)
  const first = waiting.find(({ userId }) => userId === anna.userId)?.id ?? ''
  const lease = await takeLease(api.deps, { taskId: first })
  const now = await read()
  expect(now.running.map(({ id }) => id)).toEqual([first])
  const second = now.waiting.find(({ userId }) => userId === anna.userId)?.id ?? ''
  expect(second).not.toBe(first)
  const rested = (await read([second])).waiting.find(({ userId }) => userId === anna.userId)
  expect([first, second]).not.toContain(rested?.id)
  expect(await readWaitingIds(api.deps, { kind: 'edits' })).toHaveLength(3)
  await lease?.release()
  expect(await readWaitingIds(api.deps, { kind: 'edits' })).toHaveLength(4)
})

it('SCL-08 of an account, an edit whose video is copied here is offered before older ones', async () => {
  const anna = await api.signUp()
  const jobs = [await makeJob(anna, ['still-pack']), await makeJob(anna, ['still-pack'])]
  for (const job of jobs) {
    const { uploadRequestId } = job
    await validateUpload(api.deps, { uploadRequestId, signal: AbortSignal.timeout(patience(30)) })
    await order(anna, job)
  }
  const offered = async (copied: readonly string[]) =>
    (await readSlotWork(api.deps, { kind: 'edits', resting: [], copied })).waiting.filter(
      ({ userId }) => userId === anna.userId,
    )
  const [older, newer] = jobs.map(({ tasks }) => tasks[0]?._id)
  expect((await offered([])).map(({ id }) => id)).toEqual([older])
  const copied = await offered([jobs[1]?.uploadRequestId ?? ''])
  expect(copied.map(({ id }) => id)).toEqual([newer])
})

it('REC-25 of edits that look for moments in one video, one is offered until they are found', async () => {
  const anna = await api.signUp()
  const job = await makeJob(anna, ['still-pack', 'social-media-gif-pack', 'dynamic-watermark'])
  const { uploadRequestId } = job
  await validateUpload(api.deps, { uploadRequestId, signal: AbortSignal.timeout(patience(30)) })
  await order(anna, job)
  const offered = async () =>
    (await readSlotWork(api.deps, { kind: 'edits', resting: [] })).waiting.flatMap((task) =>
      task.userId === anna.userId && task.isHeld !== true ? [task.id] : [],
    )
  const leases = []
  const taken: string[] = []
  for (let ids = await offered(); ids.length > 0; ids = await offered())
    for (const taskId of ids) {
      leases.push(await takeLease(api.deps, { taskId }))
      taken.push(taskId)
    }
  const searching = job.tasks.slice(0, 2).map(({ _id }) => _id)
  expect(taken).toHaveLength(2)
  expect(taken).toContain(job.tasks[2]?._id)
  const { waiting } = await readSlotWork(api.deps, { kind: 'edits', resting: [] })
  expect(waiting.some(({ id }) => searching.includes(id) && !taken.includes(id))).toBe(true)
  await api.deps.db
    .update(uploadRequests)
    .set({ moments: [] })
    .where(eq(uploadRequests.id, uploadRequestId))
  expect(searching).toEqual(expect.arrayContaining(await offered()))
  expect(await offered()).toHaveLength(1)
  for (const lease of leases) await lease?.release()
})

it('TRU-09 an edit of a video that is held takes no place of its owner, unless it is at work', async () => {
  const anna = await api.signUp()
  const [held, other] = [await makeJob(anna, ['still-pack']), await makeJob(anna, ['still-pack'])]
  for (const job of [held, other]) {
    const { uploadRequestId } = job
    await validateUpload(api.deps, { uploadRequestId, signal: AbortSignal.timeout(patience(30)) })
    await order(anna, job)
  }
  const [taskId, next] = [held, other].map(({ tasks }) => tasks[0]?._id ?? '')
  const hold = async (heldAt: Date | null) =>
    await api.deps.db
      .update(uploadRequests)
      .set({ heldAt })
      .where(eq(uploadRequests.id, held.uploadRequestId))
  const offered = async () => {
    const { waiting, running } = await readSlotWork(api.deps, { kind: 'edits', resting: [] })
    const ids = (tasks: typeof waiting) =>
      tasks.flatMap(({ id, userId }) => (userId === anna.userId ? [id] : []))
    return { waiting: ids(waiting), running: ids(running) }
  }
  expect(await offered()).toEqual({ waiting: [taskId], running: [] })
  await hold(new Date())
  expect(await offered()).toEqual({ waiting: [next], running: [] })
  const lease = await takeLease(api.deps, { taskId: taskId ?? '' })
  expect(await offered()).toEqual({ waiting: [next], running: [taskId] })
  await lease?.release()
  await hold(null)
  expect(await offered()).toEqual({ waiting: [taskId], running: [] })
})

it('TRU-03 a check that was slow waits for the slot of large files', async () => {
  const { client } = await api.signUp()
  const { _id } = await uploadFile(client, join(dir, 'clip.mp4'))
  const costOf = async (slow: readonly string[]) =>
    (await readSlotWork(api.deps, { kind: 'checks', resting: [], slow })).waiting.find(
      ({ id }) => id === _id,
    )?.costS
  expect(await costOf([])).toBeLessThanOrEqual(QUICK_S)
  expect(await costOf([_id])).toBeGreaterThan(QUICK_S)
})

it('TRU-03 a check that the system kills is tried twice, and then its file is refused', async () => {
  const { client } = await api.signUp()
  const { _id: uploadRequestId } = await uploadFile(client, join(dir, 'clip.mp4'))
  const program = join(dir, 'killed')
  const starts = join(dir, 'starts')
  await writeFile(program, `#!/bin/sh\necho >> ${starts}\nkill -KILL $$\n`, { mode: 0o755 })
  const { ffmpeg } = api.deps
  if (ffmpeg === null) throw new Error('no ffmpeg')
  const confinement = { kind: 'none', uid: null, nice: null } as const
  const killing = { ...api.deps, ffmpeg: { ...ffmpeg, confinement, ffprobePath: program } }
  const once = async () =>
    await validateUpload(killing, { uploadRequestId, signal: AbortSignal.timeout(patience(30)) })
  await expect(once()).rejects.toThrow('killed')
  await once()
  await once()
  const [upload] = await api.deps.db
    .select({ state: uploadRequests.state, reason: uploadRequests.failureReason })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  expect(upload).toMatchObject({ state: 'failed', reason: expect.stringContaining('our side') })
  expect(await readFile(starts, 'latin1')).toHaveLength(2)
})

it("REC-25 an edit that is ordered later does not wait for all of another account's", async () => {
  const server = await startTestServer({ env: FREE })
  try {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const many = await makeJob(anna, [EDITS[0], EDITS[1], 'dynamic-watermark'])
    const one = await makeJob(ben, [EDITS[0]])
    const signal = AbortSignal.timeout(patience(60))
    for (const { uploadRequestId } of [many, one])
      await validateUpload(server.deps, { uploadRequestId, signal })
    await order(anna, many)
    await order(ben, one)
    const slots = createRenderSlots(server.deps, { longSlots: 1 })
    for (let edit = 0; edit < 4; edit += 1) await slots.serve(signal)
    const begun = await server.deps.db
      .select({ jobId: mediaJobTasks.mediaJobId })
      .from(mediaJobTasks)
      .orderBy(mediaJobTasks.startedAt)
    expect(begun).toHaveLength(4)
    expect(begun.at(-1)).toEqual({ jobId: many._id })
  } finally {
    await server.stop()
  }
})
