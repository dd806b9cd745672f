import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { MadePreview } from './MadePreview.tsx'
import { ServedPreview } from './ServedPreview.tsx'

/** What an edit makes of the creator's own video, from the file or from the server. */
export function EditPreview({
  footage,
  edit,
}: {
  readonly footage: PreviewFootage
  readonly edit: PreviewEdit
}) {
  return footage.kind === 'video' ? (
    <MadePreview video={footage.video} edit={edit} />
  ) : (
    <ServedPreview footage={footage} edit={edit} />
  )
}
