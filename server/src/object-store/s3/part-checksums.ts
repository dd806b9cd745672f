import { and, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { partChecksums, uploadParts, uploadRequests } from '#server/db/schema.ts'
import type { StoredPart } from '#server/object-store/port.ts'

/**
 * The checksums for which URLs of parts were signed. The store takes no other bytes under these
 * URLs, so that what it has of a part has one of them; Ceph does not say which.
 */
export interface PartChecksums {
  /** Remembers one, before its URL is given out. */
  add(uploadId: string, partNumber: number, checksumSha256: string): Promise<void>
  /** Those of an upload, of parts from this one on, in base64, by the number of the part. */
  list(uploadId: string, from?: number): Promise<ReadonlyMap<number, readonly string[]>>
  /**
   * Notes which parts the store has, as it has just said: what lists, limits and the removal of old
   * uploads count between two looks at the store.
   */
  seen(uploadId: string, parts: readonly StoredPart[]): Promise<void>
  /** The number of the first part that was not seen in the store. */
  firstUnseen(uploadId: string): Promise<number>
}

/** Signed checksums in PostgreSQL. Those that are added at once are one statement. */
export function createPartChecksums(db: Db, clock: () => Date): PartChecksums {
  const waiting: (typeof partChecksums.$inferInsert)[] = []
  let writing: Promise<void> | null = null
  const write = async (): Promise<void> => {
    // Those that are signed in one go come before this goes on.
    await Promise.resolve()
    writing = null
    await db.insert(partChecksums).values(waiting.splice(0)).onConflictDoNothing()
  }
  return {
    async add(uploadRequestId, partNumber, checksumSha256) {
      waiting.push({ uploadRequestId, partNumber, checksumSha256 })
      await (writing ??= write())
    },
    async list(uploadId, from = 1) {
      const rows = await db
        .select({ n: partChecksums.partNumber, checksumSha256: partChecksums.checksumSha256 })
        .from(partChecksums)
        .where(
          and(eq(partChecksums.uploadRequestId, uploadId), gte(partChecksums.partNumber, from)),
        )
      const byNumber = Map.groupBy(rows, ({ n }) => n)
      return new Map(Array.from(byNumber, ([n, of]) => [n, of.map((row) => row.checksumSha256)]))
    },
    async seen(uploadId, parts) {
      if (parts.length === 0) return
      const rows = parts.map(({ partNumber: n, eTag, sizeBytes }) => ({ n, eTag, sizeBytes }))
      await db.execute(sql`
        insert into ${uploadParts} (upload_request_id, part_number, e_tag, size_bytes, stored_at)
        select id, part.n, part."eTag", part."sizeBytes", ${clock()}::timestamptz
        from ${uploadRequests}, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as part (n integer, "eTag" text, "sizeBytes" bigint)
        where id = ${uploadId} and state = 'open' and held_at is null
        on conflict (upload_request_id, part_number) do update
        set e_tag = excluded.e_tag, size_bytes = excluded.size_bytes, stored_at = excluded.stored_at
        where upload_parts.e_tag <> excluded.e_tag
      `)
    },
    async firstUnseen(uploadId) {
      const { rows } = await db.execute<{ first: number }>(sql`
        select (coalesce(min(n) filter (where n <> part_number), count(*) + 1))::int as first
        from (
          select part_number, row_number() over (order by part_number) as n
          from ${uploadParts} where upload_request_id = ${uploadId}
        ) numbered`)
      return rows[0]?.first ?? 1
    },
  }
}
