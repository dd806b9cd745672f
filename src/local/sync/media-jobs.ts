import { isInScope, type Edge, type PageScope, type SortDirection } from './page-scope.ts'
import { definePull, keepRows, type PullDeps } from './pull.ts'
import { jobThumbnailKey } from './images.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { MEDIA_JOBS_PAGE_SIZE } from '#spec/numbers.ts'
import { findJobsMadeBetween } from '#src/local/db/media-jobs.ts'
import type { MediaJobRow } from '#src/local/db/rows.ts'
import { putUnlessNewer, replaceRows } from '#src/local/db/put.ts'
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
}
/** What a page brought, and what the next one begins with; the rows are in the database. */
export interface PulledPage {
  readonly ids: readonly string[]
  readonly next: PageStart | null
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
): Promise<Result<PulledPage, ApiFailure>> {
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
  ): Promise<PulledPage> => {
    const rows = mediaJobs.map((job) => mediaJobToRow(job, pulledAtEpochMs))
    const { nextCursor } = pagination
    const last = rows.at(-1)
    await writePage(deps, rows, scopeOf(query, start, nextCursor, last), pulledAtEpochMs)
    const after = last === undefined ? null : { createdAt: last.createdAt, _id: last._id }
    const ids = rows.map((row) => row._id)
    return { ids, next: nextCursor === null ? null : { cursor: nextCursor, after } }
  },
})

/** One job with its tasks. A 404 removes what this device has of it. */
export const pullMediaJob = definePull({
  ask: (api, init, mediaJobId: string) =>
    api.GET('/v1/media-jobs/{id}', { params: { path: { id: mediaJobId } }, ...init }),
  keep: ({ db }, { mediaJob }, pulledAtEpochMs) =>
    keepRows(db, db.mediaJobs, [mediaJobToRow(mediaJob, pulledAtEpochMs)]),
  forget: (deps, mediaJobId) =>
    deps.db.transaction('rw', deps.db.mediaJobs, deps.db.orders, deps.db.images, () =>
      removeJobs(deps, [mediaJobId]),
    ),
})

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
  await db.transaction('rw', db.mediaJobs, db.orders, db.images, async () => {
    if (scope === null) await putUnlessNewer(db.mediaJobs, rows)
    else {
      const inScope = await findInScope(deps, scope)
      await removeLeftovers(deps, await replaceRows(db.mediaJobs, rows, inScope, pulledAtEpochMs))
    }
  })
}

async function findInScope({ db }: PullDeps, scope: PageScope): Promise<readonly MediaJobRow[]> {
  const [oldest, newest] =
    scope.direction === 'asc' ? [scope.after, scope.upTo] : [scope.upTo, scope.after]
  const near = await findJobsMadeBetween(db, oldest?.createdAt ?? null, newest?.createdAt ?? null)
  return near.filter((row) => isInScope(scope, row))
}

async function removeJobs(deps: PullDeps, ids: readonly string[]): Promise<void> {
  await deps.db.mediaJobs.bulkDelete([...ids])
  await removeLeftovers(deps, ids)
}

async function removeLeftovers(deps: PullDeps, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return
  await deps.db.orders
    .where('mediaJobId')
    .anyOf([...jobIds])
    .delete()
  await deps.db.images.bulkDelete(jobIds.map(jobThumbnailKey))
}
