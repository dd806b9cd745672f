import { useId, useState } from 'react'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { useOptionsDraftActions } from '#src/hooks/edits/use-options-draft.ts'
import { LivePreview } from '#src/components/preview/LivePreview.tsx'
import { keepingMoments } from '#src/local/edits/moment-boards.ts'
import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { PresetSlug, TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { findOptionsForm } from './forms.tsx'

export interface OptionsDialogProps {
  /** Whose options; null keeps it closed. */
  readonly slug: PresetSlug | null
  readonly name: string
  readonly initial: TaskRequest | null
  /** Null before the server knows the video. */
  readonly uploadRequestId: string | null
  readonly sourceDurationMs: number | null
  /** Null where this device cannot show previews. */
  readonly footage?: PreviewFootage | null
  /** The dialog was asked for to look at the edit: its preview is there from the start. */
  readonly isForPreview?: boolean
  /** Null while nothing can be chosen yet. */
  readonly onApply: ((request: TaskRequest) => void) | null
  readonly onClose: () => void
}

/** The options of one edit as a modal: Apply adds the request, Cancel and Escape close (FMT-04). */
export function OptionsDialog({
  slug,
  name,
  initial,
  uploadRequestId,
  sourceDurationMs,
  footage = null,
  isForPreview = false,
  onApply,
  onClose,
}: OptionsDialogProps) {
  const formId = useId()
  const [isDrawn, setIsDrawn] = useState(false)
  const [invalidSlug, setInvalidSlug] = useState<PresetSlug | null>(null)
  const form = slug === null ? undefined : findOptionsForm(slug)
  const renderPreview =
    footage === null
      ? undefined
      : (request: TaskRequest | null) => (
          <LivePreview
            footage={footage}
            request={request === null ? null : keepingMoments(initial, request)}
            isShownAtOnce={isForPreview}
          />
        )
  const { forget } = useOptionsDraftActions(useFormPath())
  const close = () => {
    setInvalidSlug(null)
    void forget()
    onClose()
  }
  return (
    <Dialog
      title={name}
      isOpen={slug !== null}
      onClose={close}
      {...(footage === null ? {} : { width: 'medium' })}
      footer={
        <Actions
          formId={onApply === null ? null : formId}
          isDisabled={!isDrawn || (slug !== null && invalidSlug === slug)}
          onClose={close}
        />
      }
    >
      {form?.render({
        formId,
        flow: 'newer',
        initial,
        onApply: onApply ?? (() => undefined),
        uploadRequestId,
        sourceDurationMs,
        video: footage?.kind === 'video' ? footage.video : null,
        renderPreview,
        onDrawn: setIsDrawn,
        onValidity: (isValid) => setInvalidSlug(isValid ? null : slug),
      })}
    </Dialog>
  )
}

interface ActionsProps {
  /** Null while nothing can be chosen yet: there is nothing to apply. */
  readonly formId: string | null
  readonly isDisabled: boolean
  readonly onClose: () => void
}

function Actions({ formId, isDisabled, onClose }: ActionsProps) {
  if (formId === null)
    return (
      <Button variant="secondary" onPress={onClose}>
        Close
      </Button>
    )
  return (
    <>
      <Button variant="secondary" onPress={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} isDisabled={isDisabled}>
        Apply
      </Button>
    </>
  )
}
