import { and, desc, eq, ne, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { cursorTime, readCursor, writeCursor, type Page } from '#server/operations/core/cursor.ts'

const positionSchema = v.object({ at: cursorTime, id: v.pipe(v.string(), v.uuid()) })

/** The part of the list that is asked for. */
interface UploadsQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly purpose?: UploadRow['purpose'] | undefined
}

/** A page of the user's uploads, newest first, without aborted ones and excerpts. */
export async function listUploads(ctx: UserCtx, query: UploadsQuery): Promise<Page<UploadRow>> {
  const after = query.cursor === undefined ? null : readCursor(positionSchema, query.cursor)
  const rows = await ctx.db
    .select()
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.userId, ctx.user.id),
        ne(uploadRequests.state, 'aborted'),
        ne(uploadRequests.purpose, 'excerpt'),
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
  const hasMore = rows.length > query.limit && last !== undefined
  return {
    rows: page,
    nextCursor: hasMore ? writeCursor({ at: last.createdAt.getTime(), id: last.id }) : null,
  }
}
