import type { UploadStore } from '#src/local/uploads/ports.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { noteLetGo } from '#src/local/db/own-uploads.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'
import type { Log } from '#src/lib/log.ts'
import type { Clock } from '#src/lib/time.ts'

/**
 * Uploads in the account's database, which writes with strict durability: when the promise of a
 * part resolves, the part survives a crash. Blobs have a table of their own, because Chromium
 * copies them at every write of their record.
 */
export function createDexieStore(db: AccountDb, log: Log, clock: Pick<Clock, 'now'>): UploadStore {
  return {
    list: () => db.uploads.toArray(),
    read: async (uploadId) => (await db.uploads.get(uploadId)) ?? null,
    change: (uploadId, epoch, change) => changeRow(db, uploadId, epoch, change),
    parts: (uploadId) => partsOf(db, uploadId).toArray(),
    putPart: (epoch, part, safeBytes) =>
      underEpoch(db, part.uploadId, epoch, async (row) => {
        await db.uploadParts.put(part)
        return safeBytes === null
          ? row
          : {
              ...row,
              safeBytes: Math.max(row.safeBytes, safeBytes),
              updatedAtEpochMs: part.safeAtEpochMs,
            }
      }),
    replaceParts: (uploadId, epoch, parts) =>
      underEpoch(db, uploadId, epoch, async (row) => {
        await partsOf(db, uploadId).delete()
        await db.uploadParts.bulkPut([...parts])
        return { ...row, safeBytes: sumOfSizes(parts) }
      }),
    dropBytes: (uploadId) => db.transaction('rw', bytesTables(db), () => dropBytes(db, uploadId)),
    remove: (uploadId) =>
      db.transaction(
        'rw',
        [db.uploads, db.selections, db.facts, db.foundMoments, ...bytesTables(db)],
        async () => {
          const excerpts = await db.uploads
            .filter(({ excerpt }) => excerpt?.uploadId === uploadId)
            .toArray()
          for (const { id } of excerpts) await removeOne(db, id, clock.now())
          await removeOne(db, uploadId, clock.now())
        },
      ),
    watch: (uploadId, listener) =>
      subscribeLive(() => db.uploads.get(uploadId), {
        next: (row) => listener(row ?? null),
        error: () => log.warn('an upload cannot be watched'),
      }),
    watchAll: (listener) =>
      subscribeLive(() => db.uploads.toCollection().primaryKeys(), {
        next: (ids) => listener(ids),
        error: () => log.warn('uploads cannot be watched'),
      }),
  }
}

function changeRow(
  db: AccountDb,
  uploadId: string,
  epoch: number | null,
  change: (row: UploadRow) => UploadRow,
): Promise<UploadRow | null> {
  return db.transaction('rw', db.uploads, db.uploadParts, async () => {
    const stored = await db.uploads.get(uploadId)
    if (stored === undefined || (epoch !== null && stored.epoch !== epoch)) return null
    const row = epoch === null ? await withAllParts(db, stored) : stored
    const next = change(row)
    if (next === row) return row
    // Parts belong to a plan; a new plan starts without any.
    if (row.plan !== null && next.plan === null) await partsOf(db, uploadId).delete()
    await db.uploads.put(next)
    return next
  })
}

/** One transaction over row and parts; null, and nothing done, when the row has another epoch. */
function underEpoch(
  db: AccountDb,
  uploadId: string,
  epoch: number,
  work: (row: UploadRow) => Promise<UploadRow>,
): Promise<UploadRow | null> {
  return db.transaction('rw', db.uploads, db.uploadParts, async () => {
    const row = await db.uploads.get(uploadId)
    if (row === undefined || row.epoch !== epoch) return null
    const next = await work(row)
    if (next !== row) await db.uploads.put(next)
    return next
  })
}

async function withAllParts(db: AccountDb, row: UploadRow): Promise<UploadRow> {
  const safeBytes = row.plan === null ? 0 : sumOfSizes(await partsOf(db, row.id).toArray())
  return safeBytes > row.safeBytes ? { ...row, safeBytes } : row
}

async function removeOne(db: AccountDb, uploadId: string, nowEpochMs: number): Promise<void> {
  const row = await db.uploads.get(uploadId)
  await dropBytes(db, uploadId)
  await db.selections.delete(uploadId)
  await db.foundMoments.delete(uploadId)
  await db.uploads.delete(uploadId)
  const id = row?.uploadRequestId ?? null
  if (id !== null) await noteLetGo(db, id, nowEpochMs)
}

async function dropBytes(db: AccountDb, uploadId: string): Promise<void> {
  await partsOf(db, uploadId).delete()
  await db.handles.delete(uploadId)
  await db.blobs.delete(uploadId)
  await db.excerpts.delete(uploadId)
}

function bytesTables(db: AccountDb) {
  return [db.uploadParts, db.handles, db.blobs, db.excerpts]
}

function partsOf(
  db: AccountDb,
  uploadId: string,
): ReturnType<AccountDb['uploadParts']['toCollection']> {
  return db.uploadParts.where('uploadId').equals(uploadId)
}

function sumOfSizes(parts: readonly UploadPartRow[]): number {
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0)
}
