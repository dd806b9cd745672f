import { and, desc, eq, ne, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Deps } from '#server/deps.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { cursorTime, readCursor, writeCursor } from '#server/operations/lists/cursor.ts'
import type { UploadRow } from './find.ts'

const positionSchema = v.object({ at: cursorTime, id: v.pipe(v.string(), v.uuid()) })

/** A page of the user's uploads, newest first, without aborted ones. */
export async function listUploads(
  deps: Pick<Deps, 'db'>,
  userId: string,
  query: {
    cursor?: string | undefined
    limit: number
    purpose?: 'media-job' | 'media-asset' | undefined
  },
): Promise<{ rows: UploadRow[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? null : readCursor(positionSchema, query.cursor)
  const rows = await deps.db
    .select()
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, userId),
        ne(uploadRequests.state, 'aborted'),
        query.purpose === undefined ? undefined : eq(uploadRequests.purpose, query.purpose),
        after === null
          ? undefined
          : sql`(${uploadRequests.createdAt}, ${uploadRequests.id}) < (${new Date(after.at)}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(uploadRequests.createdAt), desc(uploadRequests.id))
    .limit(query.limit + 1)
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  return {
    rows: page,
    nextCursor:
      rows.length > query.limit && last !== undefined
        ? writeCursor({ at: last.createdAt.getTime(), id: last.id })
        : null,
  }
}
