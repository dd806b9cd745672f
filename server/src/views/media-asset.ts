import type { components } from '#openapi/schema.gen.ts'
import { logoFactsOf } from '#recipes/dynamic-watermark/logo.ts'
import { shownName } from '#recipes/shown-name.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { formatOf, type AssetFacts } from '#server/operations/media/media-assets/list.ts'

type MediaAssetView = components['schemas']['MediaAsset']

/** An asset as the contract shows it. */
export function viewMediaAsset({ asset, upload }: AssetFacts): MediaAssetView {
  return {
    _id: asset.id,
    name: shownName(asset.name),
    uploadRequestId: asset.uploadRequestId,
    isHeld: upload.heldAt !== null,
    format: viewFormat({ asset, upload }),
    sizeBytes: upload.sizeBytes,
    createdAt: asset.createdAt.toISOString(),
  }
}

function viewFormat({ asset, upload }: AssetFacts): MediaAssetView['format'] {
  const slug = formatOf(upload)
  const probe = readStoredProbe(upload.probe)
  const duration = probe?.durationMs ?? 0
  const { width, height } = { width: probe?.width ?? 1, height: probe?.height ?? 1 }
  const address = `/editors/api/v1/media-assets/${asset.id}`
  const isHeld = upload.heldAt !== null
  const thumbnailUrl = isHeld || upload.thumbnailKey === null ? null : `${address}/thumbnail`
  const previewUrl = !isHeld && upload.assetPreview === 'ready' ? `${address}/preview` : null
  switch (slug) {
    case 'video':
      return { slug, thumbnailUrl, previewUrl, duration, width, height }
    case 'image':
      return {
        slug,
        thumbnailUrl,
        width,
        height,
        ...(probe === null ? {} : { drawn: logoFactsOf(probe) }),
      }
    case 'audio':
      return { slug, previewUrl, duration }
    case 'unsupported':
      return { slug, reason: reasonOf(upload) }
    case null:
      return null
  }
}

function reasonOf({ state, failureReason }: UploadRow): string {
  if (state === 'aborted') return 'This file did not arrive in time. Please upload it again.'
  return failureReason ?? 'This file cannot be used in edits. Please upload another one.'
}
