import { expect, test } from 'vitest'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { accountDbName, openAccountDb, storesByVersion } from '#src/local/db/account-db.ts'
import { newDataKey, openValue, sealKeysOf, sealValue } from '#src/local/db/seal.ts'
import { AccountLocked, type RowSeal } from '#src/local/db/sealed-rows.ts'

const TITLE = 'Beach day with Ana'

async function newSeal(): Promise<RowSeal> {
  return { keys: await sealKeysOf(newDataKey()), writes: 'sealed' }
}

const jobRow = (id: string, name: string) =>
  ({
    _id: id,
    name,
    createdAt: `2026-01-0${id}`,
    uploadRequestId: `r${id}`,
    value: { name, tasks: [] },
    pulledAtEpochMs: 1,
  }) as never

/** All that a person without the key reads of an account, as text. */
async function dump(device: ReturnType<typeof newDevice>): Promise<string> {
  const raw = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = device.indexedDB.open(accountDbName(USER_ID))
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error ?? new Error('no database'))
  })
  const texts: string[] = []
  for (const store of raw.objectStoreNames) {
    const rows = await new Promise<unknown[]>((resolve) => {
      const all = raw.transaction(store).objectStore(store).getAll()
      all.onsuccess = () => resolve(all.result)
    })
    texts.push(
      ...rows.map((row) =>
        JSON.stringify(row, (_key, part: unknown) =>
          part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : part,
        ),
      ),
    )
  }
  raw.close()
  return texts.join('\n')
}

test('PHO-06 rows of a locked account are read with its key by every kind of query, and say nothing without it', async () => {
  const device = newDevice()
  const db = await openAccountDb(USER_ID, device, await newSeal())
  await db.mediaJobs.bulkPut([jobRow('1', TITLE), jobRow('2', 'Other'), jobRow('3', TITLE)])
  expect((await db.mediaJobs.get('1'))?.name).toBe(TITLE)
  expect((await db.mediaJobs.bulkGet(['2', '9'])).map((row) => row?.name)).toEqual([
    'Other',
    undefined,
  ])
  const newest = await db.mediaJobs.orderBy('createdAt').reverse().limit(2).toArray()
  expect(newest.map(({ _id }) => _id)).toEqual(['3', '2'])
  expect(await db.mediaJobs.where('uploadRequestId').equals('r2').count()).toBe(1)
  expect(await db.mediaJobs.filter(({ name }) => name === TITLE).primaryKeys()).toEqual(['1', '3'])
  const seen: string[] = []
  await db.mediaJobs.orderBy('createdAt').each((row) => seen.push(row.name))
  expect(seen).toEqual([TITLE, 'Other', TITLE])
  await db.transaction('rw', db.mediaJobs, async () => {
    await db.mediaJobs.update('2', { name: 'Renamed' })
    await db.mediaJobs.where('uploadRequestId').equals('r3').modify({ createdAt: '2026-02-01' })
  })
  expect(await db.mediaJobs.get('2')).toMatchObject({ name: 'Renamed', value: { name: 'Other' } })
  expect((await db.mediaJobs.orderBy('createdAt').last())?._id).toBe('3')
  expect(await dump(device)).not.toMatch(/Beach|Ana|Other|Renamed|tasks/)
  db.close()
  const locked = await openAccountDb(USER_ID, device)
  await expect(locked.mediaJobs.toArray()).rejects.toThrow(AccountLocked)
  await expect(locked.mediaJobs.get('1')).rejects.toThrow(AccountLocked)
  locked.close()
  const other = await openAccountDb(USER_ID, device, await newSeal())
  await expect(other.mediaJobs.get('1')).rejects.toThrow()
  other.close()
})

test('PHO-06 parts keep their compound keys, bytes in rows come back, and what cannot be sealed is not kept', async () => {
  const device = newDevice()
  const db = await openAccountDb(USER_ID, device, await newSeal())
  const part = { uploadId: 'u', eTag: 'e', sizeBytes: 5, sha256: 's', safeAtEpochMs: 1 }
  await db.uploadParts.bulkAdd([1, 2].map((partNumber) => ({ ...part, partNumber })))
  expect((await db.uploadParts.get(['u', 2]))?.sizeBytes).toBe(5)
  expect(await db.uploadParts.where('uploadId').equals('u').count()).toBe(2)
  const head = new TextEncoder().encode('ftypisom moov')
  await db.excerpts.put({ uploadId: 'u', head, ranges: [{ start: 1, end: 2 }], sizeBytes: 9 })
  expect((await db.excerpts.get('u'))?.head).toEqual(head)
  await db.handles.put({ uploadId: 'u', handle: { name: 'ana.mp4' } as FileSystemFileHandle })
  await db.blobs.add({ uploadId: 'u', blob: new Blob(['ftyp']) })
  expect([await db.handles.count(), await db.blobs.count()]).toEqual([0, 0])
  expect(await dump(device)).not.toMatch(/ftyp|moov|ana/)
  db.close()
})

test('PHO-06 rows open again where the lock is taken off, and a row at another place does not', async () => {
  const device = newDevice()
  const seal = await newSeal()
  const db = await openAccountDb(USER_ID, device, seal)
  await db.mediaJobs.put(jobRow('1', TITLE))
  db.close()
  const opening = await openAccountDb(USER_ID, device, { ...seal, writes: 'opening' })
  await opening.mediaJobs.bulkPut(await opening.mediaJobs.toArray())
  opening.close()
  const open = await openAccountDb(USER_ID, device)
  expect((await open.mediaJobs.get('1'))?.name).toBe(TITLE)
  open.close()
  const sealed = sealValue(seal.keys, 'one', { name: TITLE })
  expect(openValue(seal.keys, 'one', sealed)).toEqual({ name: TITLE })
  expect(() => openValue(seal.keys, 'two', sealed)).toThrow()
})

test('PHO-06 what stands in clear beside a sealed row is an id, a time or the name of a fact', () => {
  const indexes = [...storesByVersion()].flatMap(([_version, stores]) =>
    Object.entries(stores).flatMap(([table, schema]) =>
      schema.split(', ').map((index) => `${table}.${index.replace('&', '')}`),
    ),
  )
  const said = indexes.filter(
    (index) => !/\.(?:_id|id|key|.*Id|\[.*\]|createdAt|.*EpochMs)$/.test(index),
  )
  expect(said).toEqual(['mediaJobs.name', 'presets.slug', 'presets.position'])
})
