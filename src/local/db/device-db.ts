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

/**
 * An upload of an account that left this device before the upload was finished. Says nothing of the
 * person.
 */
const leftUpload = v.object({
  uploadRequestId: v.string(),
  ownerHash: v.string(),
  leftAtEpochMs: v.number(),
})
export type LeftUpload = v.InferOutput<typeof leftUpload>

/** What the device knows without an account. Holds nothing personal but the id of the last user. */
export class DeviceDb extends Dexie {
  declare readonly facts: EntityTable<DeviceFactRow, 'key'>

  constructor(options: DbOptions = {}) {
    super(DEVICE_DB_NAME, options)
    this.version(1).stores({ facts: 'key' })
  }
}

/** Opens the device's database. Works in page and workers. */
export async function openDeviceDb(options: DbOptions = {}): Promise<DeviceDb> {
  const db = new DeviceDb(options)
  await db.open()
  return db
}

/** Id of the account that was used last, or null. */
export async function readLastUserId(db: DeviceDb): Promise<string | null> {
  const row = await db.facts.get(LAST_USER)
  return typeof row?.value === 'string' ? row.value : null
}

/** Remembers, or with null forgets, the account in use. */
export async function writeLastUserId(db: DeviceDb, userId: string | null): Promise<void> {
  if (userId === null) await db.facts.delete(LAST_USER)
  else await db.facts.put({ key: LAST_USER, value: userId })
}

/** True when a sign-out happened without network, so that the server's session still lives. */
export async function hasPendingLogout(db: DeviceDb): Promise<boolean> {
  return (await db.facts.get(PENDING_LOGOUT)) !== undefined
}

/**
 * The mark of the session whose sign-out the server has not heard of; null when none is pending, or
 * it had no mark.
 */
export async function readLeftMark(db: DeviceDb): Promise<string | null> {
  const row = await db.facts.get(PENDING_LOGOUT)
  return typeof row?.value === 'string' ? row.value : null
}

/** Remembers that the server has to be told of a sign-out, and of which session. */
export async function writePendingLogout(db: DeviceDb, mark: string | null): Promise<void> {
  await db.facts.put({ key: PENDING_LOGOUT, value: mark ?? true })
}

/** The server knows of the sign-out. */
export async function forgetPendingLogout(db: DeviceDb): Promise<void> {
  await db.facts.delete(PENDING_LOGOUT)
}

/** Accounts whose database could not be removed yet because another tab held it. */
export async function readPendingWipes(db: DeviceDb): Promise<readonly string[]> {
  const row = await db.facts.get(PENDING_WIPES)
  return Array.isArray(row?.value)
    ? row.value.filter((id): id is string => typeof id === 'string')
    : []
}

/** Adds or removes an account of the list of wipes to finish. */
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

/** Uploads that the server has to give up once a session allows it. */
export async function readLeftUploads(db: DeviceDb): Promise<readonly LeftUpload[]> {
  const parsed = v.safeParse(v.array(leftUpload), (await db.facts.get(LEFT_UPLOADS))?.value)
  return parsed.success ? parsed.output : []
}

/** Adds to the uploads to give up; one that is there already is replaced. */
export async function addLeftUploads(db: DeviceDb, left: readonly LeftUpload[]): Promise<void> {
  const ids = new Set(left.map(({ uploadRequestId }) => uploadRequestId))
  await changeLeftUploads(db, (present) => [
    ...present.filter(({ uploadRequestId }) => !ids.has(uploadRequestId)),
    ...left,
  ])
}

/** The server knows, or need not know any more. */
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
