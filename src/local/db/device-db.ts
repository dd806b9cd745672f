import { Dexie, type EntityTable } from 'dexie'
import * as v from 'valibot'
import type { DbOptions } from './account-db.ts'

export interface DeviceFactRow {
  readonly key: string
  readonly value: unknown
}

const DEVICE_DB_NAME = 'onecut-device'
const LAST_USER = 'last-user-id'
const PENDING_LOGOUT = 'pending-logout'
const PENDING_WIPES = 'pending-wipes'
const LEFT_UPLOADS = 'left-uploads'
const WAITING_ACCOUNTS = 'waiting-accounts'
const SCREEN_MAY_SLEEP = 'screen-may-sleep'
const PLAIN_LOOK = 'plain-look'

/** An unfinished upload of an account that left this device. Contains nothing personal. */
const leftUpload = v.object({
  uploadRequestId: v.string(),
  ownerHash: v.string(),
  leftAtEpochMs: v.number(),
})
export type LeftUpload = v.InferOutput<typeof leftUpload>

/** See [Note: waiting account]. */
const waitingAccount = v.object({ userId: v.string(), sinceEpochMs: v.number() })
export type WaitingAccount = v.InferOutput<typeof waitingAccount>

/**
 * What the device stores without an account. Nothing in it is personal but the ids of the last user
 * and of users whose work waits here, and names of files ([Note: shared files]).
 */
export class DeviceDb extends Dexie {
  declare readonly facts: EntityTable<DeviceFactRow, 'key'>

  constructor(options: DbOptions = {}) {
    super(DEVICE_DB_NAME, options)
    this.version(1).stores({ facts: 'key' })
  }
}

/** Opens the device's database, in a page or a worker. */
export async function openDeviceDb(options: DbOptions = {}): Promise<DeviceDb> {
  const db = new DeviceDb(options)
  await db.open()
  return db
}

/**
 * Opens the database again that the browser took away; what waits for it fails. Dexie opens by
 * itself as well, and gives up for ever when that fails once.
 */
export async function reopenDeviceDb(db: DeviceDb): Promise<void> {
  db.close()
  // Ends the mark of a close that is meant to last.
  db.close({ disableAutoOpen: false })
  await db.open()
}

/**
 * Replaces one fact by what `change` makes of it, in one transaction; `undefined` stands for a fact
 * that is not there.
 */
export async function changeFact(
  db: DeviceDb,
  key: string,
  change: (value: unknown) => unknown,
): Promise<void> {
  await db.transaction('rw', db.facts, async () => {
    await db.facts.put({ key, value: change((await db.facts.get(key))?.value) })
  })
}

/** Id of the account that was used last; null when there is none. */
export async function readLastUserId(db: DeviceDb): Promise<string | null> {
  const row = await db.facts.get(LAST_USER)
  return typeof row?.value === 'string' ? row.value : null
}

/** Stores the id of the account in use; null deletes it. */
export async function writeLastUserId(db: DeviceDb, userId: string | null): Promise<void> {
  if (userId === null) await db.facts.delete(LAST_USER)
  else await db.facts.put({ key: LAST_USER, value: userId })
}

/** True when a sign-out happened without a network, so that the server's session is still valid. */
export async function hasPendingLogout(db: DeviceDb): Promise<boolean> {
  return (await db.facts.get(PENDING_LOGOUT)) !== undefined
}

/**
 * Id of the account that this device is of: the one used last, unless it has signed out in a way
 * that the server does not know yet. Null for none.
 */
export async function readOwnUserId(db: DeviceDb): Promise<string | null> {
  return (await hasPendingLogout(db)) ? null : readLastUserId(db)
}

/**
 * The mark of the session whose sign-out the server does not know yet. Null when none is pending,
 * or when it had no mark.
 */
export async function readLeftMark(db: DeviceDb): Promise<string | null> {
  const row = await db.facts.get(PENDING_LOGOUT)
  return typeof row?.value === 'string' ? row.value : null
}

/** Stores that the server must learn about a sign-out, and of which session. */
export async function writePendingLogout(db: DeviceDb, mark: string | null): Promise<void> {
  await db.facts.put({ key: PENDING_LOGOUT, value: mark ?? true })
}

/** Deletes the pending sign-out: the server knows. */
export async function forgetPendingLogout(db: DeviceDb): Promise<void> {
  await db.facts.delete(PENDING_LOGOUT)
}

/** Accounts whose database could not be deleted yet because another tab held it open. */
export async function readPendingWipes(db: DeviceDb): Promise<readonly string[]> {
  const row = await db.facts.get(PENDING_WIPES)
  return Array.isArray(row?.value)
    ? row.value.filter((id): id is string => typeof id === 'string')
    : []
}

/** Adds an account to the list of pending wipes or removes it. */
export async function writePendingWipe(
  db: DeviceDb,
  userId: string,
  isPending: boolean,
): Promise<void> {
  await db.transaction('rw', db.facts, async () => {
    const others = (await readPendingWipes(db)).filter((id) => id !== userId)
    await db.facts.put({ key: PENDING_WIPES, value: isPending ? [...others, userId] : others })
  })
}

/** Uploads that the server must abort once a login allows it. */
export async function readLeftUploads(db: DeviceDb): Promise<readonly LeftUpload[]> {
  const parsed = v.safeParse(v.array(leftUpload), (await db.facts.get(LEFT_UPLOADS))?.value)
  return parsed.success ? parsed.output : []
}

/** Adds to the uploads to abort; replaces entries with the same id. */
export async function addLeftUploads(db: DeviceDb, left: readonly LeftUpload[]): Promise<void> {
  const ids = new Set(left.map(({ uploadRequestId }) => uploadRequestId))
  await changeLeftUploads(db, (present) => [
    ...present.filter(({ uploadRequestId }) => !ids.has(uploadRequestId)),
    ...left,
  ])
}

/** Removes uploads that the server has aborted or does not need to know about. */
export async function forgetLeftUploads(
  db: DeviceDb,
  uploadRequestIds: readonly string[],
): Promise<void> {
  await changeLeftUploads(db, (present) =>
    present.filter(({ uploadRequestId }) => !uploadRequestIds.includes(uploadRequestId)),
  )
}

async function changeLeftUploads(
  db: DeviceDb,
  change: (present: readonly LeftUpload[]) => readonly LeftUpload[],
): Promise<void> {
  await db.transaction('rw', db.facts, async () => {
    const next = change(await readLeftUploads(db))
    if (next.length === 0) await db.facts.delete(LEFT_UPLOADS)
    else await db.facts.put({ key: LEFT_UPLOADS, value: next })
  })
}

/** Whether the screen may go dark while bytes are sent: a choice of the device, not of a user. */
export async function readScreenMaySleep(db: DeviceDb): Promise<boolean> {
  return (await db.facts.get(SCREEN_MAY_SLEEP))?.value === true
}

/** Stores that choice. */
export async function writeScreenMaySleep(db: DeviceDb, maySleep: boolean): Promise<void> {
  await db.facts.put({ key: SCREEN_MAY_SLEEP, value: maySleep })
}

/**
 * Whether the app has no name from outside here ([Note: plain look] in
 * workers/service/plain-shell.ts): a choice of the device, which stays after a sign-out.
 */
export async function readIsPlain(db: DeviceDb): Promise<boolean> {
  return (await db.facts.get(PLAIN_LOOK))?.value === true
}

/** Stores that choice. */
export async function writeIsPlain(db: DeviceDb, isPlain: boolean): Promise<void> {
  await db.facts.put({ key: PLAIN_LOOK, value: isPlain })
}

/** Accounts whose work waits on this device for their next sign-in. */
export async function readWaitingAccounts(db: DeviceDb): Promise<readonly WaitingAccount[]> {
  const value = (await db.facts.get(WAITING_ACCOUNTS))?.value
  const parsed = v.safeParse(v.array(waitingAccount), value)
  return parsed.success ? parsed.output : []
}

/** Stores since when an account's work waits; null when it waits no more. */
export async function writeWaitingAccount(
  db: DeviceDb,
  userId: string,
  sinceEpochMs: number | null,
): Promise<void> {
  await db.transaction('rw', db.facts, async () => {
    const others = (await readWaitingAccounts(db)).filter((waiting) => waiting.userId !== userId)
    const next = sinceEpochMs === null ? others : [...others, { userId, sinceEpochMs }]
    if (next.length === 0) await db.facts.delete(WAITING_ACCOUNTS)
    else await db.facts.put({ key: WAITING_ACCOUNTS, value: next })
  })
}
