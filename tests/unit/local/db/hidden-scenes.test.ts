import { expect, test } from 'vitest'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { openAccountDb, storesByVersion } from '#src/local/db/account-db.ts'
import { FACTS } from '#src/local/db/facts.ts'
import { hideScene, openHiddenScenes } from '#src/local/db/hidden-scenes.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import { newDataKey, sealKeysOf } from '#src/local/db/seal.ts'
import { isNeverSealed } from '#src/local/db/sealed-rows.ts'
import { clearPulledRows } from '#src/local/db/wipe.ts'

const SCENE = 'scene-hidden'

const job = (id: string, uploadRequestId: string) => ({
  _id: id,
  name: id,
  createdAt: `2026-01-${id}`,
  uploadRequestId,
  value: { _id: id, orderId: `order-${id}`, tasks: [{ _id: `task-${id}` }] },
  pulledAtEpochMs: 1,
})

async function createWorld() {
  const device = newDevice()
  const keys = await sealKeysOf(newDataKey())
  const db = await openAccountDb(USER_ID, device, { keys, writes: 'sealed' })
  const jobs = [job('1', 'a'), job('2', SCENE), job('3', 'a'), job('4', SCENE), job('5', 'b')]
  await db.mediaJobs.bulkPut(jobs as never[])
  await db.uploads.bulkPut([{ id: 'upload-2', uploadRequestId: SCENE }] as never[])
  await db.orders.bulkPut([{ _id: 'order-old', mediaJobId: '4' }] as never[])
  const hidden = await openHiddenScenes(db, keys, device)
  return { device, keys, db, hidden, shown: hidden.shown }
}
type World = Awaited<ReturnType<typeof createWorld>>

async function hide({ db, hidden }: World): Promise<void> {
  await hideScene(db, SCENE, true)
  await expect.poll(() => hidden.current().scenes.has(SCENE)).toBe(true)
}

test('PHO-06 a hidden scene is in no table that screens read, by whichever of its ids a row names it', async () => {
  const world = await createWorld()
  await hide(world)
  const { db, hidden, shown } = world
  expect([...hidden.current().ids].toSorted()).toEqual(
    ['2', '4', 'order-2', 'order-4', 'order-old', SCENE, 'task-2', 'task-4', 'upload-2'].toSorted(),
  )
  const tables = [...storesByVersion().values()].flatMap((stores) => Object.keys(stores))
  for (const name of new Set(
    tables.filter((table) => table !== 'facts' && !isNeverSealed(table)),
  )) {
    const table = db.table(name)
    await table.clear()
    const keyPath = [table.schema.primKey.keyPath ?? ''].flat()
    const row = (key: string, named: string) => ({
      ...Object.fromEntries(keyPath.map((field) => [field, key])),
      deep: { in: [{ it: named }] },
    })
    // These two are known by the choice itself; the rows of others are just being replaced.
    const ids = [SCENE, 'upload-2']
    await table.bulkPut([...ids.map((id, at) => row(`h${at}`, id)), row('k', 'other')])
    const of = shown.table(name)
    const key = (at: string) => (keyPath.length === 1 ? at : keyPath.map(() => at))
    expect(await table.count(), name).toBe(ids.length + 1)
    expect(await of.toArray(), name).toEqual([row('k', 'other')])
    expect(await of.count(), name).toBe(1)
    expect(await of.toCollection().primaryKeys(), name).toEqual([key('k')])
    expect(await of.get(key('h0')), name).toBe(undefined)
    // A row whose key is such an id, as choices and reviews of faces have it.
    await table.clear()
    await table.put(row(SCENE, 'other'))
    expect(await of.count(), name).toBe(0)
  }
})

test('PHO-06 facts keep what is not hidden: uploads, storage and its log, rules of kept files', async () => {
  const world = await createWorld()
  await hide(world)
  const entry = (uploadRequestId: string) => ({ uploadRequestId, name: uploadRequestId })
  await world.db.facts.bulkPut(
    [
      { key: FACTS.uploads, value: [entry('a'), entry(SCENE)] },
      {
        key: FACTS.storage,
        value: { videoCount: 2, videos: [entry(SCENE), entry('a')], deletions: [{ name: 'x' }] },
      },
      { key: FACTS.keeping, value: { limitBytes: 1, rules: [entry(SCENE)] } },
    ].map((row) => ({ ...row, pulledAtEpochMs: 1 })),
  )
  const valueOf = async (key: string) => (await world.shown.facts.get(key))?.value
  expect(await valueOf(FACTS.uploads)).toEqual([entry('a')])
  expect(await valueOf(FACTS.storage)).toEqual({
    videoCount: 1,
    videos: [entry('a')],
    deletions: [],
  })
  expect(await valueOf(FACTS.keeping)).toEqual({ limitBytes: 1, rules: [] })
})

test('PHO-06 every kind of query leaves hidden scenes out, and what is shown is only read', async () => {
  const world = await createWorld()
  await hide(world)
  const jobs = world.shown.mediaJobs
  const idsOf = (rows: readonly { readonly _id: string }[]) => rows.map(({ _id }) => _id)
  expect(idsOf(await jobs.orderBy('createdAt').reverse().limit(2).toArray())).toEqual(['5', '3'])
  expect(idsOf(await jobs.orderBy('createdAt').offset(1).limit(1).toArray())).toEqual(['3'])
  expect((await jobs.bulkGet(['1', '2'])).map((row) => row?._id)).toEqual(['1', undefined])
  expect(await jobs.where('uploadRequestId').equals(SCENE).count()).toBe(0)
  expect(await jobs.where('uploadRequestId').anyOf(['a', SCENE]).primaryKeys()).toEqual(['1', '3'])
  expect(await jobs.where({ uploadRequestId: SCENE }).first()).toBe(undefined)
  expect(idsOf(await jobs.filter(({ _id }) => _id !== '1').toArray())).toEqual(['3', '5'])
  expect(await jobs.filter(() => true).count()).toBe(3)
  await expect(jobs.put(job('9', 'a') as never)).rejects.toThrow('only read')
})

test('PHO-06 a pull does not bring a hidden scene back; its owner does, in this page, until it is covered', async () => {
  const world = await createWorld()
  const { db, hidden, shown } = world
  const seen: { whole: number[]; shown: number[] } = { whole: [], shown: [] }
  const follow = (of: typeof db, into: number[]) =>
    subscribeLive(async () => (await of.mediaJobs.toArray()).length, {
      next: (count) => void into.push(count),
      error: () => undefined,
    })
  // Both ask the same of one database, whose answers Dexie shares between connections.
  const stops = [follow(db, seen.whole)]
  await hide(world)
  stops.push(follow(shown, seen.shown))
  await expect.poll(() => seen.shown.at(-1)).toBe(3)
  await db.mediaJobs.bulkPut([job('6', SCENE), job('7', 'c')] as never[])
  await expect.poll(() => [seen.whole.at(-1), seen.shown.at(-1)]).toEqual([7, 4])
  expect(Math.max(...seen.shown)).toBe(4)
  for (const stop of stops) stop()
  hidden.reveal(true)
  expect(await shown.mediaJobs.count()).toBe(7)
  hidden.reveal(false)
  expect(await shown.mediaJobs.count()).toBe(4)
  await hideScene(db, SCENE, false)
  await expect.poll(() => hidden.current().ids.size).toBe(0)
  expect(await shown.mediaJobs.count()).toBe(7)
})

test('PHO-06 what is hidden is sealed, stays when a session ends, and closes with the account', async () => {
  const world = await createWorld()
  await hide(world)
  const { db, device, shown } = world
  await clearPulledRows(db)
  expect(await db.facts.toCollection().primaryKeys()).toEqual([FACTS.hiddenScenes])
  const locked = await openAccountDb(USER_ID, device)
  await expect(locked.facts.get(FACTS.hiddenScenes)).rejects.toThrow('locked')
  db.close({ disableAutoOpen: true })
  expect(shown.isOpen()).toBe(false)
})
