import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/** What every kind of preview shows: one edit with its options, on one video. */
export interface EditPreviewProps {
  readonly video: PreviewVideo
  readonly edit: PreviewEdit
}
