import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { valueOrThrow } from './query-client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
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
} from '#src/local/sync/media-jobs.ts'
import { pullJobOrders, pullOrder, pullOrderMediaJobs } from '#src/local/sync/orders.ts'
import type { PullDeps } from '#src/local/sync/pull.ts'
import { pullUploadFindings } from '#src/local/sync/upload-findings.ts'
import { pullUploadsPage } from '#src/local/sync/uploads.ts'
import { pullWallet, pullWalletTransactions, pullWallets } from '#src/local/sync/wallets.ts'
import type { Result } from '#src/lib/result.ts'

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
  const userId = account?.userId ?? null
  const one = (
    name: string,
    staleTime: number,
    work: (deps: PullDeps, signal: AbortSignal) => Promise<Result<unknown, ApiFailure>>,
    ...args: readonly unknown[]
  ) =>
    queryOptions({
      queryKey: [...PULL_KEY, userId, name, ...args] as const,
      enabled: account !== null,
      staleTime,
      queryFn: async ({ signal }): Promise<null> => {
        if (account !== null) valueOrThrow(await work(pullDepsOf(local, account), signal))
        return null
      },
    })
  return {
    presets: () => one('presets', STALE_AFTER_MS.presets, pullPresets),
    me: () => one('me', STALE_AFTER_MS.me, pullMe),
    profile: (ofUserId: string) =>
      one(
        'profile',
        STALE_AFTER_MS.me,
        (deps, signal) => pullProfile(deps, ofUserId, signal),
        ofUserId,
      ),
    wallets: () => one('wallets', STALE_AFTER_MS.wallets, pullWallets),
    wallet: (walletId: string) =>
      one(
        'wallet',
        STALE_AFTER_MS.wallets,
        (deps, signal) => pullWallet(deps, walletId, signal),
        walletId,
      ),
    walletTransactions: (walletId: string) =>
      one(
        'wallet-transactions',
        STALE_AFTER_MS.wallets,
        (deps, signal) => pullWalletTransactions(deps, walletId, signal),
        walletId,
      ),
    mediaAssets: () => one('media-assets', STALE_AFTER_MS.mediaAssets, pullMediaAssets),
    musicTracks: () => one('music-tracks', STALE_AFTER_MS.musicTracks, pullMusicTracks),
    mediaJob: (mediaJobId: string) =>
      one(
        'media-job',
        STALE_AFTER_MS.mediaJobs,
        (deps, signal) => pullMediaJob(deps, mediaJobId, signal),
        mediaJobId,
      ),
    jobOrders: (mediaJobId: string) =>
      one(
        'job-orders',
        STALE_AFTER_MS.order,
        (deps, signal) => pullJobOrders(deps, mediaJobId, signal),
        mediaJobId,
      ),
    order: (orderId: string) =>
      one(
        'order',
        STALE_AFTER_MS.order,
        (deps, signal) => pullOrder(deps, orderId, signal),
        orderId,
      ),
    uploadFindings: (uploadRequestId: string) =>
      one(
        'upload-findings',
        Infinity,
        (deps, signal) => pullUploadFindings(deps, uploadRequestId, signal),
        uploadRequestId,
      ),
    orderMediaJobs: (orderId: string) =>
      one(
        'order-media-jobs',
        STALE_AFTER_MS.order,
        (deps, signal) => pullOrderMediaJobs(deps, orderId, signal),
        orderId,
      ),
    uploadsPages: () =>
      infiniteQueryOptions({
        queryKey: [...PULL_KEY, userId, 'uploads'] as const,
        enabled: account !== null,
        staleTime: STALE_AFTER_MS.uploads,
        initialPageParam: null as PageStart | null,
        queryFn: async ({ pageParam, signal }) =>
          account === null
            ? { count: 0, next: null }
            : valueOrThrow(await pullUploadsPage(pullDepsOf(local, account), pageParam, signal)),
        getNextPageParam: (page) => page.next,
      }),
    mediaJobsPages: (query: MediaJobsQuery) =>
      infiniteQueryOptions({
        queryKey: [...PULL_KEY, userId, 'media-jobs', query] as const,
        enabled: account !== null,
        staleTime: STALE_AFTER_MS.mediaJobs,
        initialPageParam: null as PageStart | null,
        queryFn: async ({ pageParam, signal }) => {
          if (account === null) return { count: 0, next: null }
          const deps = pullDepsOf(local, account)
          const page = valueOrThrow(
            await pullMediaJobsPage(deps, query, pageParam, undefined, signal),
          )
          void saveJobThumbnails(deps)
          return page
        },
        getNextPageParam: (page) => page.next,
      }),
  }
}

function pullDepsOf(local: PageLocal, account: Account): PullDeps {
  return {
    api: local.api,
    db: account.db,
    clock: local.clock,
    random: local.random,
    fetch: local.fetch,
    origin: local.ports.origin,
    log: local.log,
  }
}
