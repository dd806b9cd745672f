import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { valueOrThrow } from './query-client.ts'
import type { Account, PageLocal } from '#src/local/compose.ts'
import type { Noun, NounWithOne, ParentId } from '#src/local/nouns/define-noun.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'
import { pullMe, pullPasskeys, pullStorage, pullSessions } from '#src/local/sync/account.ts'
import { pullFaceReview } from '#src/local/sync/face-reviews.ts'
import { saveAssetThumbnails, saveJobThumbnails } from '#src/local/sync/images.ts'
import { STALE_AFTER_MS } from '#src/local/sync/intervals.ts'
import { pullMediaAssets } from '#src/local/sync/media-assets.ts'
import { pullLibraryPage, type LibraryPage } from '#src/local/sync/library.ts'
import {
  pullMediaJob,
  type MediaJobsQuery,
  type PageStart,
  type PulledPage,
} from '#src/local/sync/media-jobs.ts'
import { pullJobOrders, pullOrder, pullOrderMediaJobs } from '#src/local/sync/orders.ts'
import { pullList, pullOne } from '#src/local/sync/nouns.ts'
import { pullDepsOf, type Pull, type PullDeps } from '#src/local/sync/pull.ts'
import { pullUploadFindings } from '#src/local/sync/upload-findings.ts'
import { pullUploadSounds } from '#src/local/sync/upload-sounds.ts'
import { pullAssetUploads, pullUploadsPage } from '#src/local/sync/uploads.ts'
import { ok } from '#src/lib/result.ts'

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
    list: listPullOf(local, account),
    thing: thingPullOf(local, account),
    mediaAssets: () =>
      pullOptions(local, account, {
        key: [mediaAssets.table, 'list'],
        staleTime: mediaAssets.staleAfterMs,
        pull: pullAssets,
      }),
    assetUploads: one('asset-uploads', STALE_AFTER_MS.uploads, pullAssetUploads),
    me: one('me', STALE_AFTER_MS.me, pullMe),
    sessions: one('sessions', STALE_AFTER_MS.sessions, pullSessions),
    passkeys: one('passkeys', STALE_AFTER_MS.passkeys, pullPasskeys),
    storage: one('storage', STALE_AFTER_MS.storage, pullStorage),
    mediaJob: one('media-job', STALE_AFTER_MS.mediaJobs, pullMediaJob),
    jobOrders: one('job-orders', STALE_AFTER_MS.order, pullJobOrders),
    order: one('order', STALE_AFTER_MS.order, pullOrder),
    orderMediaJobs: one('order-media-jobs', STALE_AFTER_MS.order, pullOrderMediaJobs),
    faceReview: one('face-review', STALE_AFTER_MS.mediaJobs, pullFaceReview),
    uploadSounds: one('upload-sounds', STALE_AFTER_MS.uploads, pullUploadSounds),
    // What the server found in a video does not change.
    uploadFindings: one('upload-findings', Infinity, pullUploadFindings),
    uploadsPages: () =>
      pages<PulledPage>(['uploads'], STALE_AFTER_MS.uploads, (deps, start) =>
        pullUploadsPage(deps, start),
      ),
    // Each page is pulled when a person comes to it; `mediaJobsAgain` keeps them fresh.
    mediaJobsPages: (query: MediaJobsQuery) =>
      pages<LibraryPage>(['media-jobs', query], Infinity, (deps, start) =>
        pullJobs(deps, query, start),
      ),
    mediaJobsAgain: (query: MediaJobsQuery, starts: readonly (PageStart | null)[]) =>
      pullOptions(local, account, {
        key: ['media-jobs-again', query],
        staleTime: STALE_AFTER_MS.mediaJobs,
        pull: async (deps) => {
          for (const start of starts) {
            const page = await pullJobs(deps, query, start)
            if (!page.ok) return page
          }
          return ok(null)
        },
      }),
  }
}

/** The media assets with their pictures, which come later. */
async function pullAssets(deps: PullDeps): ReturnType<Pull> {
  const pulled = await pullMediaAssets(deps)
  if (pulled.ok) void saveAssetThumbnails(deps)
  return pulled
}

/** One page of the library with its pictures, which come later. */
async function pullJobs(
  deps: PullDeps,
  query: MediaJobsQuery,
  start: PageStart | null,
): ReturnType<Pull<PageStart | null, LibraryPage>> {
  const page = await pullLibraryPage(deps, query, start)
  if (page.ok) void saveJobThumbnails(deps, page.value.allIds)
  return page
}

/** Makes the query options of pulls that fill no pages: `one(...)(mediaJobId)`. */
function onePullOf(local: PageLocal, account: Account | null) {
  return <I extends string | void>(name: string, staleTime: number, pull: Pull<I>) =>
    (input: I) =>
      pullOptions(local, account, {
        key: input === undefined ? [name] : [name, input],
        staleTime,
        pull: (deps) => pull(deps, input),
      })
}

/** Makes the query options of a noun's list: `list(walletTransactions, walletId)`. */
function listPullOf(local: PageLocal, account: Account | null) {
  return <Value extends { readonly _id: string }, Columns, Parent extends ParentId>(
    noun: Noun<string, Value, Columns, Parent>,
    ...parent: Parent
  ) =>
    pullOptions(local, account, {
      key: [noun.table, 'list', ...parent],
      staleTime: noun.staleAfterMs,
      pull: (deps) => pullList(deps, noun, ...parent),
    })
}

/** Makes the query options of one thing of a noun: `thing(wallets, walletId)`. */
function thingPullOf(local: PageLocal, account: Account | null) {
  return <Value extends { readonly _id: string }, Columns, Parent extends ParentId>(
    noun: NounWithOne<string, Value, Columns, Parent>,
    id: string,
  ) =>
    pullOptions(local, account, {
      key: [noun.table, 'one', id],
      staleTime: noun.staleAfterMs,
      pull: (deps) => pullOne(deps, noun, id),
    })
}

interface OptionsPlan {
  readonly key: readonly unknown[]
  readonly staleTime: number
  readonly pull: (deps: PullDeps) => ReturnType<Pull>
}

function pullOptions(
  local: PageLocal,
  account: Account | null,
  { key, staleTime, pull }: OptionsPlan,
) {
  return queryOptions({
    queryKey: [...PULL_KEY, account?.userId ?? null, ...key] as const,
    enabled: account !== null,
    staleTime,
    queryFn: async ({ signal }): Promise<null> =>
      account === null ? null : valueOrThrow(await pull(pullDepsOf(local, account, signal))),
  })
}

/** Makes the query options of a list that the server gives page by page. */
function pagedPullOf(local: PageLocal, account: Account | null) {
  return <Page extends PulledPage>(
    name: readonly unknown[],
    staleTime: number,
    pull: Pull<PageStart | null, Page>,
  ) =>
    infiniteQueryOptions({
      queryKey: [...PULL_KEY, account?.userId ?? null, ...name] as const,
      enabled: account !== null,
      staleTime,
      initialPageParam: null as PageStart | null,
      queryFn: async ({ pageParam, signal }): Promise<Page> => {
        if (account === null) throw new Error('a pull without an account')
        return valueOrThrow(await pull(pullDepsOf(local, account, signal), pageParam))
      },
      getNextPageParam: (page) => page.next,
    })
}
