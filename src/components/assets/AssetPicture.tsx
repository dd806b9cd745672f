import { AudioLines, FileQuestion, Film, Image, LoaderCircle, type LucideIcon } from 'lucide-react'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { useAssetThumbnail, type MediaAsset } from '#src/hooks/assets/use-media-assets.ts'
import { classNames } from '#src/ui/class-names.ts'

type FormatSlug = NonNullable<MediaAsset['format']>['slug']

const ICONS: Readonly<Record<FormatSlug, LucideIcon>> = {
  video: Film,
  image: Image,
  audio: AudioLines,
  unsupported: FileQuestion,
}

/** The picture of an asset as kept on this device; a placeholder where there is none. */
export function AssetPicture({
  asset,
  className,
}: {
  readonly asset: Pick<MediaAsset, '_id' | 'format'>
  readonly className: string
}) {
  const thumbnail = useAssetThumbnail(asset._id)
  const Icon = asset.format === null ? LoaderCircle : ICONS[asset.format.slug]
  return (
    <div
      className={classNames(
        // The line shows where a white picture ends.
        'relative grid aspect-video place-items-center overflow-hidden bg-surface-sunken text-ink-faint after:absolute after:inset-0 after:rounded-[inherit] after:inset-ring after:inset-ring-line',
        className,
      )}
    >
      {thumbnail.kind === 'ready' && thumbnail.value !== null ? (
        <BlobImage
          blob={thumbnail.value}
          alt=""
          className="absolute inset-0 size-full object-contain"
        />
      ) : (
        <Icon aria-hidden className="size-1/4 max-w-8" />
      )}
    </div>
  )
}
