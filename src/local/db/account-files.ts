/**
 * Files of an account in the browser's own file system (OPFS), which every page and worker of the
 * origin sees: `accounts/<userId>/<room>/…`. One folder an account, so that leaving the device
 * removes one entry.
 */
import { isNoRoom, mayBeNoRoom } from './no-room.ts'

/** What keeps files. A room's files and their rows have the same owner. */
export type FileRoom = 'made' | 'kept'

/** Opens the root of the origin's file system. */
export type OpenFiles = () => Promise<FileSystemDirectoryHandle>

const ACCOUNTS_FOLDER = 'accounts'

/** Null where the browser has no such file system, or none for this page. */
export function browserFiles(): OpenFiles | null {
  const storage: Partial<StorageManager> | undefined = globalThis.navigator?.storage
  if (typeof storage?.getDirectory !== 'function') return null
  return () => navigator.storage.getDirectory()
}

/** A room's folder of an account; made where it is not there. */
export async function accountFolder(
  openFiles: OpenFiles,
  userId: string,
  room: FileRoom,
): Promise<FileSystemDirectoryHandle> {
  const create = { create: true }
  const accounts = await (await openFiles()).getDirectoryHandle(ACCOUNTS_FOLDER, create)
  const account = await accounts.getDirectoryHandle(userId, create)
  return account.getDirectoryHandle(room, create)
}

/** A room's folder of an account; null where it is not there. */
export async function presentFolder(
  openFiles: OpenFiles,
  userId: string,
  room: FileRoom,
): Promise<FileSystemDirectoryHandle | null> {
  return openFiles()
    .then((root) => root.getDirectoryHandle(ACCOUNTS_FOLDER))
    .then((accounts) => accounts.getDirectoryHandle(userId))
    .then((account) => account.getDirectoryHandle(room))
    .catch(absent)
}

/**
 * Removes all files of an account. Local only, idempotent. False where a worker still holds one
 * open: end the workers first, and ask again at the next start.
 */
export async function removeAccountFiles(openFiles: OpenFiles, userId: string): Promise<boolean> {
  try {
    const accounts = await (await openFiles()).getDirectoryHandle(ACCOUNTS_FOLDER)
    await accounts.removeEntry(userId, { recursive: true })
    return true
  } catch (thrown) {
    return isAbsent(thrown)
  }
}

/** Ids of the accounts that have a folder here. */
export async function accountsWithFiles(openFiles: OpenFiles): Promise<readonly string[]> {
  const root = await openFiles()
  const accounts = await root.getDirectoryHandle(ACCOUNTS_FOLDER).catch(absent)
  return accounts === null ? [] : namesIn(accounts)
}

/**
 * Removes a room's files of an account and leaves those of other rooms. Local only, idempotent. A
 * file that is being written stays; its writer removes it when its row has gone.
 */
export async function emptyRoom(
  openFiles: OpenFiles,
  userId: string,
  room: FileRoom,
): Promise<void> {
  // The browser may give no files to this page.
  const folder = await presentFolder(openFiles, userId, room).catch(() => null)
  if (folder === null) return
  for (const name of await namesIn(folder))
    await folder.removeEntry(name, { recursive: true }).catch(() => undefined)
}

/** What is in a folder; all of it is read before anything is removed. */
export async function namesIn(folder: FileSystemDirectoryHandle): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of folder.values()) names.push(name)
  return names
}

/** Asked again, a browser says whether it was for want of room ([Note: no room]). */
const TRIES = 3

/** Writes a file, which is whole or not there. What fails leaves nothing open. */
export async function writeWhole(
  folder: FileSystemDirectoryHandle,
  name: string,
  bytes: Blob,
  tries = TRIES,
): Promise<void> {
  try {
    await writeOnce(folder, name, bytes)
  } catch (thrown) {
    if (isNoRoom(thrown) || !mayBeNoRoom(thrown) || tries === 1) throw thrown
    await writeWhole(folder, name, bytes, tries - 1)
  }
}

async function writeOnce(
  folder: FileSystemDirectoryHandle,
  name: string,
  bytes: Blob,
): Promise<void> {
  const file = await folder.getFileHandle(name, { create: true })
  const writable = await file.createWritable()
  try {
    await writable.write(bytes)
    await writable.close()
  } catch (thrown) {
    await writable.abort().catch(() => undefined)
    throw thrown
  }
}

/** For `catch`: null for what is not there; every other failure stays one. */
export function absent(thrown: unknown): null {
  if (isAbsent(thrown)) return null
  throw thrown
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError'
}
