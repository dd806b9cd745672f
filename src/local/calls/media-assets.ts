import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** Gives an asset another name and stores it. Needs the network; repeating is harmless. */
export async function renameMediaAsset(
  { api, db, clock }: Pick<CallDeps, 'api' | 'db' | 'clock'>,
  { mediaAssetId, name }: { readonly mediaAssetId: string; readonly name: string },
): Promise<Result<null, ApiFailure>> {
  const answer = await send(
    api.PATCH('/v1/media-assets/{id}', {
      params: { path: { id: mediaAssetId } },
      body: { mediaAsset: { name } },
    }),
  )
  if (!answer.ok) return answer
  const row = mediaAssets.toRow(answer.value.mediaAsset, clock.now())
  await db.transaction('rw', db.mediaAssets, () => putUnlessNewer(db.mediaAssets, [row]))
  return ok(null)
}
