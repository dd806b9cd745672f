import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { composedRow, cutFile } from '#src/local/uploads/file/cut-file.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { sentOf } from '#src/local/uploads/file/sent-of.ts'
import type { ByteSource, BytesProblem, UploadBytes } from '#src/local/uploads/ports.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { GIB } from '#src/lib/bytes.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow, UploadTrim } from '#src/local/db/rows.ts'

/** Larger files are not copied: the copy takes seconds per GB and needs the disk space twice. */
const COPY_LIMIT_BYTES = 2 * GIB

export interface StoredBytesDeps {
  readonly db: AccountDb
  /** `navigator.storage.estimate`; null where there is none. */
  readonly estimate: (() => Promise<StorageEstimate>) | null
  readonly isInstalled: boolean
}

/**
 * Finds the bytes of an upload: the file in memory, the copy in the database, or a file handle. In
 * this order, because memory costs nothing, a copy needs no permission, and a handle may ask for
 * it. Each is opened only if it can still be read.
 *
 * [Note: files that were touched] After any change of a file, even if only of its time, Chromium
 * reads nothing of the File that was chosen before. The copy is the browser's own and stays
 * readable, except in a private window, where it only points to the file (measured in Chromium
 * 156). A handle gives the file as it is now; the caller finds out whether it is the same. Copies
 * of our own making would be readable everywhere, but 400 MB take 4 to 19 s instead of 0.3 s (a
 * Blob of chunks, OPFS, chunks in rows).
 */
export function createStoredBytes(deps: StoredBytesDeps): UploadBytes {
  const { db } = deps
  const inMemory = new Map<string, File>()
  const openFile = async (row: UploadRow): Promise<Result<ByteSource, BytesProblem>> => {
    const held = inMemory.get(row.id)
    const copy = await fromCopy(db, row)
    for (const file of [held, copy])
      if (file !== undefined && (await isReadable(file))) {
        const source = fileSource(file)
        return ok((await sentSource(db, row, source)) ?? source)
      }
    const found = await fromHandle(db, row)
    const isKnown = held !== undefined || copy !== undefined
    return !found.ok && found.error.kind === 'no-handle' && isKnown
      ? err({ kind: 'changed' })
      : found
  }
  return {
    hold: (uploadId, file) => void inMemory.set(uploadId, file),
    isHeld: (uploadId) => inMemory.has(uploadId),
    letGo: (uploadId) => void inMemory.delete(uploadId),
    cutAgain: (row, whole) => cutAgain(db, row, whole),
    open: (row) => (row.excerpt === undefined ? openFile(row) : openExcerpt(db, row, openFile)),
    keepCopy: async (row) => {
      const file = inMemory.get(row.id)
      if (file === undefined || file.size > COPY_LIMIT_BYTES || deps.estimate === null) return
      // Of a trim, the copy is of what is sent.
      if (file.size !== row.file.sizeBytes) return
      const hasHandle = (await db.handles.get(row.id)) !== undefined
      // An installed app keeps its permission to read the handle.
      if (hasHandle && deps.isInstalled) return
      const { quota = 0, usage = 0 } = await deps.estimate()
      if (file.size >= (quota - usage) / 2 || (await db.blobs.get(row.id)) !== undefined) return
      await db.blobs.add({ uploadId: row.id, blob: file })
      // The upload may have ended during the copy.
      const now = await db.uploads.get(row.id)
      if (now === undefined || now.state.kind === 'done') await db.blobs.delete(row.id)
    },
  }
}

/** The bytes of an excerpt are those of the whole, wherever this device has them. */
async function openExcerpt(
  db: AccountDb,
  { id, excerpt }: UploadRow,
  openFile: (row: UploadRow) => Promise<Result<ByteSource, BytesProblem>>,
): Promise<Result<ByteSource, BytesProblem>> {
  const [file, whole] = await Promise.all([
    db.excerpts.get(id),
    db.uploads.get(excerpt?.uploadId ?? ''),
  ])
  if (file === undefined || whole === undefined) return err({ kind: 'gone' })
  const opened = await openFile(whole)
  return opened.ok ? ok(composedSource(opened.value, file)) : opened
}

/** What is sent of the file of an upload; null where it is another file. */
export async function sentSource(
  db: AccountDb,
  row: UploadRow,
  source: ByteSource,
): Promise<ByteSource | null> {
  const trimmed = row.trim === undefined ? undefined : await db.excerpts.get(row.id)
  return sentOf(webCryptoDigest, row, trimmed, source)
}

/** The same stretch of another file, whose head and ranges are kept in place of the other ones. */
async function cutAgain(
  db: AccountDb,
  { id, trim }: UploadRow,
  whole: ByteSource,
): Promise<{ readonly source: ByteSource; readonly trim: UploadTrim } | null> {
  const cut = trim === undefined ? null : await cutFile(webCryptoDigest, whole, trim)
  if (cut !== null) await db.excerpts.put(composedRow(id, cut.composed))
  return cut
}

async function fromCopy(db: AccountDb, row: UploadRow): Promise<File | undefined> {
  const copy = await db.blobs.get(row.id)
  if (copy === undefined) return undefined
  const { name, type, lastModifiedEpochMs } = row.file
  // A new File, because WebKit refuses to send one that was restored from the database.
  return new File([copy.blob], name, { type, lastModified: lastModifiedEpochMs })
}

async function fromHandle(
  db: AccountDb,
  row: UploadRow,
): Promise<Result<ByteSource, BytesProblem>> {
  const stored = await db.handles.get(row.id)
  if (stored === undefined) return err({ kind: 'no-handle' })
  try {
    if ((await readPermission(stored.handle)) !== 'granted')
      return err({ kind: 'needs-permission' })
    const file = await stored.handle.getFile()
    const isAsChosen = file.size === (row.trim?.wholeSizeBytes ?? row.file.sizeBytes)
    const source = isAsChosen ? await sentSource(db, row, fileSource(file)) : null
    return source === null ? err({ kind: 'changed' }) : ok(source)
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : ''
    if (name === 'NotAllowedError') return err({ kind: 'needs-permission' })
    return err({ kind: name === 'NotFoundError' ? 'gone' : 'changed' })
  }
}

/**
 * Only Chromium has permissions for handles. The types of workers lack `queryPermission`, but the
 * method exists there.
 */
async function readPermission(handle: FileSystemFileHandle): Promise<unknown> {
  return 'queryPermission' in handle && typeof handle.queryPermission === 'function'
    ? handle.queryPermission({ mode: 'read' })
    : 'granted'
}

async function isReadable(file: File): Promise<boolean> {
  const first = await fileSource(file).read(0, Math.min(1, file.size))
  return first.ok
}
