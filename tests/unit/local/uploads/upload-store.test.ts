import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeDisk, createFakeStore } from '#tests/fakes/upload-store.ts'
import { describeUploadStore } from '#tests/suites/upload-store.ts'
import { createDexieStore } from '#src/local/uploads/adapters/dexie-store.ts'
import { silentLog } from '#src/lib/log.ts'

describeUploadStore('fake', async () => {
  const disk = createFakeDisk()
  const createTab = () => createFakeStore(disk, () => false)
  return {
    store: createTab(),
    otherTab: createTab(),
    add: async (row) => {
      disk.rows.set(row.id, row)
      for (const listener of Array.from(disk.listeners)) listener()
    },
    close: async () => undefined,
  }
})

describeUploadStore('Dexie', async () => {
  const device = newDevice()
  const db = await openTestDb(device)
  const otherDb = await openTestDb(device)
  return {
    store: createDexieStore(db, silentLog, createFakeClock()),
    otherTab: createDexieStore(otherDb, silentLog, createFakeClock()),
    add: async (row) => void (await db.uploads.put(row)),
    close: async () => {
      otherDb.close()
      db.close()
    },
  }
})
