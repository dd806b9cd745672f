import { Images } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { readForPath } from '#src/components/assets/for-path.ts'
import { mediaAssetsPath } from '#src/config/paths.ts'
import { useAssetUploads } from '#src/hooks/assets/use-asset-uploads.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { NameAsset } from './NameAsset.tsx'

/**
 * `/create-media-asset` (AST-03): the progress of an asset's file, and its name. Which upload is
 * meant stands in the address, so that a reload finds it; without one it is the newest that has no
 * name.
 */
export function CreateMediaAssetScreen() {
  const [params] = useSearchParams()
  const uploads = useAssetUploads()
  const forPath = readForPath(params)
  const wanted = params.get('upload')
  const upload =
    wanted === null
      ? uploads?.find(({ naming }) => naming === null)
      : uploads?.find(({ row }) => row.id === wanted)
  return (
    <Page title="Create Media Asset" width="narrow">
      {uploads === null ? <Skeleton className="h-64" /> : null}
      {upload === undefined ? null : (
        <NameAsset key={upload.row.id} upload={upload} forPath={forPath} />
      )}
      {uploads !== null && upload === undefined ? (
        <EmptyState
          icon={<Images />}
          title="No upload waits for a name"
          action={<LinkButton to={mediaAssetsPath(forPath)}>Media Assets</LinkButton>}
        >
          It was named or discarded already, or it was chosen on another device.
        </EmptyState>
      ) : null}
    </Page>
  )
}
