import { useNavigate } from 'react-router'
import type { End } from '#src/components/assets/ends.ts'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { mediaAssetsPath } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useMediaAssets, type ListedAsset } from '#src/hooks/assets/use-media-assets.ts'
import { useOptionsDraftActions } from '#src/hooks/edits/use-options-draft.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'

/** What the options of an edit choose assets from, and the way to more of them. */
export interface FormAssets {
  readonly assets: Shown<readonly ListedAsset[]>
  /** Without the right to read assets there is nothing to choose from. */
  readonly mayChoose: boolean
  /**
   * Keeps the form for the way back.
   * @param fields what `KeptOptions` gives back to the form, in the form's own shape
   * @param end where a new asset goes, in forms that have two ends
   */
  readonly keep: (fields: unknown, end?: End) => void
  /** Keeps the form and goes to the screen of the assets, even where it could not be kept. */
  readonly uploadNew: (fields: unknown, end?: End) => void
}

export function useFormAssets(slug: string): FormAssets {
  const formPath = useFormPath()
  const navigate = useNavigate()
  const mayChoose = usePermission(PERMISSIONS.readMediaAssets)
  const assets = useMediaAssets(mayChoose)
  const { keep } = useOptionsDraftActions(formPath)
  const keepFor = (fields: unknown, end: End = 'intro') =>
    keep({ slug, fields, end, uploadId: null, mediaAssetId: null })
  const leave = () => navigate(mediaAssetsPath(formPath))
  return {
    assets,
    mayChoose,
    keep: (fields, end) => void keepFor(fields, end),
    uploadNew: (fields, end) => void keepFor(fields, end).then(leave, leave),
  }
}
