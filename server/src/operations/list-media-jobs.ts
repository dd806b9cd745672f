import { and, eq, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import type { Deps } from '#server/deps.ts'
import { mediaJobs } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'
import type { JobRow } from './create-media-job.ts'
import { readCursor, writeCursor } from './cursor.ts'

/** What a page is asked for; a cursor brings the order and search of its first page along. */
export interface JobsQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly name?: string | undefined
  readonly sortBy: 'createdAt' | 'name'
  readonly sortDirection: 'asc' | 'desc'
}

const positionSchema = v.object({
  sortBy: v.picklist(['createdAt', 'name']), sortDirection: v.picklist(['asc', 'desc']), name: v.string(),
  /** Sort key of the last row that was sent: an ISO time or a lower-case name. */
  key: v.string(), id: v.pipe(v.string(), v.uuid()),
})

/** One page of the user's jobs. Keyset paging: rows that come or go between two pages neither repeat nor hide others. */
export async function listMediaJobsPage(deps: Pick<Deps, 'db'>, userId: string, query: JobsQuery): Promise<{ rows: JobRow[]; nextCursor: string | null }> {
  const after = query.cursor === undefined ? null : readCursor(positionSchema, query.cursor)
  const { sortBy, sortDirection, name } = after ?? { sortBy: query.sortBy, sortDirection: query.sortDirection, name: query.name?.trim() ?? '' }
  // "C" compares code points, the same on every machine and in the cursor.
  const key: SQL = sortBy === 'name' ? sql`lower(${mediaJobs.name}) collate "C"` : sql`${mediaJobs.createdAt}`
  const way = sql.raw(sortDirection)
  const found = await deps.db.select({ row: mediaJobs, key: sortBy === 'name' ? sql<string>`lower(${mediaJobs.name})` : sql<string>`${mediaJobs.createdAt}::text` })
    .from(mediaJobs)
    .where(and(
      eq(mediaJobs.userId, userId),
      name === '' ? undefined : sql`${mediaJobs.name} ilike ${`%${name.replace(/[\\%_]/g, '\\$&')}%`}`,
      after === null ? undefined : beyond(key, sortBy, sortDirection, after),
    ))
    .orderBy(sql`${key} ${way}, ${mediaJobs.id} ${way}`).limit(query.limit + 1)
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  const nextCursor = found.length > query.limit && last !== undefined ? writeCursor({ sortBy, sortDirection, name, key: last.key, id: last.row.id }) : null
  return { rows: page.map(({ row }) => row), nextCursor }
}

/** An own job; 404 `media-job/not-found` else. */
export async function findMediaJob(deps: Pick<Deps, 'db'>, userId: string, id: string): Promise<JobRow> {
  const [row] = await deps.db.select().from(mediaJobs).where(and(eq(mediaJobs.id, id), eq(mediaJobs.userId, userId)))
  if (row === undefined) throw notFound('Media job')
  return row
}

function beyond(key: SQL, sortBy: JobsQuery['sortBy'], direction: JobsQuery['sortDirection'], after: { key: string; id: string }): SQL {
  const value = sortBy === 'name' ? sql`${after.key} collate "C"` : sql`${after.key}::timestamptz`
  return sql`(${key}, ${mediaJobs.id}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${value}, ${after.id}::uuid)`
}
