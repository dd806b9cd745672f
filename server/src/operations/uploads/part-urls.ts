import type { UserCtx } from '#server/context.ts'
import { Problem } from '#server/problems.ts'
import { readParts, type PartsWithUrls } from './facts.ts'
import { findUpload } from './find.ts'
import { refuseAborted } from './refuse-dead.ts'
import { refuseUnplanned } from './refuse-unplanned.ts'

/**
 * Fresh URLs for these parts (1 to 100 numbers, each once), in order of their number; parts that
 * are stored get none. Changes nothing. Refuses: `uploads/not-found`, `uploads/aborted`,
 * `uploads/not-open`, `request/invalid` for a part that is not planned.
 */
export async function createPartUrls(
  ctx: UserCtx,
  { id, partNumbers }: { readonly id: string; readonly partNumbers: readonly number[] },
): Promise<PartsWithUrls> {
  const upload = await findUpload(ctx, { id })
  refuseAborted(upload)
  if (upload.state !== 'open')
    throw new Problem(
      'uploads/not-open',
      'The server has received all of this file. Nothing needs to be sent.',
    )
  refuseUnplanned(upload, { partNumbers, field: 'partNumbers' })
  return await readParts(ctx, { upload, partNumbers: partNumbers.toSorted((a, b) => a - b) })
}
