import { AssetPicker } from '#src/components/assets/AssetPicker.tsx'
import { ENDS } from '#src/components/assets/ends.ts'
import { useAssetName } from '#src/hooks/assets/use-asset-uploads.ts'
import type { OptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import { useUpload } from '#src/hooks/uploads/use-upload.ts'
import { uploadPercent } from '#src/local/uploads/page/labels.ts'
import { Notice } from '#src/ui/Notice.tsx'
import type { Ends } from './use-ends.ts'

/** Both choices of assets of an option form (OPT-03); nothing without the right to read assets. */
export function EndsFields({ ends }: { readonly ends: Ends }) {
  if (!ends.mayChoose) return null
  return (
    <>
      {ENDS.map((end) => (
        <AssetPicker
          key={end}
          end={end}
          assets={ends.assets}
          chosenIds={ends.ids[end]}
          onChange={(ids) => ends.change(end, ids)}
          onLeave={() => ends.keep(end)}
          onUploadNew={() => ends.uploadNew(end)}
        />
      ))}
      {ends.tooLong === null ? null : (
        <p role="alert" className="text-sm text-bad">
          {ends.tooLong}
        </p>
      )}
      {ends.awaited === null ? null : <Awaited draft={ends.awaited} ends={ends} />}
    </>
  )
}

/** How far the asset is for which the form was left. */
function Awaited({ draft, ends }: { readonly draft: OptionsDraft; readonly ends: Ends }) {
  const row = useUpload(draft.uploadId)
  const named = useAssetName(draft.uploadId ?? '')
  const asset = ends.assets.data?.find(({ asset: { _id } }) => _id === draft.mediaAssetId)?.asset
  const name = asset?.name ?? (named.kind === 'ready' ? named.value : null)
  if (name === null) return null
  return (
    <Notice isLive title={`“${name}” is not ready yet`}>
      {asset === undefined && row !== null && row !== undefined
        ? `${uploadPercent(row)}% uploaded. `
        : ''}
      {asset?.format?.slug === 'audio' || asset?.format?.slug === 'unsupported'
        ? 'It has no picture, so it cannot be an intro or outro.'
        : `It joins the ${draft.end} as soon as it can be used. You can also apply without it.`}
    </Notice>
  )
}
