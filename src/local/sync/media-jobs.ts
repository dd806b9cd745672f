import { isInScope, type Edge, type PageScope, type SortDirection } from './page-scope.ts'
import { definePull, type PullDeps } from './pull.ts'
import { forgetHeld, heldTables, markHeld } from './held-jobs.ts'
import { jobThumbnailKey } from './images.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { MEDIA_JOBS_PAGE_SIZE } from '#spec/numbers.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import {
  deleteJobs,
  findJobsMadeBetween,
  jobTables,
  putJobs,
  replaceJobs,
} from '#src/local/db/media-jobs.ts'
import type { MediaJobRow } from '#src/local/db/rows.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import type { Result } from '#src/lib/result.ts'

export interface MediaJobsQuery {
  /** Part of the name; empty finds all. */
  readonly name: string
  readonly sortBy: 'createdAt' | 'name'
  readonly sortDirection: SortDirection
}
/** Which page: the cursor and last item of the page before, null for the first. */
export interface PageStart {
  readonly cursor: string
  readonly after: Edge | null
  /** Of the library: the newest job of the first page. */
  readonly top?: Edge | null
}
/** What a page brought, and what the next one begins with; the rows are in the database. */
export interface PulledPage {
  readonly ids: readonly string[]
  readonly next: PageStart | null
}
export interface PulledJobsPage extends PulledPage {
  /** The device did not have all of them. */
  readonly isNews: boolean
  readonly first: Edge | null
  readonly last: Edge | null
}

/** The list as specified without search: newest first. */
export const NEWEST_FIRST: MediaJobsQuery = { name: '', sortBy: 'createdAt', sortDirection: 'desc' }

/**
 * One page of the library (10 by default). Jobs that the server no longer lists within the page's
 * stretch are removed with their orders and pictures; only a page of the unsearched list by time
 * can show that, since names sort in the server's way.
 */
export function pullMediaJobsPage(
  deps: PullDeps,
  query: MediaJobsQuery,
  start: PageStart | null,
  limit = MEDIA_JOBS_PAGE_SIZE,
): Promise<Result<PulledJobsPage, ApiFailure>> {
  return pullPage(deps, { query, start, limit })
}

interface PageInput {
  readonly query: MediaJobsQuery
  readonly start: PageStart | null
  readonly limit: number
}

const pullPage = definePull({
  ask: (api, init, { query, start, limit }: PageInput) => {
    const params = {
      query: {
        limit,
        sortBy: query.sortBy,
        sortDirection: query.sortDirection,
        ...(query.name === '' ? {} : { name: query.name }),
        ...(start === null ? {} : { cursor: start.cursor }),
      },
    }
    return api.GET('/v1/media-jobs/paginated', { params, ...init })
  },
  keep: async (
    deps,
    { mediaJobs, pagination },
    pulledAtEpochMs,
    { query, start },
  ): Promise<PulledJobsPage> => {
    const rows = mediaJobs.map((job) => mediaJobToRow(job, pulledAtEpochMs))
    const { nextCursor } = pagination
    const ids = rows.map((row) => row._id)
    const isNews = (await deps.db.libraryEntries.bulkGet(ids)).includes(undefined)
    await writePage(deps, rows, scopeOf(query, start, nextCursor, rows.at(-1)), pulledAtEpochMs)
    const [first = null, last = null] = [rows[0], rows.at(-1)].map(edgeOf)
    const next = nextCursor === null ? null : { cursor: nextCursor, after: last }
    return { ids, isNews, first, last, next }
  },
})

/** One job with its tasks. A 404 removes what this device has of it, a 451 what shows it. */
export const pullMediaJob = definePull({
  ask: (api, init, mediaJobId: string) =>
    api.GET('/v1/media-jobs/{id}', { params: { path: { id: mediaJobId } }, ...init }),
  keep: async ({ db }, { mediaJob }, pulledAtEpochMs) => {
    await db.transaction('rw', jobTables(db), () =>
      putJobs(db, [mediaJobToRow(mediaJob, pulledAtEpochMs)]),
    )
    return null
  },
  forget: ({ db }, mediaJobId) =>
    db.transaction('rw', [...jobTables(db), db.orders, db.images], async () => {
      await deleteJobs(db, [mediaJobId])
      await removeLeftovers(db, [mediaJobId])
    }),
  hold: ({ db }, mediaJobId) => markHeld(db, mediaJobId),
})

function edgeOf(row: Edge | undefined): Edge | null {
  return row === undefined ? null : { createdAt: row.createdAt, _id: row._id }
}

/** The stretch whose missing jobs may be removed, or null when the page cannot tell. */
function scopeOf(
  query: MediaJobsQuery,
  start: PageStart | null,
  nextCursor: string | null,
  last: Edge | undefined,
): PageScope | null {
  if (query.name !== '') return null
  const isWholeList = start === null && nextCursor === null
  if (query.sortBy !== 'createdAt' && !isWholeList) return null
  // A later page whose beginning is not known covers an unknown stretch.
  if (start !== null && start.after === null) return null
  return {
    after: start?.after ?? null,
    upTo: nextCursor === null ? null : (last ?? null),
    direction: query.sortDirection,
  }
}

async function writePage(
  deps: PullDeps,
  rows: readonly MediaJobRow[],
  scope: PageScope | null,
  pulledAtEpochMs: number,
): Promise<void> {
  const { db } = deps
  await db.transaction('rw', [...jobTables(db), ...heldTables(db)], async () => {
    await forgetHeld(db, rows)
    if (scope === null) await putJobs(db, rows)
    else {
      const inScope = await findInScope(deps, scope)
      await removeLeftovers(db, await replaceJobs(db, rows, inScope, pulledAtEpochMs))
    }
  })
}

async function findInScope({ db }: PullDeps, scope: PageScope): Promise<readonly MediaJobRow[]> {
  const [oldest, newest] =
    scope.direction === 'asc' ? [scope.after, scope.upTo] : [scope.upTo, scope.after]
  const near = await findJobsMadeBetween(db, oldest?.createdAt ?? null, newest?.createdAt ?? null)
  return near.filter((row) => isInScope(scope, row))
}

async function removeLeftovers(db: AccountDb, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return
  await db.orders
    .where('mediaJobId')
    .anyOf([...jobIds])
    .delete()
  await db.images.bulkDelete(jobIds.map(jobThumbnailKey))
}
