import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import { furtherPages, type FurtherPages } from '#src/hooks/sync/further-pages.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { toShown, type Shown } from '#src/hooks/sync/shown.ts'
import { useJitter } from '#src/hooks/clock/use-jitter.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import { readListedAt } from '#src/local/db/nouns.ts'
import type { LibraryEntryRow } from '#src/local/db/rows.ts'
import { jobsPollMs } from '#src/local/sync/intervals.ts'
import { LIBRARY, type LibraryPage } from '#src/local/sync/library.ts'
import type { MediaJobsQuery, PageStart } from '#src/local/sync/media-jobs.ts'

export type MediaJob = components['schemas']['MediaJob']
export type LibraryEntry = LibraryEntryRow

/** The library as this device has it, in no order; `useKnownJob` has the whole of one job. */
export interface ShownLibrary extends Shown<readonly LibraryEntry[]>, FurtherPages {
  /** Jobs that the pulls of the library keep fresh; null while a page is on its way. */
  readonly pulledIds: ReadonlySet<string> | null
}

/**
 * All that this device has of the library, at once, and the pages of the server that agree with it:
 * 10 at first, 10 more by `loadMore`. While a job of these pages is not finished, the first page
 * and the pages with such jobs are pulled again, and no others.
 */
export function useLibrary(query: MediaJobsQuery): ShownLibrary {
  const pulls = usePulls()
  const pages = useInfiniteQuery(pulls.mediaJobsPages(query))
  const live = useLive('library', async (db) => {
    const data = await db.libraryEntries.toArray()
    if (data.length > 0) return { data, asOfEpochMs: null }
    const listedAtEpochMs = await readListedAt(db, LIBRARY)
    return listedAtEpochMs === null
      ? null
      : { data, asOfEpochMs: listedAtEpochMs, wasEmpty: true as const }
  })
  const asOf = useAsOf()
  const pulledIds = new Set((pages.data?.pages ?? []).flatMap(({ ids }) => ids))
  const entries = live.kind === 'ready' ? (live.value?.data ?? []) : []
  const unfinished = entries.filter(
    ({ _id, state }) => pulledIds.has(_id) && state !== 'completed' && state !== 'failed',
  )
  const { ports } = useLocal()
  const jitter = useJitter()
  const again = useQuery({
    ...pulls.mediaJobsAgain(query, startsToPullAgain(pages.data?.pages ?? [], unfinished)),
    enabled: pages.isSuccess,
    // The pages were pulled just now.
    initialData: null,
    refetchInterval: () =>
      jobsPollMs(
        unfinished.map(({ state }) => state),
        ports.isVisible(),
        jitter,
      ),
    refetchIntervalInBackground: true,
  })
  const isEmpty = useIsEmpty(pages.isSuccess)
  const shown = toShown<readonly LibraryEntry[]>(
    live,
    pages.isSuccess ? again : pages,
    isEmpty ? [] : null,
  )
  const further = furtherPages(pages)
  return {
    ...shown,
    ...further,
    asOfEpochMs: asOf.oldestEpochMs ?? shown.asOfEpochMs,
    hasMore: further.hasMore && !(asOf.isWhole && isKnown(pages)),
    pulledIds: pages.isSuccess && !pages.isFetching ? pulledIds : null,
  }
}

type Pages = UseInfiniteQueryResult<InfiniteData<LibraryPage>>

/** The list was whole when this device last had it, and the newest page shows nothing new. */
function isKnown({ data }: Pages): boolean {
  return data?.pages.at(-1)?.isNews === false
}

/**
 * Whether there was nothing on the device after the server had answered. What was read before the
 * answer says nothing: it gets the answer's rows only later.
 */
function useIsEmpty(isAnswered: boolean): boolean {
  const live = useLive(`library-is-empty:${isAnswered}`, async (db) =>
    isAnswered ? (await db.libraryEntries.count()) === 0 : false,
  )
  return live.kind === 'ready' && live.value
}

/** How old the newest page of the library is, and whether the device has all that is behind it. */
function useAsOf(): { readonly oldestEpochMs: number | null; readonly isWhole: boolean } {
  const live = useLive('library-as-of', async (db) => {
    const newest = await db.mediaJobs.orderBy('createdAt').reverse().limit(10).toArray()
    return {
      oldestEpochMs:
        newest.length === 0 ? null : Math.min(...newest.map((row) => row.pulledAtEpochMs)),
      isWhole: (await readFact(db, FACTS.libraryReach))?.value.cursor === null,
    }
  })
  return live.kind === 'ready' ? live.value : { oldestEpochMs: null, isWhole: false }
}

/** Where the first page begins, for jobs that are new, and each page with an unfinished job. */
function startsToPullAgain(
  pages: readonly LibraryPage[],
  unfinished: readonly LibraryEntry[],
): readonly (PageStart | null)[] {
  const moving = new Set(unfinished.map(({ _id }) => _id))
  return pages.flatMap(({ ids }, index) =>
    index === 0 || ids.some((id) => moving.has(id)) ? [pages[index - 1]?.next ?? null] : [],
  )
}
