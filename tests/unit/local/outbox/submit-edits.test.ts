import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFakeApi, problem, type FakeApi, type Fault } from '#tests/fakes/fake-api.ts'
import { createFakeClock, type FakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeMediaJob, fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { enqueueOrder, enqueueSubmission, retryIntention } from '#src/local/outbox/commands.ts'
import { drainOutbox, type OutboxDeps } from '#src/local/outbox/outbox.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { runs } from '#tests/seeds.ts'

const MEASURED = fakeUploadRequest({
  uploadEndedAt: '2026-11-21T09:31:00.000Z',
  metadataProcessedAt: '2026-11-21T09:31:05.000Z',
})
const REQUESTS = [{ mediaJobTaskPresetSlug: 'teaser-15s' }] as const
const LONGEST_STORY = 60

interface World {
  readonly api: FakeApi
  readonly clock: FakeClock
  readonly device: ReturnType<typeof newDevice>
  db: AccountDb
  deps: OutboxDeps
}

async function createWorld(): Promise<World> {
  const api = createFakeApi()
  const clock = createFakeClock()
  const device = newDevice()
  const db = await openTestDb(device)
  return { api, clock, device, db, deps: depsOf(api, clock, db) }
}

function depsOf(api: FakeApi, clock: FakeClock, db: AccountDb, isVisible = true): OutboxDeps {
  return {
    api: api.client,
    db,
    clock,
    random: () => 0.5,
    locks: createFakeLocks(),
    log: silentLog,
    isVisible: () => isVisible,
  }
}

function submit(world: World, uploadId: string | null = null): Promise<string> {
  return enqueueSubmission(
    { db: world.db, ids: createIds(), clock: world.clock },
    {
      uploadId,
      uploadRequestId: uploadId === null ? idOf(2) : null,
      requests: REQUESTS,
      attestedVersion: null,
      redoOfTaskId: null,
      selectionKey: 'selection',
    },
  )
}

/**
 * Drains until nothing is due any more, as if the page died at each request that hangs and was
 * opened again.
 */
async function drainThroughCrashes(world: World, isDone: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < LONGEST_STORY && !(await isDone()); round += 1) {
    const crashed = new Promise<'crashed'>((resolve) => {
      world.api.onHang = () => resolve('crashed')
    })
    const next = await Promise.race([drainOutbox(world.deps), crashed])
    if (next === 'crashed') {
      world.db.close()
      world.db = await openTestDb(world.device)
      world.deps = depsOf(world.api, world.clock, world.db)
    } else if (Number.isFinite(next))
      await world.clock.advance(Math.max(1, next - world.clock.now()))
  }
}

it('JOB-02 submitting makes the job, then the order, and empties the selection', async () => {
  const world = await createWorld()
  await world.db.selections.put({ key: 'selection', requests: REQUESTS, updatedAtEpochMs: 1 })
  await submit(world)
  expect(await world.db.selections.count()).toBe(0)

  await drainOutbox(world.deps)

  expect(world.api.requests.map((request) => request.line).slice(0, 2)).toEqual([
    'POST /v2/media-jobs',
    'POST /v1/orders',
  ])
  expect(await world.db.outbox.count()).toBe(0)
  expect((await world.db.orders.toArray()).map((row) => row.mediaJobId)).toEqual([
    ...world.api.jobs.keys(),
  ])
  expect((await world.db.mediaJobs.toArray()).map((row) => row.value.orderId)).toEqual([
    ...world.api.orders.keys(),
  ])
})

it('JOB-06 asks for the order of a job once, however often, and makes no other job', async () => {
  const world = await createWorld()
  const deps = { db: world.db, ids: createIds(), clock: world.clock }
  const job = fakeMediaJob()
  world.api.jobs.set(job._id, job)
  const ids = [await enqueueOrder(deps, job), await enqueueOrder(deps, job)]
  expect(new Set(ids).size).toBe(1)

  await drainOutbox(world.deps)

  expect(world.api.requests.map((request) => request.line)[0]).toBe('POST /v1/orders')
  expect([...world.api.orders.values()].map((order) => order.mediaJobId)).toEqual([job._id])
  expect([...world.api.jobs.keys()]).toEqual([job._id])
  expect(await world.db.outbox.count()).toBe(0)
})

it('a submission made offline waits for its upload and goes on by itself', async () => {
  const world = await createWorld()
  await world.db.uploads.put(fakeUploadRow())
  await submit(world, 'local-upload')

  expect(await drainOutbox(world.deps)).toBe(Infinity)
  expect(world.api.requests).toEqual([])

  await world.db.uploads.update('local-upload', { uploadRequestId: idOf(2) })
  await drainOutbox(world.deps)
  expect([world.api.jobs.size, world.api.orders.size, await world.db.outbox.count()]).toEqual([
    1, 1, 0,
  ])
})

it('a submission whose upload was discarded is refused and kept for the user', async () => {
  const world = await createWorld()
  await world.db.uploads.put(fakeUploadRow({ state: { kind: 'discarded' } }))
  const id = await submit(world, 'local-upload')
  await drainOutbox(world.deps)
  expect((await world.db.outbox.get(id))?.state).toMatchObject({
    kind: 'refused',
    code: 'submission/upload-gone',
  })
})

it('JOB-04 a price by length waits for the measure (202 again, 200 ready), a fixed price does not', async () => {
  const world = await createWorld()
  world.api.needsMeasure = true
  const id = await submit(world)

  const next = await drainOutbox(world.deps)
  expect((await world.db.outbox.get(id))?.intent).toMatchObject({
    stage: 'analysing',
    needsAnalysis: true,
    isReceived: true,
  })
  await world.clock.advance(next - world.clock.now())
  await drainOutbox(world.deps)
  expect(world.api.orders.size).toBe(0)

  world.api.uploads.set(idOf(2), MEASURED)
  await drainThroughCrashes(world, async () => (await world.db.outbox.count()) === 0)
  expect([world.api.jobs.size, world.api.orders.size]).toEqual([1, 1])
})

it('JOB-04 asks for the order again when both ends of the file have arrived, and when all of it has, also while hidden', async () => {
  const world = await createWorld()
  const orders = (): number =>
    world.api.requests.filter((request) => request.line === 'POST /v1/orders').length
  const part = (partNumber: number) => ({
    uploadId: 'local-upload',
    partNumber,
    eTag: 'e',
    sizeBytes: 10,
    sha256: '',
    safeAtEpochMs: 1,
  })
  world.api.needsMeasure = true
  world.api.uploads.set(idOf(2), fakeUploadRequest())
  await world.db.uploads.put(
    fakeUploadRow({
      uploadRequestId: idOf(2),
      plan: { partSizeBytes: 10, partCount: 3, sizeBytes: 25 },
    }),
  )
  const id = await submit(world, 'local-upload')
  const hidden = depsOf(world.api, world.clock, world.db, false)
  await drainOutbox(hidden)
  expect((await world.db.outbox.get(id))?.intent).toMatchObject({
    stage: 'analysing',
    isReceived: false,
  })
  expect(orders()).toBe(1)

  await world.db.uploadParts.put(part(1))
  await drainOutbox(hidden)
  expect(orders()).toBe(1)
  await world.db.uploadParts.put(part(3))
  await drainOutbox(hidden)
  await drainOutbox(hidden)
  expect(orders()).toBe(2)

  world.api.uploads.set(idOf(2), MEASURED)
  await world.db.uploads.update('local-upload', { state: { kind: 'verifying' } })
  await drainOutbox(hidden)
  expect([orders(), world.api.orders.size, await world.db.outbox.count()]).toEqual([3, 1, 0])
})

it('JOB-04 asking for the measure ends after 10 minutes with a way to refresh, and pauses while hidden', async () => {
  const world = await createWorld()
  world.api.needsMeasure = true
  const id = await submit(world)
  await drainOutbox(world.deps)
  await world.clock.advance(60 * 60_000)
  const before = world.api.requests.length
  expect(await drainOutbox(depsOf(world.api, world.clock, world.db, false))).toBe(Infinity)
  expect(world.api.requests).toHaveLength(before)

  await drainThroughCrashes(
    world,
    async () => (await world.db.outbox.get(id))?.state.kind === 'refused',
  )
  expect((await world.db.outbox.get(id))?.state).toMatchObject({
    code: 'submission/analysis-timeout',
    message: "We couldn't analyze your video. Please try again.",
  })

  world.api.uploads.set(idOf(2), MEASURED)
  await retryIntention(world.db, id)
  await drainOutbox(world.deps)
  expect([world.api.orders.size, await world.db.outbox.count()]).toEqual([1, 0])
})

it('a refusal is kept with the code and words of the server and not sent again by itself', async () => {
  const world = await createWorld()
  world.api.routes.set('POST /v2/media-jobs', () =>
    problem(422, 'presets/not-offered', 'Not offered here.'),
  )
  const id = await submit(world)
  expect(await drainOutbox(world.deps)).toBe(Infinity)
  await world.clock.advance(24 * 60 * 60_000)
  await drainOutbox(world.deps)
  expect((await world.db.outbox.get(id))?.state).toEqual({
    kind: 'refused',
    code: 'presets/not-offered',
    message: 'Not offered here.',
  })
  expect(world.api.requests).toHaveLength(1)
})

it('one that waits does not hold up the others', async () => {
  const world = await createWorld()
  await world.db.uploads.put(fakeUploadRow())
  await submit(world, 'local-upload')
  await world.clock.advance(1)
  await submit(world)
  await drainOutbox(world.deps)
  expect([world.api.orders.size, await world.db.outbox.count()]).toEqual([1, 1])
})

it('discarding while the request is under way does not bring the intention back', async () => {
  const world = await createWorld()
  const id = await submit(world)
  const answer = world.api.fetch
  const deps: OutboxDeps = { ...world.deps }
  world.api.routes.set('POST /v1/orders', () => problem(500, 'server/failed'))
  Object.assign(world.api, {
    fetch: async (request: Request) => {
      await world.db.outbox.delete(id)
      return answer(request)
    },
  })
  await drainOutbox(deps)
  expect(await world.db.outbox.count()).toBe(0)
})

const fault = fc.constantFrom<Fault>(
  'none',
  'lost-before',
  'lost-after',
  'hang-before',
  'hang-after',
  'error-500',
  'error-429',
  'error-401',
)

it('JOB-02 lost answers, refusals that pass and crashes at any step end in exactly one job and one order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 12 }),
      fc.boolean(),
      async (faults, needsMeasure) => {
        const world = await createWorld()
        world.api.needsMeasure = needsMeasure
        if (needsMeasure)
          world.api.routes.set(`GET /v1/upload-requests/${idOf(2)}/metadata`, () => {
            world.api.uploads.set(idOf(2), MEASURED)
            world.api.routes.clear()
            return Response.json(
              { uploadRequest: fakeUploadRequest({ uploadEndedAt: MEASURED.uploadEndedAt }) },
              { status: 202 },
            )
          })
        await submit(world)
        world.api.faults.push(...faults)
        await drainThroughCrashes(world, async () => (await world.db.outbox.count()) === 0)
        expect([world.api.jobs.size, world.api.orders.size, await world.db.outbox.count()]).toEqual(
          [1, 1, 0],
        )
        expect([await world.db.mediaJobs.count(), await world.db.orders.count()]).toEqual([1, 1])
        world.db.close()
      },
    ),
    { numRuns: runs(60) },
  )
})

it('WAY-04 JOB-02 what waits for the sign-in does not wait for a server that was away before', async () => {
  const world = await createWorld()
  await submit(world)
  world.api.faults.push('error-500')
  const state = async () => (await world.db.outbox.toArray())[0]
  await drainOutbox(world.deps)
  expect(await state()).toMatchObject({ attempt: 1, state: { kind: 'waiting' } })
  // Of two 401 answers the second one counts.
  world.api.faults.push('error-401', 'error-401')
  await world.clock.advance(5 * 60_000)
  await drainOutbox(world.deps)
  expect(await state()).toMatchObject({
    attempt: 0,
    state: { kind: 'waiting', isForSession: true },
  })
})

it('two tabs that drain at once send one request each step', async () => {
  const world = await createWorld()
  await submit(world)
  await Promise.all([drainOutbox(world.deps), drainOutbox(world.deps)])
  expect(world.api.requests.filter((request) => request.line.startsWith('POST'))).toHaveLength(2)
})
