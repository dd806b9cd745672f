import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeUploadRequest, idOf } from '#tests/fakes/fake-rows.ts'
import { discardIntention, enqueueAbort } from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

async function createWorld() {
  const api = createFakeApi()
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() }
  const db = await openTestDb()
  const deps = {
    api: api.client,
    db,
    clock,
    random: () => 0.5,
    locks: createFakeLocks(),
    log: silentLog,
    isVisible: () => true,
  }
  return { api, db, deps }
}

/** A discard of long ago, which cannot be taken back any more. */
const longAgo = { now: () => 0 }

it('SAF-04 an upload that this device does not hold can be kept for 10 s after its discard', async () => {
  const { api, db, deps } = await createWorld()
  const id = await enqueueAbort({ db, ids: createIds(), clock: deps.clock }, idOf(2))
  const next = await drainOutbox(deps)
  expect([next - deps.clock.now(), api.requests]).toEqual([10_000, []])
  await discardIntention(db, id)
  expect(await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })).toBe(Infinity)
  expect(api.requests).toEqual([])
})

it('an upload is discarded at the server as often as it takes, and one that is gone counts as done', async () => {
  const { api, db, deps } = await createWorld()
  await enqueueAbort({ db, ids: createIds(), clock: longAgo }, idOf(2))
  api.faults.push('lost-after')
  const next = await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(1)
  await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })
  expect(api.requests.map((request) => request.line)).toEqual([
    `DELETE /v1/upload-requests/${idOf(2)}`,
    `DELETE /v1/upload-requests/${idOf(2)}`,
  ])
  expect(await db.outbox.count()).toBe(0)
})

it('an upload that a job uses is not discarded any more', async () => {
  const { api, db, deps } = await createWorld()
  api.uploads.set(idOf(2), fakeUploadRequest())
  api.routes.set(`DELETE /v1/upload-requests/${idOf(2)}`, () => problem(409, 'uploads/in-use'))
  await enqueueAbort({ db, ids: createIds(), clock: longAgo }, idOf(2))
  await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(0)
})
