import type { RowOf, StepDeps, StepOutcome } from './steps.ts'
import { statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import type { DeleteMediaAssetIntent } from '#src/local/db/rows.ts'
import { assetThumbnailKey } from '#src/local/db/asset-pictures.ts'

/**
 * Deletes an asset at the server, then here. One that the server does not have is deleted already;
 * one that an unfinished edit uses is refused, and the screen says so.
 */
export async function stepDeleteMediaAsset(
  deps: StepDeps,
  row: RowOf<DeleteMediaAssetIntent>,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const { db } = deps
  const { mediaAssetId } = row.intent
  const answer = await send(
    deps.api.DELETE('/v1/media-assets/{id}', {
      params: { path: { id: mediaAssetId } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok && statusOf(answer.error) !== 404) return { kind: 'failed', failure: answer.error }
  await db.transaction('rw', db.outbox, db.mediaAssets, db.images, async () => {
    await db.mediaAssets.delete(mediaAssetId)
    await db.images.delete(assetThumbnailKey(mediaAssetId))
    await db.outbox.delete(row.id)
  })
  return { kind: 'done' }
}
