import { useFormPath } from '#src/components/assets/for-path.ts'
import { OptionsDialog } from '#src/components/options/OptionsDialog.tsx'
import { useOptionsDraft } from '#src/hooks/edits/use-options-draft.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { usePreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import type { RedoSubject } from '#src/hooks/edits/use-redo.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { chosenMoments, keepingMoments, withoutMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { servedUpload, useRemoteUpload } from '#src/features/upload/upload-queries.ts'
import { MomentBoardDialog } from '#src/features/upload/moments/MomentBoardDialog.tsx'

/** By which dialog the edit is changed. */
export type RedoDialog = 'options' | 'moments'

export interface RedoDialogsProps {
  readonly subject: RedoSubject
  readonly preset: Preset
  readonly request: TaskRequest
  /** Null for none. */
  readonly opened: RedoDialog | null
  readonly onApply: (request: TaskRequest) => void
  readonly onClose: () => void
}

/** The options of the edit and its moment board, as far as it has them. */
export function RedoDialogs(props: RedoDialogsProps) {
  const { subject, preset, request, opened, onApply, onClose } = props
  const { uploadRequestId, videoDuration } = subject.job
  const remote = useRemoteUpload(uploadRequestId, opened !== null)
  const source = usePreviewSource(
    useUploadByRequestId(uploadRequestId) ?? null,
    servedUpload(uploadRequestId, remote.data),
  )
  const common = {
    name: preset.name,
    uploadRequestId,
    footage: source.kind === 'none' ? null : source,
    onClose,
  }
  const hadChoice = chosenMoments(subject.request) !== null
  return (
    <>
      <OptionsDialog
        {...common}
        slug={opened === 'options' ? preset.slug : null}
        initial={request}
        sourceDurationMs={videoDuration}
        onApply={(next) => onApply(keepingMoments(request, next))}
      />
      <MomentBoardDialog
        {...common}
        request={opened === 'moments' ? request : null}
        // Where the server chose before, its own choice is no change.
        onApply={(next, isUntouched) =>
          onApply(isUntouched && !hadChoice ? withoutMoments(next) : next)
        }
      />
    </>
  )
}

/** Whether the options were left for an asset, and are to be opened again with what they held. */
export function useIsResumed(slug: string): boolean {
  const left = useOptionsDraft(useFormPath())
  return left.kind === 'ready' && left.value?.slug === slug
}
