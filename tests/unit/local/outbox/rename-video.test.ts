import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { jobTables, putJobs } from '#src/local/db/media-jobs.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { enqueueRename } from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

const PATCH = `PATCH /v1/media-jobs/${idOf(1)}`

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
  await db.transaction('rw', jobTables(db), () =>
    putJobs(
      db,
      [1, 5].map((id) => mediaJobToRow(fakeMediaJob({ _id: idOf(id) }), 1)),
    ),
  )
  const rename = (name: string) =>
    enqueueRename(
      { db, ids: createIds(), clock },
      { mediaJobId: idOf(1), uploadRequestId: idOf(2), name },
    )
  return { api, db, deps, rename }
}

it('LIF-03 the last of several new names is sent as often as it takes, and all edits of the video get it', async () => {
  const { api, db, deps, rename } = await createWorld()
  await rename('first')
  await rename('second')
  api.routes.set(PATCH, () =>
    Response.json({ mediaJob: fakeMediaJob({ _id: idOf(1), name: 'second' }) }),
  )
  api.faults.push('lost-after')
  const next = await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(1)
  await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })
  expect(api.requests.map((request) => request.line)).toEqual([PATCH, PATCH])
  expect(await db.outbox.count()).toBe(0)
  expect((await db.libraryEntries.toArray()).map(({ name }) => name)).toEqual(['second', 'second'])
  expect((await db.mediaJobs.get(idOf(5)))?.value.name).toBe('second')
})

it('LIF-03 a name that the server refuses waits for the person; a video that is gone ends it', async () => {
  const { api, db, deps, rename } = await createWorld()
  await rename('no')
  api.routes.set(PATCH, () => problem(422, 'request/invalid'))
  await drainOutbox(deps)
  expect(await db.outbox.toArray()).toMatchObject([{ state: { kind: 'refused' } }])
  api.routes.set(PATCH, () => problem(404, 'media-jobs/not-found'))
  await rename('yes')
  await drainOutbox(deps)
  expect(await db.outbox.count()).toBe(0)
})
