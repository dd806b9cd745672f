import { expect, it } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles, type FakeFolder } from '#tests/fakes/fake-files.ts'
import { openDeviceDb, readPendingWipes } from '#src/local/db/device-db.ts'
import { accountFolder, writeWhole } from '#src/local/db/account-files.ts'
import { removeOwnerlessFiles, wipeAccount } from '#src/local/db/wipe.ts'

const OTHER_ID = '0'.repeat(24)

it('PHO-08: leaving the device removes all files of the account and no others', async () => {
  const { files, wipe } = await createWorld()
  const kept = await accountFolder(files.open, USER_ID, 'kept')
  await kept.getFileHandle('a', { create: true })
  const others = await accountFolder(files.open, OTHER_ID, 'made')
  await others.getFileHandle('b', { create: true })

  expect(await wipe()).toMatchObject({ ok: true })

  const accounts = await files.root.getDirectoryHandle('accounts')
  expect([...accounts.children.keys()]).toEqual([OTHER_ID])
})

it('PHO-08: an account that has no files is wiped', async () => {
  const { wipe } = await createWorld()
  expect(await wipe()).toMatchObject({ ok: true })
})

it('PHO-08: files that a worker still holds are removed at the next start', async () => {
  const { files, wipe, deviceDb } = await createWorld()
  const made = await accountFolder(files.open, USER_ID, 'made')
  await made.getFileHandle('a', { create: true })
  const folder = await (await files.root.getDirectoryHandle('accounts')).getDirectoryHandle(USER_ID)
  const file = await (await folder.getDirectoryHandle('made')).getFileHandle('a')
  file.isLocked = true

  expect(await wipe()).toMatchObject({ ok: false, error: { code: 'wipe/blocked' } })
  expect(await readPendingWipes(deviceDb)).toEqual([USER_ID])

  file.isLocked = false
  expect(await wipe()).toMatchObject({ ok: true })
  expect(await readPendingWipes(deviceDb)).toEqual([])
})

it('PHO-08: what a service worker wrote while its account was wiped goes at the next start', async () => {
  const { files, deps, wipe } = await createWorld()
  await openTestDb(deps.dbOptions)
  const here = await accountFolder(files.open, USER_ID, 'kept')
  await here.getFileHandle('a', { create: true })
  const gone = await accountFolder(files.open, OTHER_ID, 'kept')
  await gone.getFileHandle('b', { create: true })
  const left = async () => [...(await files.root.getDirectoryHandle('accounts')).children.keys()]

  await removeOwnerlessFiles(deps)
  expect(await left()).toEqual([USER_ID])
  await wipe()
  await accountFolder(files.open, USER_ID, 'kept')
  await removeOwnerlessFiles(deps)
  expect(await left()).toEqual([])
})

it('PHO-04: a write for which there is no room says so, also where the browser first says something else', async () => {
  const { files } = await createWorld()
  const folder = await accountFolder(files.open, USER_ID, 'kept')
  const said = ['NotReadableError', 'AbortError', 'QuotaExceededError', 'NotReadableError']
  const file = await (folder as unknown as FakeFolder).getFileHandle('a', { create: true })
  file.createWritable = async () => ({
    write: async () => Promise.reject(new DOMException(said[0], said.shift())),
    close: async () => undefined,
    abort: async () => undefined,
  })
  await expect(writeWhole(folder, 'a', new Blob(['bytes']))).rejects.toThrow('QuotaExceededError')
  expect(said).toEqual(['NotReadableError'])
})

async function createWorld() {
  const device = newDevice()
  const deviceDb = await openDeviceDb(device)
  const files = createFakeFiles()
  const deps = {
    deviceDb,
    clock: createFakeClock(),
    caches: null,
    files: files.open,
    dbOptions: device,
  }
  return { files, deviceDb, deps, wipe: () => wipeAccount(deps, USER_ID, null) }
}
