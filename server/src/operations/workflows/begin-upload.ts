import type { components } from '#openapi/schema.gen.ts'
import type { UserCtx } from '#server/context.ts'
import { readNewExcerpt, refuseExcerpt } from '#server/operations/media/excerpts/create.ts'
import { beginUpload, type BegunUpload } from '#server/operations/media/uploads/create.ts'
import { readSentFile } from '#server/operations/media/uploads/new-file.ts'
import { createImport } from '#server/operations/processing/imports/create.ts'

type Body = components['schemas']['CreateUploadRequestBody']['uploadRequest']

/**
 * Begins an upload of the way that was chosen, or returns the one that this key began (`isNew`
 * false). Refuses: `uploads/too-large`, `uploads/too-many-open`, `uploads/account-full`,
 * `uploads/provider-not-offered`, `uploads/no-space`, `uploads/held`, `request/invalid`,
 * `request/idempotency-conflict`, `request/too-many`; of an asset also `media-assets/too-many`,
 * `media-assets/account-full`, `auth/permission-missing`; of an excerpt also `uploads/not-found`
 * and `uploads/excerpt-refused`; of a link also `uploads/host-not-allowed`, `uploads/link-refused`,
 * `uploads/link-expired` and `uploads/link-away`.
 */
export async function createUploadRequest(ctx: UserCtx, body: Body): Promise<BegunUpload> {
  const { purpose = 'media-job', idempotencyKey, upload } = body
  const excerpt = readNewExcerpt(body)
  if (!isSent(upload)) return await createImport(ctx, { upload, purpose, idempotencyKey })
  const wanted = readSentFile({ purpose, idempotencyKey, upload, excerpt })
  if (excerpt === undefined) return await beginUpload(ctx, { wanted })
  const { sizeBytes } = wanted
  return await beginUpload(ctx, {
    wanted,
    refuse: async (ctx) => await refuseExcerpt(ctx, { excerpt, sizeBytes }),
  })
}

function isSent(upload: Body['upload']): upload is components['schemas']['NewDeviceUpload'] {
  return upload.provider === 's3-multipart' || upload.provider === 's3-singlepart'
}
