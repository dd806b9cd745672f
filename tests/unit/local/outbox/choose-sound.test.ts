import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { enqueueSoundChoice } from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

const PUT = `PUT /v1/upload-requests/${idOf(2)}/sounds`

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
  const choose = (sound: number) =>
    enqueueSoundChoice({ db, ids: createIds(), clock }, { uploadRequestId: idOf(2), sound })
  return { api, db, deps, choose }
}

it('SRC-01 the last of several choices of a sound is sent as often as it takes, and the answer is kept', async () => {
  const { api, db, deps, choose } = await createWorld()
  await choose(1)
  await choose(2)
  const uploadSounds = { _id: idOf(2), isChecked: false, chosen: 2, sounds: [] }
  api.routes.set(PUT, () => Response.json({ uploadSounds }))
  api.faults.push('lost-after')
  const next = await drainOutbox(deps)
  expect(await db.outbox.toArray()).toMatchObject([{ intent: { sound: 2 } }])
  await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })
  expect(api.requests.map(({ line }) => line)).toEqual([PUT, PUT])
  expect(await db.outbox.count()).toBe(0)
  expect((await db.uploadSounds.get(idOf(2)))?.value).toEqual(uploadSounds)
})

it('SRC-01 a sound that the server refuses waits for the person; a video that is gone ends the choice', async () => {
  const { api, db, deps, choose } = await createWorld()
  await choose(3)
  api.routes.set(PUT, () => problem(422, 'uploads/no-such-sound'))
  await drainOutbox(deps)
  expect(await db.outbox.toArray()).toMatchObject([{ state: { kind: 'refused' } }])
  api.routes.set(PUT, () => problem(404, 'uploads/not-found'))
  await choose(1)
  await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(0)
})
