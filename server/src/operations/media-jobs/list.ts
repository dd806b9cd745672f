import { and, eq, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import type { Deps } from '#server/deps.ts'
import { mediaJobs } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'
import type { JobRow } from './create.ts'
import { cursorText, cursorTime, readCursor, writeCursor } from '#server/operations/lists/cursor.ts'

/** What a page is asked for; a cursor brings the order and search of its first page along. */
export interface JobsQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly name?: string | undefined
  readonly sortBy: 'createdAt' | 'name'
  readonly sortDirection: 'asc' | 'desc'
}

const common = {
  sortDirection: v.picklist(['asc', 'desc']),
  name: cursorText,
  id: v.pipe(v.string(), v.uuid()),
}
/** `key` is the sort key of the last row that was sent; names in lower case. */
const positionSchema = v.variant('sortBy', [
  v.object({ sortBy: v.literal('createdAt'), key: cursorTime, ...common }),
  v.object({ sortBy: v.literal('name'), key: cursorText, ...common }),
])
type Position = v.InferOutput<typeof positionSchema>

/**
 * One page of the user's jobs. Keyset paging: rows that come or go between two pages neither repeat
 * nor hide others.
 */
export async function listMediaJobsPage(
  deps: Pick<Deps, 'db'>,
  userId: string,
  query: JobsQuery,
): Promise<{ rows: JobRow[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? null : readCursor(positionSchema, query.cursor)
  const { sortBy, sortDirection, name } = after ?? {
    sortBy: query.sortBy,
    sortDirection: query.sortDirection,
    name: query.name?.replaceAll('\0', '').trim() ?? '',
  }
  const key: SQL = sortBy === 'name' ? lowerName : sql`${mediaJobs.createdAt}`
  const way = sql.raw(sortDirection)
  const found = await deps.db
    .select({ row: mediaJobs, lowerName: sql<string>`${lowerName}` })
    .from(mediaJobs)
    .where(
      and(
        eq(mediaJobs.userId, userId),
        name === '' ? undefined : sql`strpos(${lowerName}, ${lowerCase(sql`${name}::text`)}) > 0`,
        after === null ? undefined : beyond(key, after),
      ),
    )
    .orderBy(sql`${key} ${way}, ${mediaJobs.id} ${way}`)
    .limit(query.limit + 1)
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  if (found.length <= query.limit || last === undefined)
    return { rows: page.map(({ row }) => row), nextCursor: null }
  const at = { sortDirection, name, id: last.row.id }
  const position: Position =
    sortBy === 'name'
      ? { sortBy, key: last.lowerName, ...at }
      : { sortBy, key: last.row.createdAt.getTime(), ...at }
  return { rows: page.map(({ row }) => row), nextCursor: writeCursor(position) }
}

/** An own job; 404 `media-jobs/not-found` else. */
export async function findMediaJob(
  deps: Pick<Deps, 'db'>,
  userId: string,
  id: string,
): Promise<JobRow> {
  const [row] = await deps.db
    .select()
    .from(mediaJobs)
    .where(and(eq(mediaJobs.id, id), eq(mediaJobs.userId, userId)))
  if (row === undefined) throw notFound('media-jobs/not-found')
  return row
}

/**
 * Lower case by Unicode's rules (the database's own locale is C, which knows ASCII only), compared
 * by code points, so that the order is the same on every machine and in the cursor.
 */
function lowerCase(text: SQL): SQL {
  return sql`lower(${text} collate "und-x-icu") collate "C"`
}
const lowerName = lowerCase(sql`${mediaJobs.name}`)

function beyond(key: SQL, after: Position): SQL {
  const value =
    after.sortBy === 'name'
      ? sql`${after.key}::text collate "C"`
      : sql`${new Date(after.key)}::timestamptz`
  return sql`(${key}, ${mediaJobs.id}) ${sql.raw(after.sortDirection === 'asc' ? '>' : '<')} (${value}, ${after.id}::uuid)`
}
