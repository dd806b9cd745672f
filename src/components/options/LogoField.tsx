import { Plus } from 'lucide-react'
import { AssetPicture } from '#src/components/assets/AssetPicture.tsx'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { mediaAssetsPath } from '#src/config/paths.ts'
import { truncate } from '#src/lib/text.ts'
import { ASSET_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { Button } from '#src/ui/Button.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import type { WatermarkForm } from './use-watermark-draft.ts'

interface LogoFieldProps {
  readonly form: WatermarkForm
  readonly error: string | null
}

/** The choice of a logo among the pictures of the media assets (DEL-03). */
export function LogoField({ form, error }: LogoFieldProps) {
  const { images, draft } = form
  const formPath = useFormPath()
  if (images.data === null)
    return images.failure === null ? (
      <div role="status" aria-label="Loading media assets">
        <Skeleton className="h-16" />
      </div>
    ) : (
      <PullFailure pull={images} title="Unable to fetch media assets" />
    )
  if (images.data.length === 0 && draft.logoId === '')
    return (
      <p className="text-sm text-ink-muted" onClickCapture={form.uploadNew}>
        No pictures available. Please upload a PNG with a transparent ground{' '}
        <TextLink to={mediaAssetsPath(formPath)}>here</TextLink>
      </p>
    )
  return <Choice form={form} error={error} />
}

function Choice({ form, error }: LogoFieldProps) {
  const { images, draft } = form
  const chosen = images.data?.find(({ asset }) => asset._id === draft.logoId)?.asset
  const offered = (images.data ?? []).map(({ asset }) => ({
    value: asset._id,
    label: truncate(asset.name, ASSET_NAME_MAX_CHARACTERS),
  }))
  return (
    <div>
      <div className="flex items-start gap-3">
        <SelectField
          label="Logo"
          value={draft.logoId}
          options={[
            { value: '', label: 'None' },
            // One that was deleted keeps its place until another is chosen.
            ...(draft.logoId === '' || chosen !== undefined
              ? []
              : [{ value: draft.logoId, label: 'Deleted picture' }]),
            ...offered,
          ]}
          onChange={(logoId) => form.change({ logoId })}
          hint="A PNG with a transparent ground. A band around it keeps it apart from any picture."
          error={error}
          className="min-w-0 flex-1"
        />
        {chosen === undefined ? null : (
          <AssetPicture asset={chosen} className="mt-7 w-20 shrink-0 rounded-lg" />
        )}
      </div>
      <div className="mt-1 flex justify-end">
        <Button variant="quiet" size="small" onPress={form.uploadNew}>
          <Plus aria-hidden className="size-4.5" />
          Upload a new one
        </Button>
      </div>
    </div>
  )
}
