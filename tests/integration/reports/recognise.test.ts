import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { knownVideos, mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { runOperator } from '#server/operator/commands.ts'
import { knowVideo } from '#server/operations/media/known-videos/know-video.ts'
import { finishDeletions } from '#server/operations/media/deletions/remove.ts'
import { reconcile } from '#server/operations/workflows/upkeep/reconcile.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { humanToken } from '#tests/fakes/human.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { balance, payFor, requestEdits } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadFile } from '#tests/setup/upload.ts'

type Schemas = components['schemas']

const { signal } = new AbortController()
const OPERATOR = 'operator@example.com'
let server: TestServer
let dir: string
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-recognise-'))
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_ROLE: 'api', ONECUT_OPERATOR_MAIL: OPERATOR },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const operator = async (...args: string[]) =>
  await runOperator({ ...server.deps, actor: 'operator:test' }, args)

/** A room in which something walks about its own way, for 12 s. */
async function film(speed: number): Promise<string> {
  const place = `x='110+90*sin(t*${speed})':y='50+40*sin(t*${speed}*1.618+2)'`
  const graph = `color=tan:s=60x80:r=10[p];[0:v][p]overlay=${place}:shortest=1`
  const room = 'testsrc2=s=320x180:r=10,trim=end_frame=1,loop=-1:1,setpts=N/10/TB'
  return await keptClip('film.mp4', [
    '-f',
    'lavfi',
    '-i',
    room,
    '-filter_complex',
    graph,
    '-t',
    '12',
    ...'-c:v libx264 -preset ultrafast -pix_fmt yuv420p'.split(' '),
  ])
}

/** Smaller, cut at both ends, and in another codec. */
async function copyOf(path: string): Promise<string> {
  const before = ['-ss', '1.3', '-t', '9', '-i', path]
  const other =
    '-vf scale=240:136 -c:v libvpx -threads 1 -deadline realtime -cpu-used 8 -b:v 300k -r 8'
  return await keptClip('copy.webm', [...before, ...other.split(' ')])
}

async function aFile(): Promise<string> {
  await writeFile(join(dir, 'file'), 'bytes')
  return join(dir, 'file')
}

const report = async (): Promise<string> => {
  now += 3_700_000
  const answer = await server
    .createClient()
    .post<{ report: Schemas['ReportReceipt'] }>('/v1/reports', {
      report: {
        video: 'The scene at https://example.com/1',
        relation: 'depicted',
        reason: 'I never agreed to it.',
        signature: 'Mara Example',
        contact: 'mara@example.com',
        isTruthful: true,
      },
      captchaToken: humanToken,
    })
  return answer.body.report.receiptNumber
}

const check = async (uploadRequestId: string) =>
  await validateUpload(server.deps, { uploadRequestId, signal })
const know = async (uploadRequestId: string) =>
  await knowVideo(server.deps, { uploadRequestId, signal, isLastAttempt: false })
const rowOf = async (id: string) =>
  (await server.deps.db.select().from(uploadRequests).where(eq(uploadRequests.id, id)))[0]
const isKnown = async (id: string): Promise<boolean> =>
  (await server.deps.db.select().from(knownVideos).where(eq(knownVideos.uploadRequestId, id)))
    .length > 0

async function uploaded(me: SignedUp, path: string): Promise<string> {
  const { _id } = await uploadFile(me.client, path)
  await check(_id)
  return _id
}

it('TRU-09 a copy of a held video is held when it is checked, and another video is not', async () => {
  const [owner, stranger] = [await server.signUp(), await server.signUp()]
  const path = await film(0.9)
  const original = await uploaded(owner, path)
  const receipt = await report()
  await operator('reports', 'hold', receipt, original)
  await know(original)
  await know(original)

  const other = await uploaded(stranger, await film(1.37))
  expect(await rowOf(other)).toMatchObject({ state: 'validated', heldAt: null })

  const copy = await uploadFile(stranger.client, await copyOf(path))
  const job = await requestEdits(stranger.client, copy._id, [
    { mediaJobTaskPresetSlug: 'still-pack' },
  ])
  const before = await balance(stranger.client)
  await check(copy._id)
  expect(await rowOf(copy._id)).toMatchObject({ state: 'validated', heldAt: new Date(now) })
  expect(await stranger.client.get(`/v1/upload-requests/${copy._id}`)).toMatchObject({
    status: 451,
    body: { error: { code: 'uploads/held' } },
  })
  expect((await stranger.client.get(`/v1/media-jobs/${job._id}`)).status).toBe(451)
  expect(await balance(stranger.client)).toBe(before)

  const { lines } = await operator('reports', 'show', receipt)
  expect(lines.join('\n')).toMatch(
    new RegExp(
      `server\\theld\\t${copy._id}\\tlooks like ${original}: \\d+ % alike in \\d+ of 9 places`,
    ),
  )
  expect(lines).toContain('standing  held')
  const mail = await server.lastMail(OPERATOR)
  expect(mail?.subject).toBe(`A likely copy of a video of report ${receipt}`)
  expect(mail?.text).not.toContain(stranger.email)

  await operator('reports', 'release', receipt, copy._id)
  expect(await rowOf(copy._id)).toMatchObject({ state: 'validated', heldAt: null })
  expect(await rowOf(original)).toMatchObject({ heldAt: expect.any(Date) })
  await operator('reports', 'release', receipt)
  expect(await isKnown(original)).toBe(false)
  const again = await uploaded(stranger, await copyOf(path))
  expect(await rowOf(again)).toMatchObject({ state: 'validated', heldAt: null })
})

it('TRU-09 edits that were paid before the check stop, and their tokens come back', async () => {
  const [owner, stranger] = [await server.signUp(), await server.signUp()]
  const path = await film(0.9)
  const original = await uploaded(owner, path)
  const receipt = await report()
  await operator('reports', 'hold', receipt, original)
  await know(original)
  const copy = await uploadFile(stranger.client, await copyOf(path))
  const job = await requestEdits(stranger.client, copy._id, [
    { mediaJobTaskPresetSlug: 'still-pack' },
  ])
  const before = await balance(stranger.client)
  await server.deps.db
    .update(uploadRequests)
    .set({ earlyDurationMs: 9000 })
    .where(eq(uploadRequests.id, copy._id))
  await payFor(stranger.client, job._id)
  expect(await balance(stranger.client)).toBeLessThan(before)
  await check(copy._id)
  expect(await balance(stranger.client)).toBe(before)
  const [row] = await server.deps.db.select().from(mediaJobs).where(eq(mediaJobs.id, job._id))
  expect(row).toMatchObject({ workflowStartedAt: null })
  const tasks = await server.deps.db
    .select({ status: mediaJobTasks.status })
    .from(mediaJobTasks)
    .where(eq(mediaJobTasks.mediaJobId, job._id))
  expect(tasks).toEqual([{ status: 'failed' }])
  // So that the next test begins with a film that is not known.
  await operator('reports', 'release', receipt)
  expect(await isKnown(original)).toBe(false)
})

it('TRU-09 a removed video stays known; its bytes wait for that, and not for ever', async () => {
  const me = await server.signUp()
  const path = await film(0.9)
  const original = await uploaded(me, path)
  // A held video whose file the worker never came to look at.
  const { uploadId: unread } = await storeJob(server.deps, me.userId, ['still-pack'])
  await server.deps.store.putFile(`test/${unread}`, await aFile(), 'video/mp4')
  const receipt = await report()
  for (const id of [original, unread]) await operator('reports', 'hold', receipt, id)
  await reconcile(server.deps)
  await operator('reports', 'remove', receipt)
  await finishDeletions(server.deps)
  expect(await server.deps.store.head(`uploads/${original}`)).not.toBeNull()
  await know(original)
  await finishDeletions(server.deps)
  expect(await server.deps.store.head(`uploads/${original}`)).toBeNull()
  expect(await server.deps.store.head(`test/${unread}`)).not.toBeNull()
  now += 86_400_001
  await finishDeletions(server.deps)
  expect(await server.deps.store.head(`test/${unread}`)).toBeNull()
  await know(unread)
  const [row] = await server.deps.db
    .select()
    .from(knownVideos)
    .where(eq(knownVideos.uploadRequestId, unread))
  expect(row).toMatchObject({ pictures: null })

  const stranger = await server.signUp()
  const copy = await uploaded(stranger, await copyOf(path))
  expect(await rowOf(copy)).toMatchObject({ heldAt: expect.any(Date) })
  expect((await operator('reports', 'list')).lines.join('\n')).toMatch(
    new RegExp(`${receipt}.*held\\t168 h left`),
  )
})
