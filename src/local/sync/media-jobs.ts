import { isInScope, type Edge, type PageScope, type SortDirection } from './page-scope.ts'
import { read, withSignal, type Pull, type PullDeps } from './pull.ts'
import { jobThumbnailKey } from './images.ts'
import { statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { MEDIA_JOBS_PAGE_SIZE } from '#src/config/limits.ts'
import type { MediaJobRow } from '#src/local/db/rows.ts'
import { putUnlessNewer, replaceRows } from '#src/local/db/put.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { ok } from '#src/lib/result.ts'

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
/** What the next page begins with; the rows themselves are in the database. */
export interface PulledPage {
  readonly count: number
  readonly next: PageStart | null
}

/** The list as specified without search: newest first. */
export const NEWEST_FIRST: MediaJobsQuery = { name: '', sortBy: 'createdAt', sortDirection: 'desc' }

/**
 * One page of the library (10 by default). Jobs that the server no longer lists within the page's
 * stretch are removed with their orders and pictures; only a page of the unsearched list by time
 * can tell, since names sort in the server's way.
 */
export const pullMediaJobsPage: Pull<
  [query: MediaJobsQuery, start: PageStart | null, limit?: number],
  PulledPage
> = async (deps, query, start, limit, signal) => {
  const pulledAtEpochMs = deps.clock.now()
  const params = {
    query: {
      limit: limit ?? MEDIA_JOBS_PAGE_SIZE,
      sortBy: query.sortBy,
      sortDirection: query.sortDirection,
      ...(query.name === '' ? {} : { name: query.name }),
      ...(start === null ? {} : { cursor: start.cursor }),
    },
  }
  const answer = await read(
    deps,
    () => send(deps.api.GET('/v1/media-jobs/paginated', { params, ...withSignal(signal) })),
    signal,
  )
  if (!answer.ok) return answer
  const rows = answer.value.mediaJobs.map((job) => mediaJobToRow(job, pulledAtEpochMs))
  const { nextCursor } = answer.value.pagination
  const last = rows.at(-1)
  await writePage(deps, rows, scopeOf(query, start, nextCursor, last), pulledAtEpochMs)
  return ok({
    count: rows.length,
    next:
      nextCursor === null
        ? null
        : {
            cursor: nextCursor,
            after: last === undefined ? null : { createdAt: last.createdAt, _id: last._id },
          },
  })
}

/**
 * One job with its tasks. A 404 removes what this device has of it, and is still a failure to the
 * caller.
 */
export const pullMediaJob: Pull<[mediaJobId: string]> = async (deps, mediaJobId, signal) => {
  const { db } = deps
  const pulledAtEpochMs = deps.clock.now()
  const answer = await read(
    deps,
    () =>
      send(
        deps.api.GET('/v1/media-jobs/{id}', {
          params: { path: { id: mediaJobId } },
          ...withSignal(signal),
        }),
      ),
    signal,
  )
  if (!answer.ok) {
    if (statusOf(answer.error) === 404)
      await db.transaction('rw', db.mediaJobs, db.orders, db.images, () =>
        removeJobs(deps, [mediaJobId]),
      )
    return answer
  }
  await db.transaction('rw', db.mediaJobs, () =>
    putUnlessNewer(db.mediaJobs, [mediaJobToRow(answer.value.mediaJob, pulledAtEpochMs)]),
  )
  return ok(null)
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
  await db.transaction('rw', db.mediaJobs, db.orders, db.images, async () => {
    if (scope === null) await putUnlessNewer(db.mediaJobs, rows)
    else {
      const inScope = await db.mediaJobs.filter((row) => isInScope(scope, row)).toArray()
      await removeLeftovers(deps, await replaceRows(db.mediaJobs, rows, inScope, pulledAtEpochMs))
    }
  })
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
