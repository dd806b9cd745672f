import {
  boundaryOf,
  MultipartFault,
  readMultipart,
  type PartHead,
  type PartSink,
} from './multipart.ts'
import { paths } from '#src/config/paths.ts'
import { createWorkerLog } from '#src/local/compose-worker.ts'
import { readAppLock } from '#src/local/db/app-lock.ts'
import { browserFiles, type OpenFiles } from '#src/local/db/account-files.ts'
import { openDeviceDb, readOwnUserId } from '#src/local/db/device-db.ts'
import { isNoRoom, mayBeNoRoom } from '#src/local/db/no-room.ts'
import {
  addSharedFiles,
  dropShare,
  newShareId,
  sharedFileHandle,
  type SharedFile,
} from '#src/local/db/shared-files.ts'
import { describeBug } from '#src/lib/describe-bug.ts'

/** Left free on the device beside what is shared. */
const LEFT_FREE_BYTES = 500_000_000
/** More at once is no person's choice: any page can post a form here. */
const MOST_FILES = 100

/**
 * Takes what another app shares and leads to the page that asks what to do with it, or says why it
 * was not taken. Never rejects: else the person who shared stands before an error of the browser.
 */
export async function takeShare(request: Request, origin: string): Promise<Response> {
  const outcome = await take(request).catch(refusal)
  return Response.redirect(new URL(paths.shared(outcome), origin).href, 303)
}

/** The id of the share, or why there is none. Rejects where the device refuses something. */
async function take(request: Request): Promise<string> {
  const openFiles = browserFiles()
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (openFiles === null || boundary === null || request.body === null) return 'missed'
  if (!(await hasRoom(request))) return 'full'
  const shareId = newShareId(Date.now(), crypto.randomUUID())
  const deviceDb = await openDeviceDb()
  try {
    const userId = await readOwnUserId(deviceDb)
    // What is written here is not sealed, and would be read from a device that is locked.
    if (userId !== null && (await readAppLock(deviceDb, userId)) !== null) return 'locked'
    const share = { shareId, atEpochMs: Date.now(), userId }
    const files: SharedFile[] = []
    await readMultipart(request.body, boundary, (head) => write(openFiles, share, files, head))
    if (files.length === 0) return 'missed'
    await addSharedFiles(deviceDb, files)
    return shareId
  } catch (thrown) {
    await dropShare(openFiles, shareId)
    throw thrown
  } finally {
    deviceDb.close()
  }
}

function refusal(thrown: unknown): string {
  createWorkerLog('service-worker').warn('a share was not taken', describeBug(thrown))
  return isNoRoom(thrown) ? 'full' : 'missed'
}

/** What is no file is not wanted: apps share words with their videos. */
async function write(
  openFiles: OpenFiles,
  share: Pick<SharedFile, 'shareId' | 'atEpochMs' | 'userId'>,
  files: SharedFile[],
  { fileName }: PartHead,
): Promise<PartSink | null> {
  // An empty name is a field for files in which none was chosen.
  if (fileName === null || fileName === '') return null
  if (files.length >= MOST_FILES) throw new MultipartFault('too many files')
  const file = { ...share, number: files.length, name: fileName, sizeBytes: 0, isUsed: false }
  files.push(file)
  const handle = await sharedFileHandle(openFiles, file, { create: true })
  const writable = await handle.createWritable()
  return {
    write: async (bytes) => {
      file.sizeBytes += bytes.length
      await writable.write(bytes).catch(judgeWrite)
    },
    close: () => writable.close().catch(judgeWrite),
    // What is open cannot be removed.
    abort: () => writable.abort().catch(() => undefined),
  }
}

/** What is not known counts as room: the writing says otherwise. */
async function hasRoom({ headers }: Request): Promise<boolean> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  return Number(headers.get('content-length') ?? 0) <= quota - usage - LEFT_FREE_BYTES
}

/** What it was to write is read and gone: it cannot be asked again whether room was wanting. */
function judgeWrite(thrown: unknown): never {
  if (!mayBeNoRoom(thrown)) throw thrown
  throw Object.assign(new Error('no room', { cause: thrown }), { name: 'QuotaExceededError' })
}
