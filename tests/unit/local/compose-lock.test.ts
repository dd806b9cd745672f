import { expect, onTestFinished, test } from 'vitest'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles, type FakeFolder } from '#tests/fakes/fake-files.ts'
import { fakeMadeFileRow } from '#tests/fakes/fake-rows.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import {
  newSalt,
  putLockOn,
  readLocked,
  setLockAfter,
  takeLockOff,
  unlock,
  type Locked,
} from '#src/local/compose-lock.ts'
import { accountFolder, writeWhole } from '#src/local/db/account-files.ts'
import { openAccountDb } from '#src/local/db/account-db.ts'
import { openDeviceDb, writeLastUserId } from '#src/local/db/device-db.ts'
import { hideScene } from '#src/local/db/hidden-scenes.ts'
import { pictureOf } from '#src/local/db/images.ts'
import { AccountLocked } from '#src/local/db/sealed-rows.ts'
import { keptFetchesOf } from '#src/local/kept/by-browser.ts'
import { createKeptBytes, openKeptRange, STEP_BYTES } from '#src/local/kept/kept-bytes.ts'
import { createMadeBytes } from '#src/local/made/made-bytes.ts'
import { createLog } from '#src/lib/log.ts'

const FILM = 'ftypisom moov, and then the pictures'
const passkey = (byte: number) => new Uint8Array(32).fill(byte)

const keptRow = (outputId: string, sizeBytes: number) => ({
  outputId,
  taskId: 't',
  mediaJobId: 'j',
  fileName: 'beach.mp4',
  contentType: 'video/mp4',
  sizeBytes,
  state: 'kept' as const,
  gotBytes: sizeBytes,
  queuedAtEpochMs: 1,
  lastOpenedAtEpochMs: 1,
})

const madeRow = {
  id: 'm',
  uploadId: 'u',
  videoName: 'beach.mp4',
  slug: 'tube-cut',
  payload: {},
  editName: 'Tube cut',
  state: {
    kind: 'ready' as const,
    files: [{ fileName: 'beach cut.mp4', contentType: 'video/mp4', sizeBytes: FILM.length }],
  },
  createdAtEpochMs: 1,
  seenAtEpochMs: null,
}

/** A device with a kept file, a device edit, a picture, and the file of an upload. */
async function createWorld() {
  const device = newDevice()
  const deviceDb = await openDeviceDb(device)
  const files = createFakeFiles()
  const ports = createFakeChannelPorts()
  const log = createLog('test', () => undefined)
  const channel = createChannel({ port: ports(), log })
  const other = createChannel({ port: ports(), log })
  const told: string[] = []
  other.on('app-locked', ({ type }) => told.push(type))
  onTestFinished(() => {
    channel.close()
    other.close()
    deviceDb.close()
  })
  await writeLastUserId(deviceDb, USER_ID)
  const db = await openAccountDb(USER_ID, device)
  await db.keptFiles.put(keptRow('o', FILM.length))
  await db.madeFiles.put(madeRow)
  const picture = new Blob(['JPEG'], { type: 'image/jpeg' })
  await db.images.put({ key: 'upload-poster:u', blob: picture, savedAtEpochMs: 1 })
  await db.blobs.put({ uploadId: 'u', blob: new Blob([FILM]) })
  db.close()
  await createKeptBytes(files.open, USER_ID, null).write('o', 0, new Blob([FILM]))
  await createMadeBytes(files.open, USER_ID, null).write('m', [
    { fileName: 'x', contentType: 'video/mp4', blob: new Blob([FILM]) },
  ] as never)
  const unfinished = fakeMadeFileRow({
    id: 'half',
    state: { kind: 'failed', code: 'made/unfinished' },
    kept: { rung: 'now', share: 0.5, passage: 3, passages: 6 },
  })
  const half = await openAccountDb(USER_ID, device)
  await half.madeFiles.put(unfinished)
  half.close()
  const bytes = createMadeBytes(files.open, USER_ID, null)
  await bytes.writePiece('half', 'k.passage-3', new Blob([FILM]))
  const stray = await accountFolder(files.open, USER_ID, 'kept')
  await writeWhole(await stray.getDirectoryHandle('stray', { create: true }), '0', new Blob([FILM]))
  const ended: string[] = []
  const getter = { end: async (idPrefix: string) => void ended.push(idPrefix) }
  const deps = { deviceDb, files: files.open, dbOptions: device, channel, getter }
  const putOn = () =>
    putLockOn(deps, USER_ID, {
      credentialId: passkey(9),
      salt: newSalt(),
      answer: passkey(1),
    })
  const locked = async (): Promise<Locked> => {
    const found = await readLocked(deviceDb)
    if (found === null) throw new Error('no lock is on')
    return found
  }
  return { device, deviceDb, deps, files, told, ended, putOn, locked }
}

async function textOf(folder: FakeFolder): Promise<string> {
  const texts = await Promise.all(
    [...folder.children.values()].map(async (entry) =>
      entry.kind === 'directory' ? textOf(entry) : (await entry.getFile()).text(),
    ),
  )
  return texts.join('\n')
}

test('PHO-06 a lock that is put on ends what the browser gets, and an open page gets the rest', async () => {
  const { device, deps, ended, putOn, locked } = await createWorld()
  const before = await openAccountDb(USER_ID, device)
  const handed = { fromBytes: 0, atEpochMs: 1 }
  await before.keptFiles.update('o', { state: 'getting', handed })
  before.close()
  await putOn()
  expect(ended).toEqual([keptFetchesOf(USER_ID)])
  const opened = await unlock(deps, await locked(), passkey(1))
  if (!opened.ok || opened.value === null) throw new Error('it did not open')
  const db = await openAccountDb(USER_ID, device, { keys: opened.value.keys, writes: 'sealed' })
  const row = await db.keptFiles.get('o')
  db.close()
  expect(row?.state).toBe('queued')
  expect(row).not.toHaveProperty('handed')
})

test('PHO-06 a lock that is put on seals rows, pictures, kept files and device edits, opens by its passkey only, and comes off', async () => {
  const { device, deps, files, told, putOn, locked } = await createWorld()
  expect(await textOf(files.root)).toContain('moov')
  await putOn()
  expect(told).toEqual(['app-locked'])
  expect(await textOf(files.root)).not.toMatch(/ftyp|moov|pictures/)
  const without = await openAccountDb(USER_ID, device)
  await expect(without.keptFiles.toArray()).rejects.toThrow(AccountLocked)
  expect(await without.blobs.count()).toBe(0)
  without.close()

  const refused = await unlock(deps, await locked(), passkey(2))
  expect(refused).toEqual({ ok: false, error: { code: 'lock/other-answer' } })
  expect((await locked()).lock.state).toBe('sealing')
  const opened = await unlock(deps, await locked(), passkey(1))
  if (!opened.ok || opened.value === null) throw new Error('it did not open')
  expect((await locked()).lock.state).toBe('sealed')
  const { keys } = opened.value
  const db = await openAccountDb(USER_ID, device, { keys, writes: 'sealed' })
  expect((await db.keptFiles.get('o'))?.fileName).toBe('beach.mp4')
  const picture = pictureOf((await db.images.toArray())[0] ?? { key: '', savedAtEpochMs: 0 })
  expect([picture.type, await picture.text()]).toEqual(['image/jpeg', 'JPEG'])
  await hideScene(db, 'scene', true)
  db.close()
  const kept = createKeptBytes(files.open, USER_ID, keys)
  expect(await (await kept.read('o', FILM.length, 'video/mp4'))?.text()).toBe(FILM)
  expect(await kept.list()).toEqual(['o'])
  const made = createMadeBytes(files.open, USER_ID, keys)
  expect(await (await made.open('m', 0, FILM.length))?.text()).toBe(FILM)
  // Pieces of what is not finished are not worth a seal: they go, and their row says so.
  expect(await made.openPiece('half', 'k.passage-3')).toBe(null)

  await takeLockOff(deps, opened.value)
  expect(await readLocked(deps.deviceDb)).toBeNull()
  const open = await openAccountDb(USER_ID, device)
  expect((await open.madeFiles.get('m'))?.editName).toBe('Tube cut')
  expect((await open.madeFiles.get('half'))?.kept).toBe(null)
  expect((await open.images.toArray())[0]?.blob).toBeInstanceOf(Blob)
  expect(await open.facts.count(), 'what was hidden is shown again').toBe(0)
  open.close()
  expect(
    await (
      await createKeptBytes(files.open, USER_ID, null).read('o', FILM.length, 'video/mp4')
    )?.text(),
  ).toBe(FILM)
})

test('PHO-06 what another page still wrote while the lock was put on is sealed at the next unlocking', async () => {
  const { device, deps, deviceDb, putOn, locked } = await createWorld()
  await putOn()
  const late = await openAccountDb(USER_ID, device)
  await late.keptFiles.put(keptRow('late', 1))
  late.close()
  await unlock(deps, await locked(), passkey(1))
  const without = await openAccountDb(USER_ID, device)
  await expect(without.keptFiles.get('late')).rejects.toThrow(AccountLocked)
  without.close()
  await setLockAfter(deviceDb, USER_ID, 60_000)
  expect((await locked()).lock).toMatchObject({ lockAfterMs: 60_000, state: 'sealed' })
})

test('PHO-06 a player gets any range of a sealed file over chunks and steps', async () => {
  const { deps, files, putOn, locked } = await createWorld()
  await putOn()
  const opened = await unlock(deps, await locked(), passkey(1))
  if (!opened.ok || opened.value === null) throw new Error('it did not open')
  const { keys } = opened.value
  const size = STEP_BYTES + 300_000
  const bytes = new Uint8Array(size).map((_zero, at) => (at * 31) % 251)
  const kept = createKeptBytes(files.open, USER_ID, keys)
  await kept.write('big', 0, new Blob([bytes.subarray(0, STEP_BYTES)]))
  expect(await kept.isWhole('big', size)).toBe(false)
  await kept.write('big', STEP_BYTES, new Blob([bytes.subarray(STEP_BYTES)]))
  expect(await kept.isWhole('big', size)).toBe(true)
  for (const [from, to] of [
    [0, 1],
    [262_143, 262_145],
    [STEP_BYTES - 5, STEP_BYTES + 5],
    [size - 1, size],
  ] as const) {
    const parts: number[] = []
    const file = { userId: USER_ID, outputId: 'big' }
    for await (const part of openKeptRange(files.open, keys, file, from, to)) parts.push(...part)
    expect(parts).toEqual([...bytes.subarray(from, to)])
  }
})
