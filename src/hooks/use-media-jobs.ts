import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import { furtherPages, type FurtherPages } from './further-pages.ts'
import { useLocal } from './local-context.ts'
import { foundList, toShown, type Shown } from './shown.ts'
import { useJitter } from './use-jitter.ts'
import { useLive } from './use-live.ts'
import { usePulls } from './use-pull.ts'
import { MEDIA_JOBS_PAGE_SIZE } from '#spec/numbers.ts'
import { findMediaJobs } from '#src/local/db/media-jobs.ts'
import { isJobFinished, jobsPollMs } from '#src/local/sync/intervals.ts'
import type { MediaJobsQuery, PageStart, PulledPage } from '#src/local/sync/media-jobs.ts'

export type MediaJob = components['schemas']['MediaJob']

export interface ShownJobs extends Shown<readonly MediaJob[]>, FurtherPages {}

/**
 * The library, searched and sorted, as far as it was loaded (10 more per page). What the device has
 * is shown at once, then agrees with the server page by page. While a shown job is not finished,
 * the first page and the pages with such jobs are pulled again, and no others.
 */
export function useMediaJobs(query: MediaJobsQuery): ShownJobs {
  const pulls = usePulls()
  const pages = useInfiniteQuery(pulls.mediaJobsPages(query))
  const live = useShownRows(query, pages)
  const unfinished = (live.kind === 'ready' ? (live.value?.data ?? []) : []).filter(
    (job) => !isJobFinished(job),
  )
  const { ports } = useLocal()
  const jitter = useJitter()
  const again = useQuery({
    ...pulls.mediaJobsAgain(query, startsToPullAgain(pages.data?.pages ?? [], unfinished)),
    enabled: pages.isSuccess,
    // The pages were pulled just now.
    initialData: null,
    refetchInterval: () => jobsPollMs(unfinished, ports.isVisible(), jitter),
    refetchIntervalInBackground: true,
  })
  return {
    ...toShown<readonly MediaJob[]>(live, pages.isSuccess ? again : pages, []),
    ...furtherPages(pages),
  }
}

type Pages = UseInfiniteQueryResult<InfiniteData<PulledPage>>

/** This device's rows of the pages that were loaded. */
function useShownRows(query: MediaJobsQuery, pages: Pages) {
  // Without any page from the server there is no next one to load: show all that the device has.
  const limit =
    pages.data === undefined && pages.isError
      ? Infinity
      : Math.max(1, pages.data?.pages.length ?? 1) * MEDIA_JOBS_PAGE_SIZE
  const question = `media-jobs:${JSON.stringify(query)}`
  return useLive(
    `${question}:${limit}`,
    async (db) => {
      const rows = await findMediaJobs(db, query, limit)
      return foundList(
        rows,
        rows.map((row) => row.value),
      )
    },
    question,
  )
}

/** Where the first page begins, for jobs that are new, and each page with an unfinished job. */
function startsToPullAgain(
  pages: readonly PulledPage[],
  unfinished: readonly MediaJob[],
): readonly (PageStart | null)[] {
  const moving = new Set(unfinished.map(({ _id }) => _id))
  return pages.flatMap(({ ids }, index) =>
    index === 0 || ids.some((id) => moving.has(id)) ? [pages[index - 1]?.next ?? null] : [],
  )
}
