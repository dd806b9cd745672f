import { expect, it } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import {
  addSharedFiles,
  dropSharedFile,
  dropSharedFilesOf,
  markSharedFileUsed,
  newShareId,
  readSharedFiles,
  settleSharedFiles,
  sharedFileHandle,
  type SharedFile,
} from '#src/local/db/shared-files.ts'
import { wipeAccount } from '#src/local/db/wipe.ts'
import { DAY_MS } from '#src/lib/time.ts'

const OTHER_ID = '0'.repeat(24)

it('PHO-03 PHO-08: what comes while no account is signed in is the next one’s, and leaves with it', async () => {
  const world = await createWorld()
  await world.share('a', null)
  await world.settle(null)
  expect(await world.names()).toEqual(['a'])
  await world.settle(USER_ID)
  expect(await world.names()).toEqual(['a'])
  expect(await readSharedFiles(world.deviceDb, OTHER_ID)).toEqual([])
  // A session that ends by itself: its owner has just learned of it by sharing.
  await world.wipe(USER_ID)
  expect(await world.names()).toEqual(['a'])
  await dropSharedFilesOf(world.deviceDb, world.files.open, USER_ID)
  expect(await world.names()).toEqual([])
  expect(world.folders()).toEqual([])
})

it('PHO-03: another account that signs in finds nothing of the one before', async () => {
  const world = await createWorld()
  await world.share('a', USER_ID)
  await world.settle(OTHER_ID)
  expect(await world.names()).toEqual([])
  expect(world.folders()).toEqual([])
})

it('PHO-03: what is not used goes after a day, what is used stays while its upload may need it', async () => {
  const world = await createWorld()
  const used = await world.share('used', USER_ID)
  await world.share('unused', USER_ID)
  await markSharedFileUsed(world.deviceDb, used, USER_ID)
  expect(await world.names()).toEqual(['unused'])
  await world.clock.advance(DAY_MS + 1)
  // Another account does not take it away from the upload.
  await world.settle(OTHER_ID)
  expect(await world.names()).toEqual([])
  expect(world.folders()).toEqual([used.shareId])
  await world.clock.advance(8 * DAY_MS)
  await world.settle(USER_ID)
  expect(world.folders()).toEqual([])

  const again = await world.share('again', USER_ID)
  await markSharedFileUsed(world.deviceDb, again, USER_ID)
  await world.wipe(USER_ID)
  expect(world.folders()).toEqual([])
})

it('PHO-03: a share that was never finished goes after a day, and not while it is written', async () => {
  const world = await createWorld()
  const file = { shareId: newShareId(world.clock.now(), 'x'), number: 0, name: 'a' }
  await sharedFileHandle(world.files.open, file, { create: true })
  await world.settle(USER_ID)
  expect(world.folders()).toEqual([file.shareId])
  await world.clock.advance(DAY_MS + 1)
  await world.settle(USER_ID)
  expect(world.folders()).toEqual([])
})

it('PHO-03: of several files each is used or removed by itself, under a name that files can have', async () => {
  const world = await createWorld()
  const first = await world.share('../a:b.mp4', USER_ID)
  const second = { ...first, number: 1, name: '...' }
  await sharedFileHandle(world.files.open, second, { create: true })
  await addSharedFiles(world.deviceDb, [second])
  expect((await sharedFileHandle(world.files.open, first)).name).toBe('_a_b.mp4')
  expect((await sharedFileHandle(world.files.open, second)).name).toBe('video')
  await dropSharedFile(world.deviceDb, world.files.open, first)
  expect(await world.names()).toEqual(['...'])
  expect(world.folders()).toEqual([first.shareId])
  await dropSharedFile(world.deviceDb, world.files.open, second)
  expect(world.folders()).toEqual([])
})

async function createWorld() {
  const device = newDevice()
  const deviceDb = await openDeviceDb(device)
  const files = createFakeFiles()
  const clock = createFakeClock()
  let count = 0
  return {
    deviceDb,
    files,
    clock,
    share: async (name: string, userId: string | null): Promise<SharedFile> => {
      const shareId = newShareId(clock.now(), String((count += 1)))
      const atEpochMs = clock.now()
      const file = { shareId, number: 0, name, sizeBytes: 0, atEpochMs, userId, isUsed: false }
      await sharedFileHandle(files.open, file, { create: true })
      await addSharedFiles(deviceDb, [file])
      return file
    },
    settle: (userId: string | null) => settleSharedFiles(deviceDb, files.open, userId, clock.now()),
    wipe: (userId: string) =>
      wipeAccount(
        { deviceDb, clock, caches: null, files: files.open, dbOptions: device },
        userId,
        null,
      ),
    names: async () => (await readSharedFiles(deviceDb, USER_ID)).map(({ name }) => name),
    folders: () => {
      const shared = files.root.children.get('shared')
      return shared?.kind === 'directory' ? [...shared.children.keys()] : []
    },
  }
}
