import { PERMISSIONS } from '#src/config/permissions.ts'
import { useMediaAssets } from '#src/hooks/assets/use-media-assets.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { assetsOf, MISSING, type AssetPlace } from './ends.ts'
import { missingEnds } from './missing-ends.ts'

/** The places of chosen edits that lack an asset which was deleted since. */
export function useMissingEnds(requests: readonly TaskRequest[]): readonly AssetPlace[] {
  const mayRead = usePermission(PERMISSIONS.readMediaAssets)
  const namesAny = requests.some((request) => Object.values(assetsOf(request)).flat().length > 0)
  return missingEnds(useMediaAssets(mayRead && namesAny), requests)
}

/** Says which places lack an asset, and what to do about it; nothing while all are there. */
export function MissingEnds({
  ends,
  className,
}: {
  readonly ends: readonly AssetPlace[]
  readonly className: string
}) {
  return ends.length === 0 ? null : (
    <Notice
      kind="error"
      isLive
      title={ends.map((end) => MISSING[end]).join('. ')}
      className={className}
    >
      It was deleted from your media assets. Change the options of the edit: remove it there, or
      choose another.
    </Notice>
  )
}
