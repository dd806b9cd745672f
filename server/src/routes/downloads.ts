import { Readable } from 'node:stream'
import type { Deps } from '#server/deps.ts'
import type { Handlers, RawAnswer } from '#server/http/handlers.ts'
import { problemToWire } from '#server/http/problem-answer.ts'
import { asUser, type RequestContext } from '#server/http/request-context.ts'
import { findThumbnail } from '#server/operations/media-jobs/find.ts'
import { findOutput } from '#server/operations/tasks/find-output.ts'
import { notFound, Problem } from '#server/problems.ts'
import { contentDisposition, readRange } from './byte-range.ts'

/** Files of results and thumbnails. The session decides; a link alone gives no access. */
export function createDownloadRoutes(deps: Deps) {
  return {
    downloadOutput: async ({ params, query, context }) => {
      const output = await findOutput(asUser(deps, context), params)
      return await sendObject(deps, context, output.objectKey, {
        missing: notFound('outputs/not-found'),
        eTag: `"${output.id}"`,
        headers: {
          'content-type': output.contentType ?? 'application/octet-stream',
          'content-disposition': contentDisposition(
            query.inline === '1' ? 'inline' : 'attachment',
            output.fileName ?? 'download',
          ),
        },
      })
    },
    getMediaJobThumbnail: async ({ params, context }) => {
      const { uploadId, objectKey } = await findThumbnail(asUser(deps, context), params)
      return await sendObject(deps, context, objectKey, {
        missing: notFound('media-jobs/thumbnail-not-found'),
        eTag: `"${uploadId}"`,
        headers: { 'content-type': 'image/jpeg' },
      })
    },
  } satisfies Partial<Handlers>
}

/**
 * Streams an object that never changes under its ETag: whole, one range, 304, or 416; headers only
 * for HEAD.
 */
async function sendObject(
  deps: Pick<Deps, 'store'>,
  context: RequestContext,
  objectKey: string,
  file: { missing: Problem; eTag: string; headers: Record<string, string> },
): Promise<RawAnswer> {
  const facts = await deps.store.head(objectKey)
  if (facts === null) throw file.missing
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
  const range = isSameFile ? readRange(context.headers['range'], facts.sizeBytes) : null
  if (range === 'unsatisfiable') {
    const { status, body } = problemToWire(
      new Problem('request/range-not-satisfiable', 'This part of the file does not exist.'),
    )
    return {
      raw: Response.json(body, {
        status,
        headers: { 'content-range': `bytes */${facts.sizeBytes}` },
      }),
    }
  }
  const length = range === null ? facts.sizeBytes : range.end - range.start + 1
  const all = {
    ...headers,
    'content-length': String(length),
    ...(range === null
      ? {}
      : { 'content-range': `bytes ${range.start}-${range.end}/${facts.sizeBytes}` }),
  }
  const status = range === null ? 200 : 206
  if (context.method === 'HEAD') return { raw: new Response(null, { status, headers: all }) }
  const stream = await deps.store.read(objectKey, range ?? undefined)
  // Node's and the page's stream types differ in name only.
  return {
    raw: new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      status,
      headers: all,
    }),
  }
}
