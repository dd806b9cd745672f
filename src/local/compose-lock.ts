/**
 * The app lock of a device ([Note: app lock] in `db/app-lock.ts`), as a page puts it on, opens it
 * and takes it off. It stands beside `compose.ts` because it comes before any account is open.
 */
import type { Channel } from '#src/local/channel/channel.ts'
import { openAccountDb, type AccountDb, type DbOptions } from '#src/local/db/account-db.ts'
import {
  absent,
  accountFolder,
  namesIn,
  writeWhole,
  type FileRoom,
  type OpenFiles,
} from '#src/local/db/account-files.ts'
import {
  newSalt,
  readAppLock,
  unwrapKeys,
  wrapDataKey,
  writeAppLock,
  type AppLock,
} from '#src/local/db/app-lock.ts'
import { readLastUserId, type DeviceDb } from '#src/local/db/device-db.ts'
import { FACTS } from '#src/local/db/facts.ts'
import { resealedImage } from '#src/local/db/images.ts'
import { newDataKey, sealKeysOf, type SealKeys } from '#src/local/db/seal.ts'
import { openSealedFile, sealedSize, sealFile } from '#src/local/db/sealed-files.ts'
import { isNeverSealed, type RowSeal } from '#src/local/db/sealed-rows.ts'
import { dropSharedFilesOf } from '#src/local/db/shared-files.ts'
import { isBroken, isFinal, isReceived } from '#src/local/db/upload-states.ts'
import { keptFetchesOf, takeAllBack, type BrowserGetter } from '#src/local/kept/by-browser.ts'
import { keptPlace, stepsOf } from '#src/local/kept/kept-bytes.ts'
import { madePlace } from '#src/local/made/made-bytes.ts'
import { ok, type Result } from '#src/lib/result.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

/** An account whose keys this page has. */
export interface Unlocked {
  readonly userId: string
  readonly keys: SealKeys
}

/** The account that this device is of, which is locked. */
export interface Locked {
  readonly userId: string
  readonly lock: AppLock
}

export interface LockDeps {
  readonly deviceDb: DeviceDb
  /** Null where the browser has no file system of its own. */
  readonly files: OpenFiles | null
  /** Null where the browser gets no files. */
  readonly getter: Pick<BrowserGetter, 'end'> | null
  readonly dbOptions?: DbOptions
}

/** What a passkey answered to a salt. */
export interface PasskeyAnswer {
  readonly credentialId: Uint8Array<ArrayBuffer>
  readonly salt: Uint8Array<ArrayBuffer>
  readonly answer: Uint8Array<ArrayBuffer>
}

/** How long the app may be out of sight unless its owner chooses otherwise. */
const LOCK_AFTER_MS = 5 * MINUTE_MS
/** Between them the page answers. */
const ROWS_AT_ONCE = 200

export { newSalt }

/** The lock of the account that this device is of; null where none is on. Local read. */
export async function readLocked(deviceDb: DeviceDb): Promise<Locked | null> {
  const userId = await readLastUserId(deviceDb)
  const lock = userId === null ? null : await readAppLock(deviceDb, userId)
  return userId === null || lock === null ? null : { userId, lock }
}

/**
 * Opens the lock by what its passkey answered, and goes on with what an earlier page has not
 * finished of putting it on or taking it off. Null: it is taken off.
 */
export async function unlock(
  deps: LockDeps,
  { userId, lock }: Locked,
  answer: Uint8Array<ArrayBuffer>,
): Promise<Result<Unlocked | null, { readonly code: 'lock/other-answer' }>> {
  const opened = await unwrapKeys(userId, answer, lock)
  if (!opened.ok) return opened
  const unlocked = { userId, keys: opened.value }
  if (lock.state === 'sealed') return ok(unlocked)
  if (lock.state === 'opening') {
    await finishOpening(deps, unlocked)
    return ok(null)
  }
  await sealAll(deps, unlocked)
  await writeAppLock(deps.deviceDb, userId, { ...lock, state: 'sealed' })
  return ok(unlocked)
}

/** Whether an upload holds the lock off: its file cannot be kept sealed. */
export async function hasOpenUploads(db: AccountDb): Promise<boolean> {
  const open = await db.uploads
    .filter(({ state: { kind } }) => !isFinal(kind) && !isBroken(kind) && !isReceived(kind))
    .count()
  return open > 0
}

/**
 * Puts the lock on: from now on the account opens by this passkey only. Close the account in this
 * page first, and load the page again afterwards. What another page still wrote meanwhile is sealed
 * at the next unlocking.
 */
export async function putLockOn(
  deps: LockDeps & { readonly channel: Channel },
  userId: string,
  { credentialId, salt, answer }: PasskeyAnswer,
): Promise<void> {
  const dataKey = newDataKey()
  const wrapped = await wrapDataKey(userId, answer, dataKey)
  await writeAppLock(deps.deviceDb, userId, {
    ...wrapped,
    credentialId,
    salt,
    lockAfterMs: LOCK_AFTER_MS,
    state: 'sealing',
  })
  deps.channel.send({ v: 1, type: 'app-locked' })
  if (deps.files !== null) await dropSharedFilesOf(deps.deviceDb, deps.files, userId)
  await sealAll(deps, { userId, keys: await sealKeysOf(dataKey) })
}

/** Takes the lock off. As with `putLockOn`, between closing the account and loading the page. */
export async function takeLockOff(
  deps: LockDeps & { readonly channel: Channel },
  unlocked: Unlocked,
): Promise<void> {
  const lock = await readAppLock(deps.deviceDb, unlocked.userId)
  if (lock === null) return
  await writeAppLock(deps.deviceDb, unlocked.userId, { ...lock, state: 'opening' })
  deps.channel.send({ v: 1, type: 'app-locked' })
  await finishOpening(deps, unlocked)
}

/** How long the app may be out of sight before it locks itself. */
export async function setLockAfter(
  deviceDb: DeviceDb,
  userId: string,
  lockAfterMs: number,
): Promise<void> {
  await deviceDb.transaction('rw', deviceDb.facts, async () => {
    const lock = await readAppLock(deviceDb, userId)
    if (lock !== null) await writeAppLock(deviceDb, userId, { ...lock, lockAfterMs })
  })
}

async function sealAll(deps: LockDeps, { userId, keys }: Unlocked): Promise<void> {
  await deps.getter?.end(keptFetchesOf(userId))
  await rewrite(deps, userId, { keys, writes: 'sealed' })
}

async function finishOpening(deps: LockDeps, { userId, keys }: Unlocked): Promise<void> {
  await rewrite(deps, userId, { keys, writes: 'opening' })
  await writeAppLock(deps.deviceDb, userId, null)
}

/** Writes all rows and files of an account as its seal says. Idempotent. */
async function rewrite(deps: LockDeps, userId: string, seal: RowSeal): Promise<void> {
  const db = await openAccountDb(userId, deps.dbOptions, seal)
  try {
    // The browser gets nothing for an account with a lock: [Note: got by the browser].
    if (seal.writes === 'sealed') await takeAllBack(db)
    if (deps.files !== null) await rewriteFiles(deps.files, db, seal)
    // Without the lock nothing is hidden.
    if (seal.writes === 'opening') await db.facts.delete(FACTS.hiddenScenes)
    for (const { name } of db.tables) await rewriteTable(db, name, seal)
  } finally {
    db.close({ disableAutoOpen: true })
  }
}

async function rewriteTable(db: AccountDb, name: string, { keys, writes }: RowSeal): Promise<void> {
  const table = db.table<object, string>(name)
  if (writes === 'sealed' && isNeverSealed(name)) return table.clear()
  const ids = await table.toCollection().primaryKeys()
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE)
    if (name === 'images') await rewritePictures(db, some, writes === 'sealed' ? keys : null)
    else
      await db.transaction('rw', table, async () => {
        const rows = await table.bulkGet(some)
        await table.bulkPut(rows.filter((row) => row !== undefined))
      })
  }
}

async function rewritePictures(
  db: AccountDb,
  ids: readonly unknown[],
  keys: SealKeys | null,
): Promise<void> {
  const rows = await db.images.bulkGet(ids.map(String))
  for (const row of rows) if (row !== undefined) await db.images.put(await resealedImage(keys, row))
}

/** A file that an account has in the browser's file system. */
interface OwnFile {
  readonly room: FileRoom
  readonly folder: string
  readonly name: string
  readonly place: string
  /** Of what is in it. */
  readonly sizeBytes: number
}

async function rewriteFiles(openFiles: OpenFiles, db: AccountDb, seal: RowSeal): Promise<void> {
  const kept = (await db.keptFiles.toArray()).flatMap(({ outputId, sizeBytes }) =>
    stepsOf(sizeBytes).map(({ name, fromBytes, size }): OwnFile => {
      const place = keptPlace(outputId, fromBytes)
      return { room: 'kept', folder: outputId, name, place, sizeBytes: size }
    }),
  )
  const made = (await db.madeFiles.toArray()).flatMap(({ id, state }) =>
    (state.kind === 'ready' ? state.files : []).map(({ sizeBytes }, index): OwnFile => ({
      room: 'made',
      folder: id,
      name: String(index),
      place: madePlace(id, index),
      sizeBytes,
    })),
  )
  // Pieces of an edit that is not whole are not rewritten: it begins from its start.
  await db.madeFiles.toCollection().modify({ kept: null })
  const own = [...kept, ...made]
  for (const file of own) await rewriteFile(openFiles, db.userId, file, seal)
  // What has no row is of no use to its account.
  for (const room of ['kept', 'made'] as const) {
    const folder = await accountFolder(openFiles, db.userId, room)
    const known = new Set(own.filter((file) => file.room === room).map((file) => file.folder))
    for (const name of await namesIn(folder))
      if (!known.has(name)) await folder.removeEntry(name, { recursive: true }).catch(absent)
  }
}

async function rewriteFile(
  openFiles: OpenFiles,
  userId: string,
  { room, folder, name, place, sizeBytes }: OwnFile,
  { keys, writes }: RowSeal,
): Promise<void> {
  const parent = await (
    await accountFolder(openFiles, userId, room)
  )
    .getDirectoryHandle(folder)
    .catch(absent)
  const handle = await parent?.getFileHandle(name).catch(absent)
  if (parent === null || handle == null) return
  const file = await handle.getFile()
  const isClear = file.size === sizeBytes
  const isSealed = file.size === sealedSize(sizeBytes)
  // Of a step that is not whole nothing can be used.
  if (!isClear && !isSealed) return parent.removeEntry(name)
  if (isClear && writes === 'sealed')
    await writeWhole(parent, name, await sealFile(keys, place, file))
  if (isSealed && writes === 'opening')
    await writeWhole(parent, name, await openSealedFile(keys, place, file, sizeBytes))
}
