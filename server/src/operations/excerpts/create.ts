import { and, eq, inArray } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { TxCtx, WithUser } from '#server/context.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { findUpload } from '#server/operations/uploads/find.ts'
import { Problem } from '#server/problems.ts'

export type NewExcerpt = components['schemas']['NewExcerpt']
type Body = components['schemas']['CreateUploadRequestBody']['uploadRequest']

/** States in which an excerpt is on its way or of use. */
const LIVING = ['open', 'completed', 'validated'] as const
/**
 * What an excerpt may be large: of this share of the video the sending of it would gain nothing.
 */
const LARGEST_SHARE = 0.5

/**
 * What an upload says of the excerpt that it is; undefined of every other upload. Refuses with
 * `request/invalid` what only one of both has, an import, and stretches that overlap or are out of
 * order.
 */
export function readNewExcerpt({ purpose, excerpt, upload }: Body): NewExcerpt | undefined {
  if (purpose !== 'excerpt' && excerpt === undefined) return undefined
  if (purpose !== 'excerpt') throw invalid('excerpt', 'Only an excerpt says what it is of.')
  if (excerpt === undefined) throw invalid('excerpt', 'Say which video this is an excerpt of.')
  if (upload.provider !== 's3-multipart' && upload.provider !== 's3-singlepart')
    throw invalid('upload.provider', 'An excerpt is sent by the device that has the video.')
  const isInOrder = excerpt.stretches.every(
    ({ startMs, endMs }, index) =>
      startMs < endMs && startMs >= (excerpt.stretches[index - 1]?.endMs ?? 0),
  )
  if (isInOrder) return excerpt
  throw invalid('excerpt.stretches', 'Stretches come in order of their time, without overlaps.')
}

/**
 * Refuses an excerpt that gains nothing, `uploads/excerpt-refused`: its video is complete or given
 * up, has another one, or is not twice as large. Refuses also as `findUpload`, and
 * `request/invalid` where the video is none. Locks the video until the transaction ends.
 */
export async function refuseExcerpt(
  ctx: TxCtx & WithUser,
  { excerpt, sizeBytes }: { readonly excerpt: NewExcerpt; readonly sizeBytes: number },
): Promise<void> {
  const whole = await findUpload(ctx, { id: excerpt.uploadRequestId, lock: 'update' })
  if (whole.purpose !== 'media-job')
    throw invalid('excerpt.uploadRequestId', 'An excerpt is of a video that is to be edited.')
  if (whole.state !== 'open') throw refused('This video needs no excerpt any more.')
  if (sizeBytes > whole.sizeBytes * LARGEST_SHARE)
    throw refused('An excerpt has at most half of the bytes of its video.')
  const [other] = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.purpose, 'excerpt'),
        eq(uploadRequests.excerptOf, whole.id),
        inArray(uploadRequests.state, [...LIVING]),
      ),
    )
    .limit(1)
  if (other !== undefined) throw refused('This video has another excerpt already.')
}

function refused(message: string): Problem {
  return new Problem('uploads/excerpt-refused', message)
}

function invalid(field: string, message: string): Problem {
  return new Problem('request/invalid', message, {
    fields: { [`uploadRequest.${field}`]: message },
  })
}
