import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { requireUser } from '#server/http/request-context.ts'
import { abortUploadRequest } from '#server/operations/uploads/abort.ts'
import { completeUploadRequest } from '#server/operations/uploads/complete.ts'
import { createUploadRequest } from '#server/operations/uploads/create.ts'
import { listUploads } from '#server/operations/uploads/list.ts'
import { findUpload } from '#server/operations/uploads/find.ts'
import { viewUploadRequest, viewUploadRequests } from './upload-request-view.ts'

/** Upload requests; the bytes themselves come to routes/parts.ts. */
export function createUploadRoutes(deps: Deps) {
  return {
    createUploadRequest: async ({ body, context }) => {
      const { upload, isNew } = await createUploadRequest(
        deps,
        requireUser(context),
        body.uploadRequest,
      )
      return {
        status: isNew ? 201 : 200,
        body: { uploadRequest: await viewUploadRequest(deps, upload) },
      }
    },
    listUploadRequests: async ({ query, context }) => {
      const { rows, nextCursor } = await listUploads(deps, requireUser(context).id, {
        ...query,
        limit: query.limit ?? 10,
      })
      return {
        status: 200,
        body: { uploadRequests: await viewUploadRequests(deps, rows), pagination: { nextCursor } },
      }
    },
    getUploadRequest: async ({ params, context }) => ({
      status: 200,
      body: {
        uploadRequest: await viewUploadRequest(
          deps,
          await findUpload(deps.db, requireUser(context).id, params.id),
        ),
      },
    }),
    completeUploadRequest: async ({ params, body, context }) => {
      const upload = await completeUploadRequest(
        deps,
        requireUser(context),
        params.id,
        body.uploadRequest.upload.parts,
      )
      return { status: 200, body: { uploadRequest: await viewUploadRequest(deps, upload) } }
    },
    abortUploadRequest: async ({ params, context }) => {
      await abortUploadRequest(deps, requireUser(context), params.id)
      return { status: 204 }
    },
    getUploadRequestMetadata: async ({ params, context }) => {
      const upload = await findUpload(deps.db, requireUser(context).id, params.id)
      const isMeasured = upload.metadataProcessedAt !== null || upload.state === 'failed'
      return {
        status: isMeasured ? 200 : 202,
        body: { uploadRequest: await viewUploadRequest(deps, upload) },
      }
    },
  } satisfies Partial<Handlers>
}
