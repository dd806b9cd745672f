import { Dexie } from 'dexie'
import { expect, it } from 'vitest'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { accountDbName, openAccountDb, storesByVersion } from '#src/local/db/account-db.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { nouns } from '#src/local/nouns/all.ts'

it('the first version stays as it was published, so that no device migrates', () => {
  expect(storesByVersion().get(1)).toEqual({
    mediaJobs: '_id, createdAt, name, uploadRequestId',
    orders: '_id, mediaJobId',
    wallets: '_id',
    walletTransactions: '_id, walletId, createdAt',
    presets: '_id, slug, position',
    mediaAssets: '_id, createdAt',
    facts: 'key',
    images: 'key',
    uploads: 'id, uploadRequestId, createdAtEpochMs',
    uploadParts: '[uploadId+partNumber], uploadId',
    handles: 'uploadId',
    blobs: 'uploadId',
    selections: 'key',
    outbox: 'id, createdAtEpochMs',
    drafts: 'key',
    paymentIntents: 'orderId',
  })
})

it('every noun has a table of its own, and versions count without gaps', async () => {
  const versions = [...storesByVersion().keys()].sort((a, b) => a - b)
  expect(versions).toEqual(versions.map((_, index) => index + 1))
  const db = await openTestDb()
  const tables = new Set(db.tables.map(({ name }) => name))
  expect(nouns.filter(({ table }) => !tables.has(table))).toEqual([])
  expect(new Set(nouns.map(({ table }) => table)).size).toBe(nouns.length)
  db.close()
})

it('a device of an older version gets the entries of the jobs that it has', async () => {
  const device = newDevice()
  const old = new Dexie(accountDbName(USER_ID), device)
  old.version(1).stores(storesByVersion().get(1) ?? {})
  old.version(2).stores(storesByVersion().get(2) ?? {})
  await old.open()
  await old
    .table('mediaJobs')
    .bulkPut([1, 2].map((id) => mediaJobToRow(fakeMediaJob({ _id: idOf(id) }), 1)))
  old.close()
  const db = await openAccountDb(USER_ID, device)
  expect(await db.libraryEntries.orderBy('_id').primaryKeys()).toEqual([idOf(1), idOf(2)])
  db.close()
})

it('a device of any older version gets every table and index', async () => {
  const versions = [...storesByVersion()].sort(([one], [other]) => one - other)
  const isNew = await openTestDb()
  const tables = indexesOf(isNew.backendDB())
  isNew.close()
  for (const [last] of versions) {
    const device = newDevice()
    const old = new Dexie(accountDbName(USER_ID), device)
    for (const [version, stores] of versions)
      if (version <= last) old.version(version).stores(stores)
    await old.open()
    old.close()
    const db = await openAccountDb(USER_ID, device)
    expect(indexesOf(db.backendDB()), `from version ${last}`).toEqual(tables)
    db.close()
  }
})

/** The tables of a database as the browser has them, each with its key and indexes. */
function indexesOf(db: IDBDatabase): readonly unknown[] {
  const tables = [...db.objectStoreNames]
  const transaction = db.transaction(tables)
  return tables.map((table) => {
    const store = transaction.objectStore(table)
    return [table, store.keyPath, [...store.indexNames]]
  })
}
