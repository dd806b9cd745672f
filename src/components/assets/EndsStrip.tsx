import { Clapperboard } from 'lucide-react'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useMediaAssets } from '#src/hooks/assets/use-media-assets.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { AssetPicture } from './AssetPicture.tsx'
import { endsOf } from './ends.ts'

/**
 * What the finished edit shows before and after the previewed passages, in playing order; nothing
 * for an edit without intro and outro.
 */
export function EndsStrip({ request }: { readonly request: TaskRequest }) {
  const { intro, outro } = endsOf(request)
  const mayRead = usePermission(PERMISSIONS.readMediaAssets)
  const assets = useMediaAssets(mayRead && intro.length + outro.length > 0)
  const known = (ids: readonly string[]) =>
    ids.flatMap((id) => assets.data?.find(({ asset }) => asset._id === id)?.asset ?? [])
  if (intro.length + outro.length === 0) return null
  return (
    <section aria-label="Intro and outro" className="mt-5">
      <p className="text-sm">In the finished edit, in this order:</p>
      <ol className="mt-2 flex gap-2 overflow-x-auto pb-1 text-xs">
        {known(intro).map((asset) => (
          <StripItem key={`intro-${asset._id}`} asset={asset} />
        ))}
        <li className="w-24 shrink-0">
          <div className="grid aspect-video place-items-center rounded-lg bg-accent-soft text-accent">
            <Clapperboard aria-hidden className="size-6" />
          </div>
          <span className="mt-1 block font-medium">Your video</span>
        </li>
        {known(outro).map((asset) => (
          <StripItem key={`outro-${asset._id}`} asset={asset} />
        ))}
      </ol>
    </section>
  )
}

function StripItem({
  asset,
}: {
  readonly asset: Parameters<typeof AssetPicture>[0]['asset'] & { readonly name: string }
}) {
  return (
    <li className="w-24 shrink-0">
      <AssetPicture asset={asset} className="rounded-lg" />
      <span className="mt-1 block truncate">{asset.name}</span>
    </li>
  )
}
