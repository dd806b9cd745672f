import { and, asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { uploadParts, uploadRequests } from '#server/db/schema.ts'
import type { StoredPart } from './port.ts'

/**
 * Which parts a disk store holds completely. A part's row goes before its bytes are touched and
 * comes back after they are on the disk, so a row always means "these bytes are there".
 */
export interface PartLedger {
  /** Parts by number, read within `tx` when the caller holds one. */
  list(uploadId: string, tx?: Tx): Promise<StoredPart[]>
  /**
   * Deletes the row of a part whose bytes are about to change. False when the upload does not take
   * parts (any more).
   */
  forget(uploadId: string, partNumber: number): Promise<boolean>
  /**
   * Stores that a part is durable. False when the upload was completed or aborted meanwhile.
   */
  record(uploadId: string, part: StoredPart): Promise<boolean>
}

/**
 * The ledger in PostgreSQL. Both writes take a shared lock on the upload's row, completion and
 * abort take the exclusive one: a late repeat of a part can never touch the bytes of a completed
 * upload.
 */
export function createPartLedger(db: Db, clock: () => Date): PartLedger {
  return {
    async list(uploadId, tx) {
      const rows = await (tx ?? db)
        .select({
          partNumber: uploadParts.partNumber,
          eTag: uploadParts.eTag,
          sizeBytes: uploadParts.sizeBytes,
        })
        .from(uploadParts)
        .where(eq(uploadParts.uploadRequestId, uploadId))
        .orderBy(asc(uploadParts.partNumber))
      return rows.map((row) => ({ ...row, checksumSha256: checksumOf(row.eTag) }))
    },
    async forget(uploadId, partNumber) {
      return await db.transaction(async (tx) => {
        if (!(await isOpen(tx, uploadId))) return false
        await tx
          .delete(uploadParts)
          .where(
            and(eq(uploadParts.uploadRequestId, uploadId), eq(uploadParts.partNumber, partNumber)),
          )
        return true
      })
    },
    async record(uploadId, part) {
      return await db.transaction(async (tx) => {
        if (!(await isOpen(tx, uploadId))) return false
        const row = { eTag: part.eTag, sizeBytes: part.sizeBytes, storedAt: clock() }
        await tx
          .insert(uploadParts)
          .values({ uploadRequestId: uploadId, partNumber: part.partNumber, ...row })
          .onConflictDoUpdate({
            target: [uploadParts.uploadRequestId, uploadParts.partNumber],
            set: row,
          })
        return true
      })
    },
  }
}

/** The base64 SHA-256 of a part: its ETag is the same in hex. */
function checksumOf(eTag: string): string {
  return Buffer.from(eTag, 'hex').toString('base64')
}

async function isOpen(tx: Tx, uploadId: string): Promise<boolean> {
  // Shared, and the row itself is never written by parts: two parts that end together must not wait
  // for each other.
  const rows = await tx
    .select({ state: uploadRequests.state })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, uploadId))
    .for('share')
  return rows[0]?.state === 'open'
}
