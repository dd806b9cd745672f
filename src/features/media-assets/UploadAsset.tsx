import {
  ASSET_ACCEPT,
  ASSET_PICKER_TYPES,
  isAssetType,
} from '#src/components/assets/asset-types.ts'
import { Button } from '#src/ui/Button.tsx'
import { DropZone } from '#src/ui/DropZone.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { useChooseAsset } from './use-choose-asset.ts'

/** The drop zone for one asset (AST-01); a good file leads to its name. */
export function UploadAsset({ forPath }: { readonly forPath: string | null }) {
  const { choice, choose, reset } = useChooseAsset(forPath)
  return (
    <section aria-labelledby="upload-asset">
      <h2 id="upload-asset" className="mb-4 text-xl font-semibold">
        Upload asset
      </h2>
      {choice.kind === 'refused' ? (
        <Notice
          kind="error"
          isLive
          title={choice.title}
          className="mb-4"
          action={
            <Button variant="secondary" size="small" onPress={reset}>
              Close
            </Button>
          }
        >
          <span className="block font-medium text-ink">{choice.name}</span>
          {choice.body}
        </Notice>
      ) : null}
      <DropZone
        buttonText="Choose a file"
        title={
          <>
            <span className="hidden sm:inline">
              Drag and drop your asset here or click to browse
            </span>
            <span className="sm:hidden">Tap here to select your asset</span>
          </>
        }
        hint="An intro, outro, logo or sound: a video of up to 30 minutes, a picture (JPG, PNG, WebP) of up to 50 megapixels, or a sound of up to 60 minutes."
        accept={ASSET_ACCEPT}
        pickerTypes={ASSET_PICKER_TYPES}
        isTypeAccepted={isAssetType}
        isWholeWindow
        isDisabled={choice.kind === 'checking'}
        acceptText="Drop to upload"
        rejectText="Invalid file type"
        onChoose={choose}
      >
        {choice.kind === 'checking' ? (
          <p role="status" className="flex items-center gap-3 font-medium">
            <Spinner />
            {`Checking ${choice.name} on this device`}
          </p>
        ) : null}
      </DropZone>
    </section>
  )
}
