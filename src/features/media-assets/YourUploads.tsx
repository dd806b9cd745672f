import { Images } from 'lucide-react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { useAssetUploads } from '#src/hooks/assets/use-asset-uploads.ts'
import {
  useAssetRoom,
  useMediaAssets,
  type ListedAsset,
} from '#src/hooks/assets/use-media-assets.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { AssetCard } from './AssetCard.tsx'
import { roomWords } from './asset-room.ts'
import { AssetsElsewhere } from './AssetsElsewhere.tsx'
import { AssetUploadCard } from './AssetUploadCard.tsx'
import { useSharedSound } from '#src/components/assets/use-shared-sound.ts'

/** Every asset of the account, newest first, after the files that are still on their way. */
export function YourUploads({ forPath }: { readonly forPath: string | null }) {
  const assets = useMediaAssets()
  const room = useAssetRoom()
  const uploads = useAssetUploads() ?? []
  return (
    <section aria-labelledby="your-uploads" className="mt-12">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="your-uploads" className="text-xl font-semibold">
          Your Uploads
        </h2>
        <p className="text-sm text-ink-muted tabular-nums">{roomWords(room)}</p>
      </div>
      <PullFailure pull={assets} title="Unable to fetch media assets" className="mb-4" />
      {uploads.length === 0 ? null : (
        <ul aria-label="On their way" className="mb-6 grid gap-4 lg:grid-cols-2">
          {uploads.map((upload) => (
            <AssetUploadCard key={upload.row.id} upload={upload} forPath={forPath} />
          ))}
        </ul>
      )}
      <AssetsElsewhere />
      <Assets assets={assets} isAnyOnItsWay={uploads.length > 0} />
    </section>
  )
}

function Assets({
  assets: { data, status },
  isAnyOnItsWay,
}: {
  readonly assets: Shown<readonly ListedAsset[]>
  readonly isAnyOnItsWay: boolean
}) {
  const sound = useSharedSound()
  if (data === null)
    return status === 'failed' ? null : (
      <div
        role="status"
        aria-label="Loading your assets"
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4"
      >
        <Skeleton className="h-56" />
        <Skeleton className="h-56" />
      </div>
    )
  if (data.length === 0)
    return isAnyOnItsWay ? null : (
      <EmptyState icon={<Images />} title="Your assets will be here">
        Upload an intro or an outro above, and add it to tube cuts and samplings with one press.
      </EmptyState>
    )
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {data.map(({ asset, deletion }) => (
        <AssetCard key={asset._id} asset={asset} deletion={deletion} sound={sound} />
      ))}
    </ul>
  )
}
