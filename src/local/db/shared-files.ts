/**
 * Videos that another app of the device has shared into this one. They lie in the browser's own
 * file system (`shared/<share>/<n>/<name>`), where the service worker has written them, and are
 * sent only after a press.
 *
 * [Note: shared files] A video may come while no account is signed in, so the device has their list
 * and not an account. One belongs to the account that was used last, and else to the next one that
 * signs in. It outlives a session that ends by itself, which its owner often learns of by sharing:
 * it is shown at the next sign-in of its owner, and removed at that of another account and when its
 * owner signs out. What is not used goes after a day; what is used stays while its upload may need
 * it.
 */
import * as v from 'valibot'
import { namesIn, type OpenFiles } from './account-files.ts'
import { changeFact, type DeviceDb } from './device-db.ts'
import { DAY_MS } from '#src/lib/time.ts'

const SHARED_FILES = 'shared-files'
const SHARED_FOLDER = 'shared'
const UNUSED_MS = DAY_MS
/** As long as the server keeps an unfinished upload, and a day. */
const USED_MS = 8 * DAY_MS

const sharedFile = v.object({
  shareId: v.string(),
  /** Within its share, from 0. */
  number: v.number(),
  name: v.string(),
  sizeBytes: v.number(),
  atEpochMs: v.number(),
  /** Whose it is; null = the next one's who signs in. */
  userId: v.nullable(v.string()),
  isUsed: v.boolean(),
})
export type SharedFile = v.InferOutput<typeof sharedFile>

/** The shared files that wait for this account, oldest first. Local read. */
export async function readSharedFiles(
  db: DeviceDb,
  userId: string,
): Promise<readonly SharedFile[]> {
  const all = parse((await db.facts.get(SHARED_FILES))?.value)
  return all.filter((file) => !file.isUsed && [null, userId].includes(file.userId))
}

/** Lists files that have been written. */
export function addSharedFiles(db: DeviceDb, files: readonly SharedFile[]): Promise<void> {
  return changeFact(db, SHARED_FILES, (value) => [...parse(value), ...files])
}

/** The handle to write or read a shared file by. */
export async function sharedFileHandle(
  openFiles: OpenFiles,
  { shareId, number, name }: Pick<SharedFile, 'shareId' | 'number' | 'name'>,
  options: FileSystemGetFileOptions = {},
): Promise<FileSystemFileHandle> {
  const root = await (await openFiles()).getDirectoryHandle(SHARED_FOLDER, options)
  const share = await root.getDirectoryHandle(shareId, options)
  const folder = await share.getDirectoryHandle(String(number), options)
  return folder.getFileHandle(safeName(name), options)
}

/** A person of this account uses it: it is offered no more, and stays for its upload. */
export function markSharedFileUsed(db: DeviceDb, file: SharedFile, userId: string): Promise<void> {
  return changeFact(db, SHARED_FILES, (value) =>
    parse(value).map((each) => (isSame(each, file) ? { ...each, userId, isUsed: true } : each)),
  )
}

/** Removes one that is not wanted. */
export async function dropSharedFile(
  db: DeviceDb,
  openFiles: OpenFiles,
  file: SharedFile,
): Promise<void> {
  await drop(db, openFiles, (each) => isSame(each, file))
}

/** A person signs out: removes all files of the account. */
export async function dropSharedFilesOf(
  db: DeviceDb,
  openFiles: OpenFiles,
  userId: string,
): Promise<void> {
  await drop(db, openFiles, (file) => file.userId === userId)
}

/** The account's uploads are removed: removes the files that only they need. */
export async function dropUsedSharedFilesOf(
  db: DeviceDb,
  openFiles: OpenFiles,
  userId: string,
): Promise<void> {
  await drop(db, openFiles, (file) => file.isUsed && file.userId === userId)
}

/**
 * Makes the files agree with who is signed in: gives those without an owner to the account, and
 * removes what another account was to use, what has waited for too long, and what the service
 * worker left when it died. @param userId null while no account is signed in
 */
export async function settleSharedFiles(
  db: DeviceDb,
  openFiles: OpenFiles,
  userId: string | null,
  nowEpochMs: number,
): Promise<void> {
  const root = await sharedFolder(openFiles)
  // Nothing was ever shared here.
  if (root === null) return
  await changeFact(db, SHARED_FILES, (value) =>
    parse(value).map((file) => ({ ...file, userId: file.userId ?? userId })),
  )
  await drop(db, openFiles, ({ isUsed, atEpochMs, userId: ownerId }) =>
    isUsed
      ? nowEpochMs - atEpochMs > USED_MS
      : nowEpochMs - atEpochMs > UNUSED_MS || (userId !== null && ownerId !== userId),
  )
  const listed = new Set(
    parse((await db.facts.get(SHARED_FILES))?.value).map(({ shareId }) => shareId),
  )
  // One that is being written is not listed yet.
  for (const name of await namesIn(root))
    if (!listed.has(name) && nowEpochMs - Number.parseInt(name, 10) > UNUSED_MS)
      await dropShare(openFiles, name)
}

/** An id that says when the share came. */
export function newShareId(nowEpochMs: number, uuid: string): string {
  return `${nowEpochMs}-${uuid}`
}

/** Whether a text is such an id. */
export function isShareId(text: string): boolean {
  return /^\d+-/.test(text)
}

/** Removes a share of which nothing is listed. */
export async function dropShare(openFiles: OpenFiles, shareId: string): Promise<void> {
  const root = await sharedFolder(openFiles)
  await root?.removeEntry(shareId, { recursive: true }).catch(() => undefined)
}

async function drop(
  db: DeviceDb,
  openFiles: OpenFiles,
  isOver: (file: SharedFile) => boolean,
): Promise<void> {
  let gone: readonly SharedFile[] = []
  await changeFact(db, SHARED_FILES, (value) => {
    const all = parse(value)
    gone = all.filter(isOver)
    return all.filter((file) => !isOver(file))
  })
  if (gone.length === 0) return
  const root = await sharedFolder(openFiles)
  for (const { shareId, number } of gone) {
    const share = await root?.getDirectoryHandle(shareId).catch(() => null)
    await share?.removeEntry(String(number), { recursive: true }).catch(() => undefined)
    // Only an empty one goes.
    await root?.removeEntry(shareId).catch(() => undefined)
  }
}

async function sharedFolder(openFiles: OpenFiles): Promise<FileSystemDirectoryHandle | null> {
  return openFiles()
    .then((root) => root.getDirectoryHandle(SHARED_FOLDER))
    .catch(() => null)
}

function isSame(one: SharedFile, other: SharedFile): boolean {
  return one.shareId === other.shareId && one.number === other.number
}

/** A name that every file system takes; an upload is recognised by it. */
function safeName(name: string): string {
  const safe = name.replaceAll(/[\u0000-\u001F/\\:*?"<>|]/g, '_').replaceAll(/^\.+|[. ]+$/g, '')
  return safe === '' ? 'video' : safe.slice(-120)
}

function parse(value: unknown): readonly SharedFile[] {
  const parsed = v.safeParse(v.array(sharedFile), value)
  return parsed.success ? parsed.output : []
}
