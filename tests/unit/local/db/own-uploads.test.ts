import { expect, it } from 'vitest'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import { isOwnUpload, noteLetGo, readOwnUploads } from '#src/local/db/own-uploads.ts'
import { enqueueAbort } from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { createDexieStore } from '#src/local/uploads/adapters/dexie-store.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { createFakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'

const LISTED_AT = 1_000
const listed = { uploadRequestId: idOf(2), name: 'scene.mp4', sizeBytes: 8 }

async function createWorld() {
  const db = await openTestDb()
  const clock = createFakeClock(LISTED_AT + 1)
  const isOwn = async (listedAtEpochMs = LISTED_AT) =>
    isOwnUpload(listed, await readOwnUploads(db, 'media-job'), listedAtEpochMs)
  return { db, clock, isOwn, store: createDexieStore(db, silentLog, clock) }
}

it('SAF-04 an upload whose receipt is dismissed is of this device until a later list', async () => {
  const { db, isOwn, store, clock } = await createWorld()
  expect(await isOwn()).toBe(false)
  await db.uploads.put(fakeUploadRow({ id: 'own', uploadRequestId: idOf(2) }))
  expect(await isOwn()).toBe(true)
  await store.remove('own')
  expect(await db.uploads.count()).toBe(0)
  expect(await isOwn()).toBe(true)
  // Asked for before, and answered after it: the server did not know then either.
  expect(await isOwn(clock.now())).toBe(true)
  expect(await isOwn(clock.now() + 1)).toBe(false)
})

it('SAF-04 an upload whose discard the server has just confirmed does not come back', async () => {
  const { db, isOwn, clock } = await createWorld()
  await enqueueAbort({ db, ids: createIds(), clock: { now: () => 0 } }, idOf(2))
  expect(await isOwn()).toBe(true)
  const api = createFakeApi().client
  const deps = { api, db, clock, random: () => 0.5, locks: createFakeLocks(), log: silentLog }
  await drainOutbox({ ...deps, clock: { ...clock, now: () => 20_000 }, isVisible: () => true })
  expect(await db.outbox.count()).toBe(0)
  expect(await isOwn()).toBe(true)
  expect(await isOwn(20_001)).toBe(false)
})

it('SAF-04 an upload that was just begun is of this device before it knows the id of the server', async () => {
  const { db, isOwn } = await createWorld()
  const file = { ...fakeUploadRow().file, name: listed.name, sizeBytes: listed.sizeBytes }
  const begun = fakeUploadRow({ uploadRequestId: null, state: { kind: 'queued' }, file })
  await db.uploads.put({ ...begun, state: { kind: 'draft' } })
  expect(await isOwn()).toBe(false)
  await db.uploads.put({ ...begun, purpose: 'media-asset' })
  expect(await isOwn()).toBe(false)
  await db.uploads.put({ ...begun, file: { ...file, sizeBytes: 9 } })
  expect(await isOwn()).toBe(false)
  await db.uploads.put(begun)
  expect(await isOwn()).toBe(true)
})

it('what was let go of more than a day ago is forgotten', async () => {
  const { db } = await createWorld()
  for (const [id, at] of [
    [idOf(2), 0],
    [idOf(3), 80_000_000],
    [idOf(4), 90_000_000],
  ] as const)
    await noteLetGo(db, id, at)
  const noted = (await readFact(db, FACTS.uploadsLetGo))?.value ?? []
  expect(noted.map(({ uploadRequestId }) => uploadRequestId)).toEqual([idOf(3), idOf(4)])
})
