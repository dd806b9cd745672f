import type { ListedAsset } from '#src/hooks/assets/use-media-assets.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { ASSET_PLACES, assetsOf, type AssetPlace } from './ends.ts'

/**
 * The chosen assets that were deleted. Only a fresh list says so: an old one may lack what another
 * device uploaded since.
 */
export function missingIds(
  { data, status }: Pick<Shown<readonly ListedAsset[]>, 'data' | 'status'>,
  ids: readonly string[],
): readonly string[] {
  return data === null || status !== 'fresh'
    ? []
    : ids.filter((id) => !data.some(({ asset }) => asset._id === id))
}

/** The places of requested edits that lack an asset. */
export function missingEnds(
  assets: Pick<Shown<readonly ListedAsset[]>, 'data' | 'status'>,
  requests: readonly TaskRequest[],
): readonly AssetPlace[] {
  return ASSET_PLACES.filter((place) =>
    requests.some((request) => missingIds(assets, assetsOf(request)[place]).length > 0),
  )
}
