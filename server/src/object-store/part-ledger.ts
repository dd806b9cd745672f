import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { uploadParts, uploadRequests } from '#server/db/schema.ts'
import { held } from '#server/problems.ts'
import { busy } from './part-turns.ts'
import type { StoredPart } from './port.ts'

/**
 * What the ledger knows of a part, and whose upload it belongs to: `ended` when the upload takes no
 * parts (any more).
 */
export type LedgerEntry =
  | { readonly kind: 'ended' }
  | { readonly kind: 'missing'; readonly userId: string }
  | {
      readonly kind: 'stored'
      readonly userId: string
      readonly eTag: string
      readonly checksumSha256: string
    }

/**
 * Which parts a disk store holds completely; it throws `uploads/held` for an upload that is held
 * after a report. A part's row goes before its bytes are touched and
 * comes back after they are on the disk, so a row always means "these bytes are there".
 */
export interface PartLedger {
  /** Parts by number. */
  list(uploadId: string): Promise<StoredPart[]>
  look(uploadId: string, partNumber: number): Promise<LedgerEntry>
  /**
   * Deletes the row of a part whose bytes are about to change. False when the upload does not take
   * parts (any more); throws `parts/busy` while it is completed.
   */
  forget(uploadId: string, partNumber: number): Promise<boolean>
  /**
   * Stores that a part is durable, in one statement. False when the upload was completed or aborted
   * meanwhile.
   */
  record(uploadId: string, part: StoredPart): Promise<boolean>
}

/**
 * The ledger in PostgreSQL. Both writes take a shared lock on the upload's row, the beginning of a
 * completion and abort take the exclusive one: a late repeat of a part can never touch the bytes of
 * a completed upload.
 */
export function createPartLedger(db: Db, clock: () => Date): PartLedger {
  return {
    async list(uploadId) {
      const rows = await db
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
    look: async (uploadId, partNumber) => await lookAtPart(db, uploadId, partNumber),
    forget: async (uploadId, partNumber) => await forgetPart(db, uploadId, partNumber),
    async record(uploadId, { partNumber, eTag, sizeBytes }) {
      // Shared, and the row itself is never written by parts: two parts that end together must not
      // wait for each other.
      const { rowCount } = await db.execute(sql`
        insert into ${uploadParts} (upload_request_id, part_number, e_tag, size_bytes, stored_at)
        select id, ${partNumber}::integer, ${eTag}, ${sizeBytes}::bigint, ${clock()}::timestamptz
        from ${uploadRequests}
        where id = ${uploadId} and state = 'open' and held_at is null for share
        on conflict (upload_request_id, part_number) do update
        set e_tag = excluded.e_tag, size_bytes = excluded.size_bytes, stored_at = excluded.stored_at
      `)
      if (rowCount === 1) return true
      await lookAtPart(db, uploadId, partNumber)
      return false
    },
  }
}

async function lookAtPart(db: Db, uploadId: string, partNumber: number): Promise<LedgerEntry> {
  const [row] = await db
    .select({
      state: uploadRequests.state,
      heldAt: uploadRequests.heldAt,
      userId: uploadRequests.userId,
      eTag: uploadParts.eTag,
    })
    .from(uploadRequests)
    .leftJoin(
      uploadParts,
      and(
        eq(uploadParts.uploadRequestId, uploadRequests.id),
        eq(uploadParts.partNumber, partNumber),
      ),
    )
    .where(eq(uploadRequests.id, uploadId))
  if (row?.state !== 'open') return { kind: 'ended' }
  if (row.heldAt !== null) throw held()
  const { userId, eTag } = row
  return eTag === null
    ? { kind: 'missing', userId }
    : { kind: 'stored', userId, eTag, checksumSha256: checksumOf(eTag) }
}

async function forgetPart(db: Db, uploadId: string, partNumber: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [upload] = await tx
      .select({
        state: uploadRequests.state,
        heldAt: uploadRequests.heldAt,
        storeCall: uploadRequests.storeCall,
      })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, uploadId))
      .for('share')
    if (upload?.state !== 'open') return false
    if (upload.heldAt !== null) throw held()
    // Its file may become the object at any moment, with every byte that is stored now.
    if (upload.storeCall === 'completing') throw busy()
    await tx
      .delete(uploadParts)
      .where(and(eq(uploadParts.uploadRequestId, uploadId), eq(uploadParts.partNumber, partNumber)))
    return true
  })
}

/** The base64 SHA-256 of a part: its ETag is the same in hex. */
function checksumOf(eTag: string): string {
  return Buffer.from(eTag, 'hex').toString('base64')
}
