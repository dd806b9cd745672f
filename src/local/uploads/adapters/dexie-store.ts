import type { UploadStore } from '#src/local/uploads/ports.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'
import type { Log } from '#src/lib/log.ts'

/**
 * Uploads in the account's database, which writes with strict durability: when the promise of a
 * part resolves, the part survives a crash. Blobs have a table of their own, because Chromium
 * copies them at every write of their record.
 */
export function createDexieStore(db: AccountDb, log: Log): UploadStore {
  const guarded = (
    uploadId: string,
    epoch: number,
    work: (row: UploadRow) => Promise<UploadRow>,
  ): Promise<UploadRow | null> =>
    db.transaction('rw', db.uploads, db.uploadParts, async () => {
      const row = await db.uploads.get(uploadId)
      if (row === undefined || row.epoch !== epoch) return null
      const next = await work(row)
      if (next !== row) await db.uploads.put(next)
      return next
    })
  const withAllParts = async (row: UploadRow): Promise<UploadRow> => {
    const safeBytes =
      row.plan === null
        ? 0
        : sumOfSizes(await db.uploadParts.where('uploadId').equals(row.id).toArray())
    return safeBytes > row.safeBytes ? { ...row, safeBytes } : row
  }
  return {
    list: () => db.uploads.toArray(),
    read: async (uploadId) => (await db.uploads.get(uploadId)) ?? null,
    change: (uploadId, epoch, change) =>
      db.transaction('rw', db.uploads, db.uploadParts, async () => {
        const stored = await db.uploads.get(uploadId)
        if (stored === undefined || (epoch !== null && stored.epoch !== epoch)) return null
        const row = epoch === null ? await withAllParts(stored) : stored
        const next = change(row)
        if (next === row) return row
        // Parts belong to a plan; a new plan starts without any.
        if (row.plan !== null && next.plan === null)
          await db.uploadParts.where('uploadId').equals(uploadId).delete()
        await db.uploads.put(next)
        return next
      }),
    parts: (uploadId) => db.uploadParts.where('uploadId').equals(uploadId).toArray(),
    putPart: (epoch, part, safeBytes) =>
      guarded(part.uploadId, epoch, async (row) => {
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
      guarded(uploadId, epoch, async (row) => {
        await db.uploadParts.where('uploadId').equals(uploadId).delete()
        await db.uploadParts.bulkPut([...parts])
        return { ...row, safeBytes: Math.max(row.safeBytes, sumOfSizes(parts)) }
      }),
    dropBytes: (uploadId) =>
      db.transaction('rw', db.uploadParts, db.handles, db.blobs, async () => {
        await db.uploadParts.where('uploadId').equals(uploadId).delete()
        await db.handles.delete(uploadId)
        await db.blobs.delete(uploadId)
      }),
    remove: (uploadId) =>
      db.transaction(
        'rw',
        [db.uploads, db.uploadParts, db.handles, db.blobs, db.selections],
        async () => {
          await db.uploadParts.where('uploadId').equals(uploadId).delete()
          await db.handles.delete(uploadId)
          await db.blobs.delete(uploadId)
          await db.selections.delete(uploadId)
          await db.uploads.delete(uploadId)
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

function sumOfSizes(parts: readonly UploadPartRow[]): number {
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0)
}
