import { and, eq, sql, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import type { UserCtx } from '#server/context.ts'
import type { JobRow } from '#server/db/rows.ts'
import { mediaJobs } from '#server/db/schema.ts'
import {
  cursorText,
  cursorTime,
  readCursor,
  writeCursor,
  type Page,
} from '#server/operations/core/cursor.ts'
import { readJobs, type JobFacts } from './facts.ts'

/** The page that is asked for; a cursor brings the order and search of its first page along. */
interface JobsQuery {
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
 * One page of the user's jobs. The page starts after the last row that was sent, so that rows that
 * come or go between two pages neither repeat nor hide others.
 */
export async function listMediaJobsPage(ctx: UserCtx, query: JobsQuery): Promise<Page<JobFacts>> {
  const after = query.cursor === undefined ? null : readCursor(positionSchema, query.cursor)
  const { sortBy, sortDirection, name } = after ?? {
    sortBy: query.sortBy,
    sortDirection: query.sortDirection,
    name: query.name?.replaceAll('\0', '').trim() ?? '',
  }
  const key: SQL = sortBy === 'name' ? lowerName : sql`${mediaJobs.createdAt}`
  const direction = sql.raw(sortDirection)
  const found = await ctx.db
    .select({ row: mediaJobs, lowerName: sql<string>`${lowerName}` })
    .from(mediaJobs)
    .where(
      and(
        eq(mediaJobs.userId, ctx.user.id),
        name === '' ? undefined : sql`strpos(${lowerName}, ${lowerCase(sql`${name}::text`)}) > 0`,
        after === null ? undefined : beyond(key, after),
      ),
    )
    .orderBy(sql`${key} ${direction}, ${mediaJobs.id} ${direction}`)
    .limit(query.limit + 1)
  const page = found.slice(0, query.limit)
  const rows = await readJobs(ctx, { jobs: page.map(({ row }) => row) })
  const last = page.at(-1)
  if (found.length <= query.limit || last === undefined) return { rows, nextCursor: null }
  return { rows, nextCursor: writeCursor(positionOf(last, { sortBy, sortDirection, name })) }
}

function positionOf(
  last: { readonly row: JobRow; readonly lowerName: string },
  { sortBy, sortDirection, name }: Pick<Position, 'sortBy' | 'sortDirection' | 'name'>,
): Position {
  const at = { sortDirection, name, id: last.row.id }
  return sortBy === 'name'
    ? { sortBy, key: last.lowerName, ...at }
    : { sortBy, key: last.row.createdAt.getTime(), ...at }
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
