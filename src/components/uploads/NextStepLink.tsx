import { isFileRefused } from '#src/components/upload-words/actions.ts'
import { createMediaAssetPath, paths } from '#src/config/paths.ts'
import { useAssetName } from '#src/hooks/assets/use-asset-uploads.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

export interface NextStepLinkProps {
  readonly row: UploadRow
  /** The form that waits for the asset; null for none. */
  readonly forPath?: string | null
}

/** Where an upload leads: to the choice of edits, or to the name of an asset that has none. */
export function NextStepLink({ row, forPath = null }: NextStepLinkProps) {
  if (isFileRefused(row.state)) return null
  if (row.purpose === 'media-asset') return <NameLink row={row} forPath={forPath} />
  return row.uploadRequestId === null ? null : (
    <LinkButton to={paths.newMediaJob(row.uploadRequestId)} variant="secondary" size="small">
      Choose edits<span className="sr-only">{` for ${row.file.name}`}</span>
    </LinkButton>
  )
}

function NameLink({ row, forPath }: NextStepLinkProps) {
  const name = useAssetName(row.id)
  return name.kind !== 'ready' || name.value !== null || row.state.kind === 'draft' ? null : (
    <LinkButton
      to={createMediaAssetPath({ uploadId: row.id, forPath: forPath ?? null })}
      variant="secondary"
      size="small"
    >
      Name this asset<span className="sr-only">{`: ${row.file.name}`}</span>
    </LinkButton>
  )
}
