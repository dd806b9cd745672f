import type { components } from '#openapi/schema.gen.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { formatOf, type AssetFacts } from '#server/operations/media-assets/list.ts'

type MediaAssetView = components['schemas']['MediaAsset']

/** An asset as the contract shows it. */
export function viewMediaAsset({ asset, upload }: AssetFacts): MediaAssetView {
  return {
    _id: asset.id,
    name: asset.name,
    uploadRequestId: asset.uploadRequestId,
    format: viewFormat(upload),
    createdAt: asset.createdAt.toISOString(),
  }
}

/** Pictures of assets have no address yet, so the app shows its placeholder. */
function viewFormat(upload: UploadRow): MediaAssetView['format'] {
  const duration = readStoredProbe(upload.probe)?.durationMs ?? 0
  const slug = formatOf(upload)
  switch (slug) {
    case 'video':
      return { slug, thumbnailUrl: null, duration }
    case 'image':
      return { slug, thumbnailUrl: null }
    case 'audio':
      return { slug, previewUrl: null, duration }
    case 'unsupported':
      return { slug }
    case null:
      return null
  }
}
