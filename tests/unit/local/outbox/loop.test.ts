import { expect, it } from 'vitest'
import { createFakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import type { OutboxRow } from '#src/local/db/rows.ts'
import { enqueueSubmission } from '#src/local/outbox/commands.ts'
import { startOutboxLoop } from '#src/local/outbox/loop.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

async function createWorld() {
  const api = createFakeApi()
  const clock = createFakeClock()
  const db = await openTestDb()
  const loop = startOutboxLoop({
    api: api.client,
    db,
    clock,
    random: () => 0.5,
    locks: createFakeLocks(),
    log: silentLog,
    isVisible: () => true,
  })
  const submit = (uploadId: string | null) =>
    enqueueSubmission(
      { db, ids: createIds(), clock },
      {
        uploadId,
        uploadRequestId: uploadId === null ? idOf(2) : null,
        requests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
        attestedVersion: null,
        redoOfTaskId: null,
        selectionKey: null,
      },
    )
  return { api, clock, db, loop, submit }
}

it('an intention is sent as soon as it is saved, and when its upload becomes known', async () => {
  const { api, db, loop, submit } = await createWorld()
  await db.uploads.put(fakeUploadRow())
  await submit('local-upload')
  await submit(null)
  await expect.poll(async () => [api.orders.size, await db.outbox.count()]).toEqual([1, 1])
  await db.uploads.update('local-upload', { uploadRequestId: idOf(2) })
  await expect.poll(() => api.orders.size).toBe(2)
  await loop.stop()
})

it('a poke ends the wait after a lost connection', async () => {
  const { api, db, loop, submit } = await createWorld()
  api.faults.push('lost-before')
  await submit(null)
  await expect
    .poll(async () => (await db.outbox.toArray())[0])
    .toMatchObject({ attempt: 1, state: { kind: 'waiting' } })
  expect(api.jobs.size).toBe(0)
  loop.poke()
  await expect.poll(() => api.orders.size).toBe(1)
  await loop.stop()
})

it('a poke does not end a wait that the server gave, and its reason stays until the next answer', async () => {
  const { api, clock, db, loop, submit } = await createWorld()
  api.faults.push('error-429')
  await submit(null)
  const limited = { attempt: 1, state: { kind: 'waiting', limit: expect.any(String) } }
  await expect.poll(async () => (await db.outbox.toArray())[0]).toMatchObject(limited)
  const [row] = await db.outbox.toArray()
  loop.poke()
  expect(await db.outbox.toArray()).toEqual([row])
  const answer = Promise.withResolvers<Response>()
  api.routes.set('POST /v2/media-jobs', () => answer.promise)
  await clock.advance(60_000)
  await expect
    .poll(async () => (await db.outbox.toArray())[0]?.state)
    .toEqual({ ...row?.state, kind: 'sending' })
  answer.resolve(new Response(null, { status: 500 }))
  await loop.stop()
})

it('a wait ends by itself when its time has come', async () => {
  const { api, clock, db, loop, submit } = await createWorld()
  api.faults.push('error-500')
  await submit(null)
  await expect.poll(async () => (await db.outbox.toArray())[0]?.attempt).toBe(1)
  await expect
    .poll(async () => {
      await clock.advance(60_000)
      return api.orders.size
    })
    .toBe(1)
  await loop.stop()
})

it('after stopping nothing is sent any more', async () => {
  const { api, loop, submit } = await createWorld()
  await loop.stop()
  await submit(null)
  loop.poke()
  expect(api.requests).toEqual([])
})

it('WAY-04 what the server refused for want of a session is sent at the sign-in; other waits stay', async () => {
  const { api, clock, db, loop, submit } = await createWorld()
  api.faults.push('error-401', 'error-401')
  await submit(null)
  await expect
    .poll(async () => (await db.outbox.toArray())[0]?.state)
    .toEqual({ kind: 'waiting', isForSession: true })
  // It can still be taken back.
  const discard: OutboxRow = {
    id: 'discard',
    intent: { kind: 'abort-upload', uploadRequestId: idOf(7) },
    idempotencyKey: 'key',
    state: { kind: 'waiting' },
    attempt: 0,
    notBeforeEpochMs: clock.now() + 10_000,
    createdAtEpochMs: clock.now(),
  }
  await db.outbox.add(discard)
  loop.resume()
  await expect.poll(() => api.orders.size).toBe(1)
  await expect.poll(() => db.outbox.toArray()).toEqual([discard])
  await loop.stop()
})
