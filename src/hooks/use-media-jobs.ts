import { useInfiniteQuery } from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import { furtherPages, type FurtherPages } from './further-pages.ts'
import { useLocal } from './local-context.ts'
import { foundList, toShown, type Shown } from './shown.ts'
import { useJitter } from './use-jitter.ts'
import { useLive } from './use-live.ts'
import { usePulls } from './use-pull.ts'
import { MEDIA_JOBS_PAGE_SIZE } from '#src/config/limits.ts'
import { findMediaJobs } from '#src/local/db/media-jobs.ts'
import { isJobFinished, jobsPollMs } from '#src/local/sync/intervals.ts'
import type { MediaJobsQuery } from '#src/local/sync/media-jobs.ts'

export type MediaJob = components['schemas']['MediaJob']

export interface ShownJobs extends Shown<readonly MediaJob[]>, FurtherPages {}

/**
 * The library, searched and sorted, as far as it was loaded (10 more per page). What the device has
 * is shown at once, then agrees with the server page by page. Polls while a shown job is not
 * finished.
 */
export function useMediaJobs(query: MediaJobsQuery): ShownJobs {
  const { ports } = useLocal()
  const jitter = useJitter()
  const working = useLive('unfinished-jobs', async (db) =>
    (await db.mediaJobs.toArray()).map((row) => row.value).filter((job) => !isJobFinished(job)),
  )
  const pull = useInfiniteQuery({
    ...usePulls().mediaJobsPages(query),
    refetchInterval: () =>
      jobsPollMs(working.kind === 'ready' ? working.value : [], ports.isVisible(), jitter),
    refetchIntervalInBackground: true,
  })
  // Without any page from the server there is no next one to load: show all that the device has.
  const limit =
    pull.data === undefined && pull.isError
      ? Infinity
      : Math.max(1, pull.data?.pages.length ?? 1) * MEDIA_JOBS_PAGE_SIZE
  const question = `media-jobs:${JSON.stringify(query)}`
  const live = useLive(
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
  return { ...toShown<readonly MediaJob[]>(live, pull, []), ...furtherPages(pull) }
}
