import { and, count, eq, inArray, sum } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { TxCtx, WithUser } from '#server/context.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { Problem } from '#server/problems.ts'

type NewExcerpt = components['schemas']['NewExcerpt']
type Body = components['schemas']['CreateUploadRequestBody']['uploadRequest']

/** States in which an excerpt is on its way or of use. */
const LIVING = ['open', 'completed', 'validated'] as const
/**
 * What the excerpts of a video may be large together: of this share of it the sending of them would
 * gain nothing, and no limit of storage counts them.
 */
const LARGEST_SHARE = 0.5
/** One for each order of a video on its way; all are looked through for each of its edits. */
const MOST_EXCERPTS = 20

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
 * up, has too many, or is not twice as large as all of its excerpts. Refuses also as `findUpload`,
 * and `request/invalid` where the video is none. Locks the video until the transaction ends.
 */
export async function refuseExcerpt(
  ctx: TxCtx & WithUser,
  { excerpt, sizeBytes }: { readonly excerpt: NewExcerpt; readonly sizeBytes: number },
): Promise<void> {
  const whole = await findUpload(ctx, { id: excerpt.uploadRequestId, lock: 'update' })
  if (whole.purpose !== 'media-job')
    throw invalid('excerpt.uploadRequestId', 'An excerpt is of a video that is to be edited.')
  if (whole.state !== 'open') throw refused('This video needs no excerpt any more.')
  const [others] = await ctx.db
    .select({ count: count(), bytes: sum(uploadRequests.sizeBytes) })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.purpose, 'excerpt'),
        eq(uploadRequests.excerptOf, whole.id),
        inArray(uploadRequests.state, [...LIVING]),
      ),
    )
  if (Number(others?.bytes ?? 0) + sizeBytes > whole.sizeBytes * LARGEST_SHARE)
    throw refused('The excerpts of a video have at most half of its bytes together.')
  if ((others?.count ?? 0) >= MOST_EXCERPTS)
    throw refused(`This video has ${MOST_EXCERPTS} excerpts already.`)
}

function refused(message: string): Problem {
  return new Problem('uploads/excerpt-refused', message)
}

function invalid(field: string, message: string): Problem {
  return new Problem('request/invalid', message, {
    fields: { [`uploadRequest.${field}`]: message },
  })
}
