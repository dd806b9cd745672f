import { useSearchParams } from 'react-router'
import { readForPath } from '#src/components/assets/for-path.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { UploadAsset } from './UploadAsset.tsx'
import { YourUploads } from './YourUploads.tsx'

/**
 * `/media-assets`: where an asset is uploaded, and below it all assets of the account with those on
 * their way. A form that waits for an asset gets it when its name is confirmed.
 */
export function MediaAssetsScreen() {
  const [params] = useSearchParams()
  const forPath = readForPath(params)
  return (
    <Page
      title="Media Assets"
      lead="Intros, outros and logos for your edits. Sounds can be kept here too; no edit takes one yet."
      {...(forPath === null
        ? {}
        : {
            actions: (
              <LinkButton to={forPath} variant="secondary">
                Back to your edit
              </LinkButton>
            ),
          })}
    >
      {forPath === null ? null : (
        <Notice className="mb-6">
          Your options are kept. When you have named the new asset, you come back to them with it
          chosen.
        </Notice>
      )}
      <UploadAsset forPath={forPath} />
      <YourUploads forPath={forPath} />
    </Page>
  )
}
