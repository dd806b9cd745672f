import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SegmentRow } from '#server/db/rows.ts'
import { mediaJobTasks, taskSegments, uploadRequests, workers } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { takeLease } from '#server/operations/core/lease.ts'
import { readQueue } from '#server/operations/processing/forecast/queue.ts'
import { readSlotWork } from '#server/operations/processing/slots/waiting.ts'
import { readSpeeds } from '#server/operations/processing/speeds/speeds.ts'
import { claimSegment, saveSegment } from '#server/operations/processing/tasks/segments.ts'
import { createRenderSlots } from '#server/operations/workflows/slot-work.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import { paidWatermark, saveResult } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { movingClip, streamsOf, worstTime } from '#tests/setup/segment-figures.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const never = new AbortController().signal

let server: TestServer
let me: SignedUp
let uploadId: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-divided-'))
  server = await startTestServer({ env: { ONECUT_DIVIDE_FROM_S: '6', ONECUT_SEGMENT_S: '2' } })
  me = await server.signUp()
  const clip = await movingClip('30000/1001', 8)
  uploadId = await checkedUploads(server)(me.client, clip.path)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await server.deps.db.delete(workers)
})

/** So many worker processes say that they are there, and so did these that have ended. */
async function sayWorkers(count: number, ended: readonly string[] = []): Promise<void> {
  const { ffmpeg } = server.deps
  if (ffmpeg === null) throw new Error('There is no ffmpeg')
  const means = {
    longSlots: 1,
    ffmpegVersion: ffmpeg.version,
    filters: [...ffmpeg.filters],
    encoders: [...ffmpeg.encoders],
    canRunNode: true,
    findsFaces: false,
    scratchFreeBytes: 1e9,
  }
  const ids = [...Array.from({ length: count }, (_, n) => `worker-${n}`), ...ended]
  for (const id of ids)
    await server.deps.db.insert(workers).values({
      id,
      // It says so for as long as the test takes.
      heartbeatAt: new Date(Date.now() + 3_600_000),
      ...means,
    })
}

const paidTask = async () => await paidWatermark(me.client, uploadId)
const rowOf = async (taskId: string) =>
  (await server.deps.db.select().from(mediaJobTasks).where(eq(mediaJobTasks.id, taskId)))[0]
const segmentsOf = async (taskId: string): Promise<readonly SegmentRow[]> =>
  await server.deps.db
    .select()
    .from(taskSegments)
    .where(eq(taskSegments.taskId, taskId))
    .orderBy(taskSegments.n)
const storedSegments = async (): Promise<string[]> =>
  await readdir(join(server.deps.settings.dataDir, 'store/objects/segments'), {
    recursive: true,
  }).catch(() => [])

/** The worker that has the edit: it stands still with its first segment until it is let go on. */
function holdingWorker() {
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const { store } = server.deps
  const joinedFrom: (readonly SegmentRow[])[] = []
  const deps: Deps = {
    ...server.deps,
    store: {
      ...store,
      putFile: async (key, ...rest) => {
        if (key.startsWith('segments/')) {
          reached.resolve()
          await held.promise
        }
        return await store.putFile(key, ...rest)
      },
      read: async (key, ...rest) => {
        const [, taskId = ''] = key.split('/')
        if (key.startsWith('segments/')) joinedFrom.push(await segmentsOf(taskId))
        return await store.read(key, ...rest)
      },
    },
  }
  return { deps, reached: reached.promise, goOn: held.resolve, joinedFrom }
}

/** Another worker makes one segment. */
const helpOnce = async (): Promise<void> =>
  await createRenderSlots(server.deps, { longSlots: 1 }).serve(AbortSignal.timeout(patience(60)))

const resultOf = async (jobId: string) => await saveResult(me.client, jobId, folder)

describe('a long edit', () => {
  it('SCL-07 REC-23 is shared by two workers; one that is killed loses its segment alone, and the result is that of one worker', async () => {
    const alone = await paidTask()
    // One machine that was just started again has two rows, as long as the first is young.
    const before = server.deps.leases.owner.split('/').with(3, '1').join('/')
    await sayWorkers(1, [before])
    const whole = holdingWorker()
    await renderTask(whole.deps, { taskId: alone.taskId, stop: never })
    expect(whole.joinedFrom).toEqual([])

    await server.deps.db.delete(workers)
    await sayWorkers(2)
    const { jobId, taskId } = await paidTask()
    const owner = holdingWorker()
    const rendered = renderTask(owner.deps, { taskId, stop: never })
    await owner.reached
    const begun = await segmentsOf(taskId)
    expect(begun.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
      [0, 2000],
      [2000, 4000],
      [4000, 6000],
      [6000, null],
    ])
    // A worker takes a segment and is killed: its lease ends, and nothing else of it happens.
    const segmentId = begun[2]?.id ?? ''
    const lost = await takeLease(server.deps, { segmentId })
    const dead = await claimSegment(server.deps, { segmentId, hasSlot: true })
    if (lost === null || dead === null) throw new Error('The segment could not be taken')
    // The owner works in the slot of the edit; the other has one of its own, and is forecast.
    const { waiting, running } = await readSlotWork(server.deps, { kind: 'edits', resting: [] })
    expect(running.map(({ id }) => id).toSorted()).toEqual([taskId, segmentId].toSorted())
    expect(waiting).toMatchObject([{ id: begun[1]?.id, isSegment: true }])
    const queue = await readQueue(server.deps, { speeds: await readSpeeds(server.deps) })
    expect(queue?.running.map(({ id }) => id)).toEqual([taskId, segmentId])
    expect(queue?.waiting).toEqual([])
    await helpOnce()
    await helpOnce()
    const states = (await segmentsOf(taskId)).map(({ state }) => state)
    expect(states).toEqual(['started', 'made', 'started', 'made'])
    await expect
      .poll(async () => (await rowOf(taskId))?.progressRatio, { timeout: patience(10) })
      .toBeGreaterThan(0.44)
    expect((await rowOf(taskId))?.progressRatio).toBeLessThan(0.9)
    await server.deps.db.execute(
      sql`update leases set expires_at = now() where name = ${`segment:${segmentId}`}`,
    )
    owner.goOn()
    await rendered
    expect(owner.joinedFrom[0]?.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 1])
    expect(await saveSegment(server.deps, dead.segment, { state: 'made' })).toBe(false)
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 1, tries: 0 })
    expect(await segmentsOf(taskId)).toEqual([])
    expect(await storedSegments()).toEqual([])
    const [one, other] = [
      await streamsOf(await resultOf(alone.jobId)),
      await streamsOf(await resultOf(jobId)),
    ]
    expect(other.facts).toEqual(one.facts)
    expect(worstTime(one.pictureTimes, other.pictureTimes)).toBe(0)
    expect(other.sound).toEqual(one.sound)
  })

  it('SCL-07 goes on with the segments that are made where its own worker is lost', async () => {
    await sayWorkers(2)
    const { taskId } = await paidTask()
    const owner = holdingWorker()
    const stop = new AbortController()
    const rendered = renderTask(owner.deps, { taskId, stop: stop.signal })
    const ended = expect(rendered).rejects.toThrow()
    await owner.reached
    await helpOnce()
    stop.abort(new Error('The server stops'))
    owner.goOn()
    await ended
    expect(await rowOf(taskId)).toMatchObject({ status: 'created', attempt: 1, tries: 0 })
    await server.deps.db.delete(workers)
    const next = holdingWorker()
    next.goOn()
    await renderTask(next.deps, { taskId, stop: never })
    expect(next.joinedFrom[0]?.[1]).toMatchObject({ state: 'made', attempt: 1 })
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 2 })
    expect([await segmentsOf(taskId), await storedSegments()]).toEqual([[], []])
  })

  it('SCL-07 is made whole where a segment cannot be made', async () => {
    await sayWorkers(2)
    const { taskId } = await paidTask()
    const owner = holdingWorker()
    const rendered = renderTask(owner.deps, { taskId, stop: never })
    await owner.reached
    await helpOnce()
    await server.deps.db
      .update(taskSegments)
      .set({ state: 'failed' })
      .where(eq(taskSegments.id, (await segmentsOf(taskId))[3]?.id ?? ''))
    owner.goOn()
    await rendered
    expect(owner.joinedFrom).toEqual([])
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 1, tries: 0 })
    expect([await segmentsOf(taskId), await storedSegments()]).toEqual([[], []])
  })

  it('SCL-07 is ended by its own worker where its video is held meanwhile', async () => {
    await sayWorkers(2)
    const { taskId } = await paidTask()
    const owner = holdingWorker()
    const rendered = renderTask(owner.deps, { taskId, stop: AbortSignal.timeout(patience(60)) })
    await owner.reached
    const hold = async (heldAt: Date | null) =>
      await server.deps.db
        .update(uploadRequests)
        .set({ heldAt })
        .where(eq(uploadRequests.id, uploadId))
    await hold(new Date())
    expect((await readSlotWork(server.deps, { kind: 'edits', resting: [] })).waiting).toEqual([])
    owner.goOn()
    await expect(rendered).resolves.toBeUndefined()
    await hold(null)
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', attempt: 1 })
  })

  it('SCL-07 leaves no segment behind where it is cancelled', async () => {
    await sayWorkers(2)
    const { taskId } = await paidTask()
    const owner = holdingWorker()
    const rendered = renderTask(owner.deps, { taskId, stop: never })
    await owner.reached
    await helpOnce()
    expect(await storedSegments()).not.toEqual([])
    await server.deps.db
      .update(mediaJobTasks)
      .set({ status: 'canceled' })
      .where(eq(mediaJobTasks.id, taskId))
    owner.goOn()
    await rendered
    expect([await segmentsOf(taskId), await storedSegments()]).toEqual([[], []])
  })
})
