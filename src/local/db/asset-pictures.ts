/** Key of an asset's picture in `images`. */
export function assetThumbnailKey(mediaAssetId: string): string {
  return `media-asset-thumbnail:${mediaAssetId}`
}
