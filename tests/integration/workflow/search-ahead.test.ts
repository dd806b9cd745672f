import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeHeads } from '#recipes/heads.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SEARCHES_AHEAD_PER_HOUR } from '#server/budgets.ts'
import type { Deps } from '#server/deps.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { isLeased, takeLease } from '#server/operations/core/lease.ts'
import { contextOf } from '#server/operations/processing/rendering/given.ts'
import { searchAhead, storeMoments } from '#server/operations/processing/rendering/search-ahead.ts'
import { claimTask } from '#server/operations/processing/tasks/claim.ts'
import { momentPicturesKeyOf, momentVideoKeyOf } from '#server/operations/media/storage/keys.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startWorker } from '#tests/setup/worker.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { uploadFile } from '#tests/setup/upload.ts'

let api: TestServer
let dir: string
let uploadChecked: ReturnType<typeof checkedUploads>
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-ahead-'))
  await makeClip(join(dir, 'clip.mp4'), 3, { size: '160x90' })
  api = await startTestServer()
  uploadChecked = checkedUploads(api)
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A video that is not searched yet. */
const video = async ({ client }: SignedUp): Promise<string> =>
  await uploadChecked(client, join(dir, 'clip.mp4'))

/** The same, with what its check queues. */
async function checkedVideo({ client }: SignedUp): Promise<string> {
  const { _id } = await uploadFile(client, join(dir, 'clip.mp4'))
  await validateUpload(api.deps, {
    uploadRequestId: _id,
    signal: AbortSignal.timeout(patience(30)),
  })
  return _id
}

const ahead = async (uploadRequestId: string, deps: Deps = api.deps): Promise<void> =>
  await searchAhead(deps, { uploadRequestId, signal: AbortSignal.timeout(patience(60)) })

async function momentsOf(uploadRequestId: string): Promise<unknown> {
  const [row] = await api.deps.db
    .select({ moments: uploadRequests.moments })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  return row?.moments
}

async function boardOf(uploadRequestId: string) {
  const [row] = await api.deps.db
    .select({
      pictures: uploadRequests.momentPictures,
      video: uploadRequests.momentVideo,
      bytes: uploadRequests.momentVideoBytes,
    })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadRequestId))
  return row ?? { pictures: null, video: null, bytes: 0 }
}

/** How many searches of these videos wait for a worker. */
async function queued(ids: readonly string[]): Promise<number> {
  const { rows } = await api.deps.db.execute<{ data: { uploadRequestId: string } }>(
    sql`select data from pgboss.job where name = 'search-moments' and state = 'created'`,
  )
  return rows.filter(({ data }) => ids.includes(data.uploadRequestId)).length
}

async function payStills({ client }: SignedUp, uploadRequestId: string): Promise<MediaJob> {
  const job = await requestEdits(client, uploadRequestId, [
    { mediaJobTaskPresetSlug: 'still-pack' },
  ])
  await payFor(client, job._id)
  return job
}

/** No edit waits any more. */
const endEdits = async (): Promise<unknown> =>
  await api.deps.db.execute(sql`update media_jobs set workflow_ended_at = now()`)

/** The parts of the server, with something that happens in the middle of a search. */
const withEvent = (event: () => Promise<unknown>): Deps => ({
  ...api.deps,
  copies: {
    ...api.deps.copies,
    use: async (...given) => {
      await event()
      return await api.deps.copies.use(...given)
    },
  },
})

/** The same; the search goes on when the server has looked again for edits that are paid. */
function withEventSeen(event: () => Promise<unknown>): Deps {
  const { db } = api.deps
  const seen = Promise.withResolvers<void>()
  let isOver = false
  const watched = new Proxy(db, {
    get: (on, name) => {
      const value: unknown = Reflect.get(on, name)
      if (typeof value !== 'function') return value
      const call = value.bind(on) as (...given: unknown[]) => unknown
      if (name !== 'execute' || !isOver) return call
      return async (...given: unknown[]) => {
        const rows = await call(...given)
        seen.resolve()
        return rows
      }
    },
  })
  const eventSeen = async (): Promise<void> => {
    await event()
    isOver = true
    await seen.promise
  }
  return { ...withEvent(eventSeen), db: watched }
}

describe('the search ahead of the first edit', () => {
  it('REC-20 a checked video is searched once, and its first edit takes what was found', async () => {
    const me = await api.signUp()
    const id = await checkedVideo(me)
    expect(await queued([id])).toBe(1)
    await ahead(id)
    const found = await momentsOf(id)
    expect(found).toEqual(expect.arrayContaining([expect.objectContaining({ atMs: 0 })]))
    const begun = vi.fn(async () => undefined)
    await ahead(id, withEvent(begun))
    expect(begun).not.toHaveBeenCalled()
    const { _id, tasks } = await payStills(me, id)
    const [task] = tasks
    await renderTask(api.deps, { taskId: task?._id ?? '', stop: AbortSignal.timeout(patience(60)) })
    expect((await fetchJob(me.client, _id)).tasks[0]?.status).toBe('succeeded')
    expect(await momentsOf(id)).toEqual(found)
  })

  it('DEL-02 a video whose search is forgotten is searched again, and gets a new board', async () => {
    const me = await api.signUp()
    const id = await checkedVideo(me)
    await ahead(id)
    const found = await momentsOf(id)
    await api.deps.db.update(uploadRequests).set({ moments: null }).where(eq(uploadRequests.id, id))
    const { tasks } = await payStills(me, id)
    const remove = vi.fn(api.deps.store.remove)
    await renderTask(
      { ...api.deps, store: { ...api.deps.store, remove } },
      { taskId: tasks[0]?._id ?? '', stop: AbortSignal.timeout(patience(60)) },
    )
    expect(await momentsOf(id)).toEqual(found)
    for (const key of [momentPicturesKeyOf(id), momentVideoKeyOf(id)])
      expect(remove).toHaveBeenCalledWith(key)
    expect(await boardOf(id)).toEqual({ pictures: null, video: null, bytes: 0 })
    await endEdits()
    await ahead(id)
    const { pictures, video: moving, bytes } = await boardOf(id)
    expect([pictures, moving]).not.toContain(null)
    expect(bytes).toBeGreaterThan(0)
  })

  it('DEL-03 a watermark knows the heads that the search saw, where it is made whole', async () => {
    const me = await api.signUp()
    const id = await video(me)
    const { _id, tasks } = await requestEdits(me.client, id, [
      { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@me' } },
    ])
    await payFor(me.client, _id)
    const heads = writeHeads([{ left: 0.4, top: 0.4, right: 0.5, bottom: 0.6 }])
    const seen = { shows: 'lively', score: 1, startsShot: true, stillMs: 0, likeness: '' } as const
    await storeMoments(api.deps, {
      upload: { id },
      moments: [{ ...seen, atMs: 0, lengthMs: 900, heads }],
    })
    const claimed = await claimTask(api.deps, { taskId: tasks[0]?._id ?? '' })
    const recipe = findRecipe('dynamic-watermark')
    const { ffmpeg, settings } = api.deps
    if (claimed === null || recipe === undefined || ffmpeg === null) throw new Error('No edit')
    const making = { ...claimed, recipe, ffmpeg, folder: dir, signal: new AbortController().signal }
    const source = probe({ durationMs: 3000 })
    const places = { source: '', folder: dir, assetPaths: new Map<string, string>() }
    const given = { material: { source, assets: [] }, music: [], places }
    const { found } = await contextOf(api.deps, making, given, [])
    expect(found).toMatchObject([{ startMs: 0, endMs: 900, boxes: [{ atMs: 0 }] }])
    const divided = { ...api.deps, settings: { ...settings, divideFromMs: 3000 } }
    expect((await contextOf(divided, making, given, [])).found).toEqual([])
    await endEdits()
  })

  it('REC-20 a video that is held or deleted is not searched, nor kept when that comes in the middle', async () => {
    const me = await api.signUp()
    for (const change of [{ heldAt: new Date() }, { sourceRemovedAt: new Date() }]) {
      const id = await video(me)
      const apply = async (): Promise<unknown> =>
        await api.deps.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, id))
      const begun = vi.fn(apply)
      await ahead(id, withEvent(begun))
      expect(begun).toHaveBeenCalledOnce()
      expect(await momentsOf(id)).toBeNull()
      await ahead(id, withEvent(begun))
      expect(begun).toHaveBeenCalledOnce()
    }
  })

  it('REC-20 while a paid edit waits it does not begin, and it ends when one comes', async () => {
    const [me, other] = [await api.signUp(), await api.signUp()]
    const [mine, theirs] = [await checkedVideo(me), await video(other)]
    const begun = vi.fn(async () => await payStills(other, theirs))
    const deps = withEventSeen(begun)
    await ahead(mine, deps)
    expect(begun).toHaveBeenCalledOnce()
    expect(await momentsOf(mine)).toBeNull()
    expect(await isLeased(api.deps, { searchedId: mine })).toBe(false)
    // The first of them still waits, and the later one is there as well: one message at a time.
    expect(await queued([mine])).toBe(1)
    await ahead(mine, deps)
    expect(begun).toHaveBeenCalledOnce()
    expect(await momentsOf(mine)).toBeNull()
    await endEdits()
  })

  it('REC-20 it goes on for an edit of the same video, which would search itself', async () => {
    const me = await api.signUp()
    const id = await video(me)
    await ahead(
      id,
      withEventSeen(async () => await payStills(me, id)),
    )
    expect(await momentsOf(id)).not.toBeNull()
  })

  it('REC-20 one process searches a video at a time', async () => {
    const id = await video(await api.signUp())
    await endEdits()
    const lease = await takeLease(api.deps, { searchedId: id })
    await ahead(id)
    expect(await momentsOf(id)).toBeNull()
    await lease?.release()
    await ahead(id)
    expect(await momentsOf(id)).not.toBeNull()
  })

  it('REC-20 an account gets ten an hour', async () => {
    const me = await api.signUp()
    const { db } = api.deps
    const [row] = await db
      .select()
      .from(uploadRequests)
      .where(eq(uploadRequests.id, await video(me)))
    if (row === undefined) throw new Error('It is gone')
    // As if all but one of the ten had been checked.
    const others = Array.from({ length: SEARCHES_AHEAD_PER_HOUR - 2 }, () => {
      const id = crypto.randomUUID()
      return { ...row, id, idempotencyKey: id, objectKey: id }
    })
    await db.insert(uploadRequests).values(others)
    expect(await queued([await checkedVideo(me)])).toBe(1)
    expect(await queued([await checkedVideo(me)])).toBe(0)
    expect(await queued([await checkedVideo(await api.signUp())])).toBe(1)
  })

  it('REC-20 a search whose worker is killed is made by the next one', async () => {
    await endEdits()
    // Those of the tests before would all come first.
    await api.deps.db.execute(sql`delete from pgboss.job where name = 'search-moments'`)
    const id = await checkedVideo(await api.signUp())
    const first = await startWorker(api)
    const isSearched = async () => await isLeased(api.deps, { searchedId: id })
    await vi.waitFor(async () => expect(await isSearched()).toBe(true), {
      timeout: patience(60),
      interval: 20,
    })
    const gone = new Promise((resolve) => first.once('exit', resolve))
    first.kill('SIGKILL')
    await gone
    expect(await momentsOf(id)).toBeNull()
    const second = await startWorker(api)
    try {
      await vi.waitFor(async () => expect(await momentsOf(id)).not.toBeNull(), {
        timeout: patience(90),
        interval: 200,
      })
    } finally {
      second.kill('SIGKILL')
    }
  })
})
