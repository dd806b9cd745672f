import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { mediaJobs, mediaJobTasks, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import type { Handlers, RawAnswer } from '#server/http/handlers.ts'
import { requireUser, type RequestContext } from '#server/http/request-context.ts'
import { problemToWire } from '#server/http/problem-answer.ts'
import { notFound, Problem } from '#server/problems.ts'
import { contentDisposition, readRange } from './byte-range.ts'

/** Files of results and thumbnails; the session decides, links carry no right of their own. */
export function createDownloadRoutes(deps: Deps) {
  return {
    downloadOutput: async ({ params, query, context }) => {
      const [output] = await deps.db
        .select({
          id: taskOutputs.id,
          fileName: taskOutputs.fileName,
          contentType: taskOutputs.contentType,
          objectKey: taskOutputs.objectKey,
        })
        .from(taskOutputs)
        .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
        .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
        .where(
          and(
            eq(taskOutputs.id, params.outputId),
            eq(taskOutputs.taskId, params.taskId),
            eq(mediaJobs.userId, requireUser(context).id),
          ),
        )
      if (output === undefined || output.objectKey === null) throw notFound('outputs/not-found')
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
      const [found] = await deps.db
        .select({ id: uploadRequests.id, thumbnailKey: uploadRequests.thumbnailKey })
        .from(mediaJobs)
        .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
        .where(and(eq(mediaJobs.id, params.id), eq(mediaJobs.userId, requireUser(context).id)))
      if (found === undefined) throw notFound('media-jobs/not-found')
      if (found.thumbnailKey === null) throw notFound('media-jobs/thumbnail-not-found')
      return await sendObject(deps, context, found.thumbnailKey, {
        missing: notFound('media-jobs/thumbnail-not-found'),
        eTag: `"${found.id}"`,
        headers: { 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=3600' },
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
