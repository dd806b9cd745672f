import { expect, it } from 'vitest'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { silentLog } from '#src/lib/log.ts'
import { keepUploadPoster, uploadPosterKey } from '#src/local/db/posters.ts'

async function createDevice() {
  const db = await openTestDb()
  const deviceDb = await openTestDeviceDb()
  const keep = (uploadId: string) =>
    keepUploadPoster(
      { db, deviceDb, clock: createFakeClock(), log: silentLog },
      uploadId,
      new Blob(['picture'], { type: 'image/jpeg' }),
    )
  const kept = () => db.images.toCollection().primaryKeys()
  return { db, keep, kept }
}

it('the picture of an upload is kept for the steps that follow', async () => {
  const { db, keep, kept } = await createDevice()
  await db.uploads.add(fakeUploadRow({ id: 'one' }))
  await keep('one')
  expect(await kept()).toEqual([uploadPosterKey('one')])
})

it('a picture that is ready after its upload was discarded is not kept', async () => {
  const { db, keep, kept } = await createDevice()
  await db.uploads.add(fakeUploadRow({ id: 'one', state: { kind: 'discarded' } }))
  await keep('one')
  await keep('never-there')
  expect(await kept()).toEqual([])
})

it('pictures of uploads that are gone are forgotten, other pictures stay', async () => {
  const { db, keep, kept } = await createDevice()
  await db.images.put({ key: 'media-job-thumbnail:1', blob: new Blob(['x']), savedAtEpochMs: 1 })
  await db.uploads.bulkAdd([fakeUploadRow({ id: 'one' }), fakeUploadRow({ id: 'two' })])
  await keep('one')
  await db.uploads.delete('one')
  await keep('two')
  expect(await kept()).toEqual(['media-job-thumbnail:1', uploadPosterKey('two')])
})
