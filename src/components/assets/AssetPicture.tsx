import { AudioLines, FileQuestion, Film, Image, LoaderCircle, type LucideIcon } from 'lucide-react'
import { ListPicture } from '#src/components/pictures/ListPicture.tsx'
import { useLooks } from '#src/components/pictures/use-looks.ts'
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
  isInChoice = false,
  className,
}: {
  readonly asset: Pick<MediaAsset, '_id' | 'name' | 'format'>
  /** A press on it chooses it, so that there is no place for a button. */
  readonly isInChoice?: boolean
  readonly className: string
}) {
  const thumbnail = useAssetThumbnail(asset._id)
  const looks = useLooks()
  const Icon = asset.format === null ? LoaderCircle : ICONS[asset.format.slug]
  return (
    <div
      className={classNames(
        // The line shows where a white picture ends.
        'relative grid aspect-video place-items-center overflow-hidden bg-surface-sunken text-ink-faint after:absolute after:inset-0 after:rounded-[inherit] after:inset-ring after:inset-ring-line after:pointer-events-none',
        className,
      )}
    >
      <ListPicture
        picture={thumbnail.kind === 'ready' ? thumbnail.value : null}
        name={asset.name}
        look={isInChoice ? null : looks.ofAsset(asset._id)}
        className="absolute inset-0 size-full object-contain"
        icon={<Icon aria-hidden className="size-1/4 max-w-8" />}
      />
    </div>
  )
}
