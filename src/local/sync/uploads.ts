import type { components } from '#openapi/schema.gen.ts'
import { toDeviceTime, withServerTime, type ServerTimed } from '#src/api/server-time.ts'
import { isInScope, type Edge, type PageScope } from './page-scope.ts'
import { definePull, type PullDeps } from './pull.ts'
import type { PageStart, PulledPage } from './media-jobs.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { UPLOADS_PAGE_SIZE } from '#spec/numbers.ts'
import {
  FACTS,
  readFact,
  writeFact,
  type OpenUpload,
  type UploadSummary,
} from '#src/local/db/facts.ts'

type UploadRequest = components['schemas']['UploadRequest']

/**
 * One page of the uploads for edits, of all devices, newest first. They are kept as one fact, as
 * far as pages were ever pulled: what the server no longer lists within a page's stretch goes, what
 * is older stays.
 */
export const pullUploadsPage = definePull({
  ask: async (api, init, start: PageStart | null) => {
    const cursor = start === null ? {} : { cursor: start.cursor }
    const query = { purpose: 'media-job', limit: UPLOADS_PAGE_SIZE, ...cursor } as const
    return withServerTime(await api.GET('/v1/upload-requests', { params: { query }, ...init }))
  },
  keep: async (deps, answer, pulledAtEpochMs, start): Promise<PulledPage> => {
    const page = answer.uploadRequests.map((request) => toSummary(request, answer, pulledAtEpochMs))
    const { nextCursor } = answer.pagination
    const last = page.at(-1)
    const edge = last === undefined ? null : edgeOf(last)
    const upTo = nextCursor === null ? null : edge
    const scope = { after: start?.after ?? null, upTo, direction: 'desc' } as const
    await keepPage(deps, page, scope, pulledAtEpochMs)
    return {
      ids: page.map(({ uploadRequestId }) => uploadRequestId),
      next: nextCursor === null ? null : { cursor: nextCursor, after: edge },
    }
  },
})

/** As many as the server gives at once; an account has 200 assets at most. */
const ASSET_UPLOADS = 100

/** The newest uploads of assets, of all devices, as one fact. */
export const pullAssetUploads = definePull({
  ask: async (api, init) => {
    const query = { purpose: 'media-asset', limit: ASSET_UPLOADS } as const
    return withServerTime(await api.GET('/v1/upload-requests', { params: { query }, ...init }))
  },
  keep: async ({ db }, answer, pulledAtEpochMs) => {
    const uploads = answer.uploadRequests.map((one) => toSummary(one, answer, pulledAtEpochMs))
    await writeFact(db, FACTS.assetUploads, uploads, pulledAtEpochMs)
    return null
  },
})

function toSummary(
  request: UploadRequest,
  time: ServerTimed,
  pulledAtEpochMs: number,
): UploadSummary {
  const { clientFilename, clientFileSize } = request.upload.metadata
  return {
    uploadRequestId: request._id,
    name: clientFilename,
    sizeBytes: clientFileSize,
    hasEnded: request.uploadEndedAt !== null,
    isValidated: request.isValidated,
    isFailed: request.isFailed,
    isCheckLate: request.isCheckLate === true,
    isDeleted: isDeletedUpload(request),
    createdAt: request.createdAt,
    open: toOpenUpload(request, time, pulledAtEpochMs),
  }
}

/**
 * Whether the video of an upload was deleted from the server. What arrived of a failed one is
 * deleted too, but says less than why it failed.
 */
export function isDeletedUpload({
  isFailed,
  sourceRemovedAt = null,
}: Pick<UploadRequest, 'isFailed' | 'sourceRemovedAt'>): boolean {
  return !isFailed && sourceRemovedAt !== null
}

/** How far an upload is that still takes parts; null for others. */
export function toOpenUpload(
  {
    state,
    receivedBytes,
    lastReceivedAt,
    import: fetching,
    upload: { provider },
  }: Pick<UploadRequest, 'state' | 'receivedBytes' | 'lastReceivedAt' | 'import' | 'upload'>,
  time: ServerTimed,
  askedAtEpochMs: number,
): OpenUpload | null {
  if (state !== 'open') return null
  return {
    safeBytes: receivedBytes,
    lastReceivedAtEpochMs: toDeviceTime(lastReceivedAt, time, askedAtEpochMs),
    fetching: fetching
      ? {
          provider,
          host: fetching.host,
          waitsFor: fetching.waitsFor,
          nextAttemptAtEpochMs:
            fetching.nextAttemptInSeconds === null
              ? null
              : askedAtEpochMs + fetching.nextAttemptInSeconds * SECOND_MS,
          askedAtEpochMs,
        }
      : null,
  }
}

async function keepPage(
  { db }: PullDeps,
  page: readonly UploadSummary[],
  scope: PageScope,
  pulledAtEpochMs: number,
): Promise<void> {
  await db.transaction('rw', db.facts, async () => {
    const known = (await readFact(db, FACTS.uploads))?.value ?? []
    const pulled = new Set(page.map(({ uploadRequestId }) => uploadRequestId))
    const others = known.filter(
      (summary) => !pulled.has(summary.uploadRequestId) && !isInScope(scope, edgeOf(summary)),
    )
    await writeFact(db, FACTS.uploads, [...page, ...others].toSorted(newestFirst), pulledAtEpochMs)
  })
}

function edgeOf({ createdAt, uploadRequestId }: UploadSummary): Edge {
  return { createdAt, _id: uploadRequestId }
}

/** As the server sorts them: ISO times in one format compare as text, ties by id. */
function newestFirst(a: UploadSummary, b: UploadSummary): number {
  const [left, right] = [
    `${a.createdAt} ${a.uploadRequestId}`,
    `${b.createdAt} ${b.uploadRequestId}`,
  ]
  return left === right ? 0 : left < right ? 1 : -1
}
