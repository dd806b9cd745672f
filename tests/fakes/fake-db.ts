// First: live queries run only where Dexie found a global IndexedDB when it was loaded.
import 'fake-indexeddb/auto'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { openAccountDb, type AccountDb, type DbOptions } from '#src/local/db/account-db.ts'
import { openDeviceDb, type DeviceDb } from '#src/local/db/device-db.ts'

export const USER_ID = '0197a3f2-7c1e-7b90-a111-000000000001'

/** A fresh IndexedDB implementation: a device of its own. */
export function newDevice(): Required<DbOptions> {
  return { indexedDB: new IDBFactory(), IDBKeyRange }
}

/** Opens the test user's database on a device. */
export function openTestDb(device: DbOptions = newDevice()): Promise<AccountDb> {
  return openAccountDb(USER_ID, device)
}

/** What a device stores without an account, on a device of its own. */
export function openTestDeviceDb(): Promise<DeviceDb> {
  return openDeviceDb(newDevice())
}
