import type { components } from '#openapi/schema.gen.ts'
import type { UserCtx } from '#server/context.ts'
import { Problem, unavailable } from '#server/problems.ts'
import { isImport } from './provider.ts'
import { readParts, type PartsWithUrls } from './facts.ts'
import { findUpload } from './find.ts'
import { PART_URL_LIFE_S } from './plan.ts'
import { refuseAborted } from './refuse-dead.ts'
import { refuseUnplanned } from './refuse-unplanned.ts'

/**
 * Fresh URLs for these parts (1 to 100 numbers, each once), in order of their number; for stored
 * ones too, because a device that finds other bytes there than in its file must be able to replace
 * them. Where the store needs checksums, only parts with one get a URL. The URLs are good for
 * `lifetimeSeconds` (60 to 86,400, an hour when left out). Changes nothing of the upload. Refuses:
 * `uploads/not-found`, `uploads/aborted`, `uploads/not-open`, `request/invalid` for a part that is
 * not planned, `system/unavailable` while the store opens it.
 */
export async function createPartUrls(
  ctx: UserCtx,
  {
    id,
    partNumbers,
    checksums = [],
    lifetimeSeconds = PART_URL_LIFE_S,
  }: {
    readonly id: string
    readonly partNumbers: readonly number[]
    readonly checksums?: readonly components['schemas']['PartChecksum'][] | undefined
    readonly lifetimeSeconds?: number | undefined
  },
): Promise<PartsWithUrls> {
  const upload = await findUpload(ctx, { id })
  refuseAborted(upload)
  if (upload.state !== 'open' || isImport(upload))
    throw new Problem(
      'uploads/not-open',
      upload.state === 'open'
        ? 'The server fetches this file itself. Nothing needs to be sent.'
        : 'The server has received all of this file. Nothing needs to be sent.',
    )
  // Only its list knows it: its device has no answer yet.
  if (upload.storeCall === 'opening') throw unavailable()
  refuseUnplanned(upload, { partNumbers, field: 'partNumbers' })
  return await readParts(ctx, {
    upload,
    partNumbers: partNumbers.toSorted((a, b) => a - b),
    checksums: new Map(checksums.map((part) => [part.partNumber, part.checksumSha256])),
    urlLifeS: lifetimeSeconds,
  })
}
