import { PERMISSIONS } from '#src/config/permissions.ts'
import { useMediaAssets } from '#src/hooks/assets/use-media-assets.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { AssetPicture } from './AssetPicture.tsx'
import { logoOf } from './ends.ts'

/** The logo for which a preview shows words; nothing for an edit without one. */
export function LogoStrip({ request }: { readonly request: TaskRequest }) {
  const [id] = logoOf(request)
  const mayRead = usePermission(PERMISSIONS.readMediaAssets)
  const assets = useMediaAssets(mayRead && id !== undefined)
  if (id === undefined) return null
  const asset = assets.data?.find((each) => each.asset._id === id)?.asset
  return (
    <div className="mt-5 flex items-center gap-3 text-sm">
      {asset === undefined ? null : (
        <AssetPicture asset={asset} className="w-20 shrink-0 rounded-lg" />
      )}
      <p>In the finished edit your logo stands in the place of the words 'Your logo'.</p>
    </div>
  )
}
