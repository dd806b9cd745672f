import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { abortUploadRequest } from '#server/operations/media/uploads/abort.ts'
import { completeUploadRequest } from '#server/operations/media/uploads/complete.ts'
import { renewImport } from '#server/operations/processing/imports/renew.ts'
import {
  readHeldParts,
  readUpload,
  readUploads,
  readUploadWithParts,
} from '#server/operations/media/uploads/facts.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { listUploads } from '#server/operations/media/uploads/list.ts'
import { readUploadMoments } from '#server/operations/media/uploads/moments.ts'
import { createPartUrls } from '#server/operations/media/uploads/part-urls.ts'
import { createUploadRequest } from '#server/operations/workflows/begin-upload.ts'
import { viewUploadMoments } from '#server/views/upload-moments.ts'
import { viewParts, viewUploadRequest, viewUploadWithParts } from '#server/views/upload-request.ts'

/** Upload requests; the bytes themselves come to routes/parts.ts. */
export function createUploadRoutes(deps: Deps) {
  return {
    createUploadRequest: async ({ body, context }) => {
      const { upload, isNew } = await createUploadRequest(asUser(deps, context), body.uploadRequest)
      return { status: isNew ? 201 : 200, body: await answer(deps, upload) }
    },
    listUploadRequests: async ({ query, context }) => {
      const ctx = asUser(deps, context)
      const { rows, nextCursor } = await listUploads(ctx, { ...query, limit: query.limit ?? 10 })
      const uploads = await readUploads(ctx, { uploads: rows })
      return {
        status: 200,
        body: { uploadRequests: uploads.map(viewUploadRequest), pagination: { nextCursor } },
      }
    },
    getUploadRequest: async ({ params, context }) => ({
      status: 200,
      body: await answer(deps, await findUpload(asUser(deps, context), params)),
    }),
    completeUploadRequest: async ({ params, body, context }) => {
      const { parts } = body.uploadRequest.upload
      const upload = await completeUploadRequest(asUser(deps, context), { id: params.id, parts })
      return { status: 200, body: await answer(deps, upload) }
    },
    renewImport: async ({ params, body, context }) => {
      const upload = await renewImport(asUser(deps, context), { ...params, ...body })
      return { status: 200, body: await answer(deps, upload) }
    },
    createPartUrls: async ({ params, body, context }) => ({
      status: 200,
      body: viewParts(await createPartUrls(asUser(deps, context), { ...params, ...body })),
    }),
    listHeldParts: async ({ params, context }) => {
      const ctx = asUser(deps, context)
      return {
        status: 200,
        body: { parts: [...(await readHeldParts(ctx, await findUpload(ctx, params)))] },
      }
    },
    abortUploadRequest: async ({ params, context }) => {
      await abortUploadRequest(asUser(deps, context), params)
      return { status: 204 }
    },
    getUploadMoments: async ({ params, context }) => ({
      status: 200,
      body: viewUploadMoments(await readUploadMoments(asUser(deps, context), params)),
    }),
    getUploadRequestMetadata: async ({ params, context }) => {
      const upload = await findUpload(asUser(deps, context), params)
      const isMeasured = upload.metadataProcessedAt !== null || upload.state === 'failed'
      // Asked again and again: the parts of 25 GB would be 360 KB in each answer.
      const facts = await readUpload(deps, { upload })
      return {
        status: isMeasured ? 200 : 202,
        body: { uploadRequest: viewUploadRequest(facts) },
      }
    },
  } satisfies Partial<Handlers>
}

async function answer(ctx: Ctx, upload: UploadRow) {
  return { uploadRequest: viewUploadWithParts(await readUploadWithParts(ctx, { upload })) }
}
