import {
  pullMediaJobsPage,
  type MediaJobsQuery,
  type PageStart,
  type PulledPage,
} from './media-jobs.ts'
import type { PullDeps } from './pull.ts'
import type { Edge } from './page-scope.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { writeListedAt } from '#src/local/db/nouns.ts'
import { FACTS, readFact, writeFact, type LibraryReach } from '#src/local/db/facts.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** What a page of the library brought, and what the next one begins with. */
export interface LibraryPage extends PulledPage {
  /** Also of the pages that closed a gap. */
  readonly allIds: readonly string[]
  /** The device did not have all of the page. */
  readonly isNews: boolean
}

/** The list by time, as `readListedAt` knows it. */
export const LIBRARY = { table: 'mediaJobs' } as const

/** Pages that close a gap to what the device has, in one go. */
const PAGES_IN_ONE_GO = 10

/**
 * One page of the library. Of the list by time, newest first, it goes on behind what the device has
 * ([Note: reach]), and pulls further pages, ten in all, until they meet that: jobs that were made
 * elsewhere while this device was away come without a hole.
 *
 * [Note: reach] `FACTS.libraryReach` says how far the device has that list, with the server's
 * cursor behind it, so that a person who came 1,000 jobs far yesterday goes on from there today.
 */
export async function pullLibraryPage(
  deps: PullDeps,
  query: MediaJobsQuery,
  start: PageStart | null,
): Promise<Result<LibraryPage, ApiFailure>> {
  const first = await pullOne(deps, query, start)
  if (!first.ok) return first
  const { ids, isNews } = first.value
  const allIds = [...ids]
  let last = first.value
  for (let pages = 1; pages < PAGES_IN_ONE_GO && last.isBeforeGap; pages += 1) {
    const page = await pullOne(deps, query, last.next)
    if (!page.ok) return page
    last = page.value
    allIds.push(...last.ids)
  }
  return ok({ ids, allIds, isNews, next: last.next })
}

interface OnePage extends Omit<LibraryPage, 'allIds'> {
  /** What the device has of the list begins further on. */
  readonly isBeforeGap: boolean
}

async function pullOne(
  deps: PullDeps,
  query: MediaJobsQuery,
  start: PageStart | null,
): Promise<Result<OnePage, ApiFailure>> {
  const pulledAtEpochMs = deps.clock.now()
  const page = await pullMediaJobsPage(deps, query, start)
  if (!page.ok) return page
  const { ids, isNews, first, last, next } = page.value
  if (isByTime(query) && start === null) await writeListedAt(deps.db, LIBRARY, pulledAtEpochMs)
  const top = start === null ? first : (start.top ?? null)
  const own = { ids, isNews, isBeforeGap: false, next: next === null ? null : { ...next, top } }
  if (!isByTime(query) || top === null || last === null) return ok(own)
  const pulled = { newest: top, oldest: last, cursor: next?.cursor ?? null }
  const reach = reachAfter((await readFact(deps.db, FACTS.libraryReach))?.value ?? null, pulled)
  if (reach === null) return ok({ ...own, isBeforeGap: true })
  await writeFact(deps.db, FACTS.libraryReach, reach, pulledAtEpochMs)
  const { cursor, oldest: after } = reach
  return ok({ ...own, next: cursor === null ? null : { cursor, after, top } })
}

function isByTime({ name, sortBy, sortDirection }: MediaJobsQuery): boolean {
  return name === '' && sortBy === 'createdAt' && sortDirection === 'desc'
}

/**
 * The reach after pages were pulled from `pulled.newest`, the top of the list, down to
 * `pulled.oldest`. Null: they do not come down to what the device has, so that there is a gap which
 * further pages close.
 */
function reachAfter(known: LibraryReach | null, pulled: LibraryReach): LibraryReach | null {
  if (known === null || pulled.cursor === null) return pulled
  if (isOlder(known.newest, pulled.oldest)) return null
  const newest = isOlder(known.newest, pulled.newest) ? pulled.newest : known.newest
  return isOlder(pulled.oldest, known.oldest) ? { ...pulled, newest } : { ...known, newest }
}

function isOlder(one: Edge, other: Edge): boolean {
  return one.createdAt === other.createdAt ? one._id < other._id : one.createdAt < other.createdAt
}
