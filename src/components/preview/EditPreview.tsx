import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { isSampled, isShownHere } from '#src/local/previews/has-preview.ts'
import { previewScript } from '#src/local/previews/preview-script.ts'
import { ChooseAgain } from './ChooseAgain.tsx'
import { MadePreview } from './MadePreview.tsx'
import { SamplePreview } from './SamplePreview.tsx'
import { ServedPreview } from './ServedPreview.tsx'

interface EditPreviewProps {
  readonly footage: PreviewFootage
  readonly edit: PreviewEdit
}

/** What an edit makes of the creator's own video, from the file or from the server. */
export function EditPreview({ footage, edit }: EditPreviewProps) {
  if (footage.kind === 'video') return <OfFile footage={footage} edit={edit} />
  if (!isSampled(edit.slug)) return <ServedPreview footage={footage} edit={edit} />
  return (
    <div className="flex flex-col gap-5">
      <SamplePreview uploadRequestId={footage.upload.uploadRequestId} edit={edit} />
      {isShownHere(edit.slug) ? <ChooseAgain footage={footage} /> : null}
    </div>
  )
}

/** What this device makes of its file; of what it cannot make, what the server shows. */
function OfFile({
  footage: { video, served },
  edit,
}: EditPreviewProps & { readonly footage: Extract<PreviewFootage, { kind: 'video' }> }) {
  const isMadeHere = previewScript(edit.slug, video.source, edit.payload).ok
  // Faces are found by the server alone.
  const isSampleShown = isSampled(edit.slug) && (!isMadeHere || isReviewed(edit.slug))
  const sample = <SamplePreview uploadRequestId={served?.uploadRequestId ?? null} edit={edit} />
  if (isSampleShown && !isMadeHere) return sample
  return (
    <div className="flex flex-col gap-5">
      <MadePreview video={video} edit={edit} />
      {isSampleShown ? sample : null}
    </div>
  )
}
