import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { valueOrThrow } from './query-client.ts'
import type { Account, PageLocal } from '#src/local/compose.ts'
import { pullMe, pullProfile } from '#src/local/sync/account.ts'
import { pullMediaAssets, pullMusicTracks, pullPresets } from '#src/local/sync/catalogue.ts'
import { saveJobThumbnails } from '#src/local/sync/images.ts'
import { STALE_AFTER_MS } from '#src/local/sync/intervals.ts'
import {
  pullMediaJob,
  pullMediaJobsPage,
  type MediaJobsQuery,
  type PageStart,
  type PulledPage,
} from '#src/local/sync/media-jobs.ts'
import { pullJobOrders, pullOrder, pullOrderMediaJobs } from '#src/local/sync/orders.ts'
import { pullDepsOf, type Pull } from '#src/local/sync/pull.ts'
import { pullUploadFindings } from '#src/local/sync/upload-findings.ts'
import { pullUploadsPage } from '#src/local/sync/uploads.ts'
import { pullWallet, pullWalletTransactions, pullWallets } from '#src/local/sync/wallets.ts'

/**
 * First segment of every pull's key, so that `invalidateQueries({ queryKey: PULL_KEY })` freshens
 * everything shown.
 */
export const PULL_KEY = ['pull'] as const

/**
 * Query options whose functions pull into the database and return nothing to render (except where
 * the next page begins). Without an account they are disabled. Keys hold the account, so that two
 * never mix.
 */
export function pullsOf(local: PageLocal, account: Account | null) {
  const one = onePullOf(local, account)
  const pages = pagedPullOf(local, account)
  return {
    presets: one('presets', STALE_AFTER_MS.presets, pullPresets),
    me: one('me', STALE_AFTER_MS.me, pullMe),
    profile: one('profile', STALE_AFTER_MS.me, pullProfile),
    wallets: one('wallets', STALE_AFTER_MS.wallets, pullWallets),
    wallet: one('wallet', STALE_AFTER_MS.wallets, pullWallet),
    walletTransactions: one('wallet-transactions', STALE_AFTER_MS.wallets, pullWalletTransactions),
    mediaAssets: one('media-assets', STALE_AFTER_MS.mediaAssets, pullMediaAssets),
    musicTracks: one('music-tracks', STALE_AFTER_MS.musicTracks, pullMusicTracks),
    mediaJob: one('media-job', STALE_AFTER_MS.mediaJobs, pullMediaJob),
    jobOrders: one('job-orders', STALE_AFTER_MS.order, pullJobOrders),
    order: one('order', STALE_AFTER_MS.order, pullOrder),
    orderMediaJobs: one('order-media-jobs', STALE_AFTER_MS.order, pullOrderMediaJobs),
    // What the server found in a video does not change.
    uploadFindings: one('upload-findings', Infinity, pullUploadFindings),
    uploadsPages: () =>
      pages(['uploads'], STALE_AFTER_MS.uploads, (deps, start) => pullUploadsPage(deps, start)),
    mediaJobsPages: (query: MediaJobsQuery) =>
      pages(['media-jobs', query], STALE_AFTER_MS.mediaJobs, async (deps, start) => {
        const page = await pullMediaJobsPage(deps, query, start)
        if (page.ok) void saveJobThumbnails(deps)
        return page
      }),
  }
}

/** Makes the query options of pulls that fill no pages: `one(...)(mediaJobId)`. */
function onePullOf(local: PageLocal, account: Account | null) {
  return <I extends string | void>(name: string, staleTime: number, pull: Pull<I>) =>
    (input: I) =>
      queryOptions({
        queryKey: [
          ...PULL_KEY,
          account?.userId ?? null,
          name,
          ...(input === undefined ? [] : [input]),
        ] as const,
        enabled: account !== null,
        staleTime,
        queryFn: async ({ signal }): Promise<null> =>
          account === null
            ? null
            : valueOrThrow(await pull(pullDepsOf(local, account, signal), input)),
      })
}

/** Makes the query options of a list that the server gives page by page. */
function pagedPullOf(local: PageLocal, account: Account | null) {
  return (name: readonly unknown[], staleTime: number, pull: Pull<PageStart | null, PulledPage>) =>
    infiniteQueryOptions({
      queryKey: [...PULL_KEY, account?.userId ?? null, ...name] as const,
      enabled: account !== null,
      staleTime,
      initialPageParam: null as PageStart | null,
      queryFn: async ({ pageParam, signal }): Promise<PulledPage> =>
        account === null
          ? { count: 0, next: null }
          : valueOrThrow(await pull(pullDepsOf(local, account, signal), pageParam)),
      getNextPageParam: (page) => page.next,
    })
}
