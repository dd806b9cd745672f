import { Readable } from 'node:stream'
import type { Deps } from '#server/deps.ts'
import type { Handlers, RawAnswer } from '#server/http/handlers.ts'
import { problemToWire } from '#server/http/problem-answer.ts'
import { asUser, type RequestContext } from '#server/http/request-context.ts'
import type { InclusiveRange } from '#server/object-store/port.ts'
import { findAssetPreview, findAssetThumbnail } from '#server/operations/media/media-assets/find.ts'
import { findFaceStrip, findReviewCopy } from '#server/operations/processing/faces/review.ts'
import { findThumbnail } from '#server/operations/media/media-jobs/find.ts'
import { findMusicPreview } from '#server/operations/core/music-tracks/list.ts'
import { openJobResults } from '#server/operations/media/media-jobs/results.ts'
import { findMomentPictures, findMomentVideo } from '#server/operations/media/uploads/moments.ts'
import { findOutput, type FoundOutput } from '#server/operations/processing/tasks/find-output.ts'
import { findSampleVideo } from '#server/operations/processing/samples/ask.ts'
import { notFound, Problem } from '#server/problems.ts'
import { contentDisposition, readRange } from './byte-range.ts'

/** Files of results and thumbnails. The session decides; a link alone gives no access. */
export function createDownloadRoutes(deps: Deps) {
  return {
    downloadOutput: async ({ params, query, context }) =>
      await sendOutput(deps, context, await findOutput(asUser(deps, context), params), {
        disposition: query.inline === '1' ? 'inline' : 'attachment',
        mayLead: true,
      }),
    getMediaJobThumbnail: async ({ params, context }) =>
      await sendOfUpload(deps, context, {
        ...(await findThumbnail(asUser(deps, context), params)),
        contentType: 'image/jpeg',
      }),
    getMomentPictures: async ({ params, context }) =>
      await sendOfUpload(deps, context, {
        ...(await findMomentPictures(asUser(deps, context), params)),
        contentType: 'image/jpeg',
      }),
    getMomentVideo: async ({ params, context }) =>
      await sendOfUpload(deps, context, {
        ...(await findMomentVideo(asUser(deps, context), params)),
        contentType: 'video/mp4',
      }),
    getSampleVideo: async ({ params, query, context }) =>
      await sendSample(
        deps,
        context,
        await findSampleVideo(asUser(deps, context), { ...params, ...query }),
      ),
    getMediaAssetThumbnail: async ({ params, context }) =>
      await sendAssetFile(deps, context, await findAssetThumbnail(asUser(deps, context), params)),
    getMediaAssetPreview: async ({ params, context }) =>
      await sendAssetFile(deps, context, await findAssetPreview(asUser(deps, context), params)),
    getMusicTrackPreview: async ({ params, context }) => {
      const track = await findMusicPreview(deps, params)
      return await sendObject(deps, context, track.previewKey, {
        missing: notFound('music-tracks/not-found'),
        eTag: `"${track.previewKey}"`,
        contentType: 'audio/mp4',
      })
    },
    getFaceReviewVideo: async ({ params, context }) =>
      await sendReviewFile(
        deps,
        context,
        await findReviewCopy(asUser(deps, context), { taskId: params.id }),
      ),
    getFaceStrip: async ({ params, context }) =>
      await sendReviewFile(
        deps,
        context,
        await findFaceStrip(asUser(deps, context), { ...params, taskId: params.id }),
      ),
    downloadJobResults: async ({ params, context }) => await sendResults(deps, context, params.id),
  } satisfies Partial<Handlers>
}

/** What decides how much of a file is sent. */
type Asked = Pick<RequestContext, 'method' | 'headers'>

/**
 * One file of a finished edit, to who may have it.
 * @param mayLead whether its reader may be led to the store
 */
export async function sendOutput(
  deps: Pick<Deps, 'store'>,
  asked: Asked,
  { id, objectKey, contentType, fileName }: FoundOutput,
  {
    disposition,
    mayLead,
  }: { readonly disposition: 'inline' | 'attachment'; readonly mayLead: boolean },
): Promise<RawAnswer> {
  return await sendObject(deps, asked, objectKey, {
    missing: notFound('outputs/not-found'),
    eTag: `"${id}"`,
    contentType: contentType ?? 'application/octet-stream',
    disposition: contentDisposition(disposition, fileName ?? 'download'),
    mayLead,
  })
}

const sendUploadFile = sendTagged('media-jobs/thumbnail-not-found')

/** What shows an upload; each is made once, so the upload is its tag. */
async function sendOfUpload(
  deps: Pick<Deps, 'store'>,
  context: RequestContext,
  { uploadId: tag, ...file }: Omit<TaggedFile, 'tag'> & { readonly uploadId: string },
): Promise<RawAnswer> {
  return await sendUploadFile(deps, context, { ...file, tag })
}

const sendSample = sendTagged('samples/not-found')
const sendAssetFile = sendTagged('media-assets/file-not-found')
/** Pictures of people; no cache keeps an answer of the API. */
const sendReviewFile = sendTagged('face-reviews/file-not-found')

type TaggedFile = Awaited<ReturnType<typeof findAssetPreview>>

/** Sends files that are known by a tag; one that is gone is `missing`. */
function sendTagged(missing: Parameters<typeof notFound>[0]) {
  return async (
    deps: Pick<Deps, 'store'>,
    context: RequestContext,
    { objectKey, tag, contentType }: TaggedFile,
  ): Promise<RawAnswer> =>
    await sendObject(deps, context, objectKey, {
      missing: notFound(missing),
      eTag: `"${tag}"`,
      contentType,
    })
}

/** All results of a job as an archive that is made while it is sent. */
async function sendResults(deps: Deps, context: RequestContext, id: string): Promise<RawAnswer> {
  const results = await openJobResults(asUser(deps, context), { id })
  const read = (range: InclusiveRange | null) =>
    results.read(range).on('error', (error) => deps.log.warn('results/broken-off', { error }))
  return await sendBytes(context, results.sizeBytes, read, {
    eTag: `"${results.version}"`,
    headers: {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition('attachment', results.fileName),
    },
  })
}

interface SentObject {
  /** Thrown where it is not there. */
  readonly missing: Problem
  /** It never changes under this one. */
  readonly eTag: string
  readonly contentType: string
  readonly disposition?: string
  /** False: its reader may not be able to follow to the store. */
  readonly mayLead?: boolean
}

/** Smaller ones are here before a browser has asked another origin. */
const LED_FROM_BYTES = 1024 ** 2
const DOWNLOADS_WITHIN_S = 300
/** A player that was led once asks the store for ranges as long as it is open. */
const PLAYS_FOR_S = 4 * 3600

/** Streams an object, or leads the browser to the store that has it. */
async function sendObject(
  deps: Pick<Deps, 'store'>,
  context: Asked,
  objectKey: string,
  { missing, eTag, contentType, disposition, mayLead = true }: SentObject,
): Promise<RawAnswer> {
  const facts = await deps.store.head(objectKey)
  if (facts === null) throw missing
  const { sizeBytes } = facts
  if (mayLead && sizeBytes > LED_FROM_BYTES && isLoadedByBrowser(context)) {
    const shown = { contentType, disposition: disposition ?? null }
    const isSaved = disposition?.startsWith('attachment') === true
    const leadsForS = isSaved ? DOWNLOADS_WITHIN_S : PLAYS_FOR_S
    const location = await deps.store.publicUrl(objectKey, shown, leadsForS)
    // An answer that is kept would lead to an address that has ended.
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
    if (location !== null)
      return { raw: new Response(null, { status: 302, headers: { ...headers, location } }) }
  }
  const read = (range: InclusiveRange | null) => deps.store.read(objectKey, range ?? undefined)
  const headers = {
    'content-type': contentType,
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
  }
  return await sendBytes(context, sizeBytes, read, { eTag, headers })
}

/**
 * Whether a browser loads this for itself: a player, a picture, a download. Scripts get the bytes
 * from here: they compare ETags and send headers that are no store's, and where they cannot reach
 * it they could say nothing of why. Browsers of before `Sec-Fetch-Mode` are told by the header that
 * the app's scripts send.
 */
function isLoadedByBrowser({ method, headers }: Asked): boolean {
  if (method !== 'GET') return false
  const mode = headers['sec-fetch-mode']
  if (mode === undefined) return headers['x-user-id'] === undefined
  return mode === 'navigate' || mode === 'no-cors'
}

interface SentFile {
  readonly eTag: string
  readonly headers: Readonly<Record<string, string>>
}

/** Answers with all bytes, one range, 304, or 416; headers only for HEAD. */
async function sendBytes(
  context: Asked,
  sizeBytes: number,
  read: (range: InclusiveRange | null) => Readable | Promise<Readable>,
  file: SentFile,
): Promise<RawAnswer> {
  const headers = {
    ...file.headers,
    etag: file.eTag,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  }
  if (context.headers['if-none-match']?.split(',').some((tag) => tag.trim() === file.eTag))
    return { raw: new Response(null, { status: 304, headers }) }
  const isSameFile =
    context.headers['if-range'] === undefined || context.headers['if-range'] === file.eTag
  const range = isSameFile ? readRange(context.headers['range'], sizeBytes) : null
  if (range === 'unsatisfiable') return unsatisfiable(sizeBytes)
  const length = range === null ? sizeBytes : range.end - range.start + 1
  const all = {
    ...headers,
    'content-length': String(length),
    ...(range === null
      ? {}
      : { 'content-range': `bytes ${range.start}-${range.end}/${sizeBytes}` }),
  }
  const status = range === null ? 200 : 206
  if (context.method === 'HEAD') return { raw: new Response(null, { status, headers: all }) }
  const stream = await read(range)
  // Node's and the page's stream types differ in name only.
  return {
    raw: new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      status,
      headers: all,
    }),
  }
}

function unsatisfiable(sizeBytes: number): RawAnswer {
  const { status, body } = problemToWire(
    new Problem('request/range-not-satisfiable', 'This part of the file does not exist.'),
  )
  const headers = { 'content-range': `bytes */${sizeBytes}` }
  return { raw: Response.json(body, { status, headers }) }
}
