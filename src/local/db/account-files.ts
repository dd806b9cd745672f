/**
 * Files of an account in the browser's own file system (OPFS), which every page and worker of the
 * origin sees: `accounts/<userId>/<room>/…`. One folder an account, so that leaving the device
 * removes one entry.
 */

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
    return thrown instanceof DOMException && thrown.name === 'NotFoundError'
  }
}
