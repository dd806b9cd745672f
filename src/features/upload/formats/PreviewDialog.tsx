import type { PreviewFootage } from '#src/hooks/previews/use-preview-video.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { EditPreview } from '#src/components/preview/EditPreview.tsx'

export interface PreviewDialogProps {
  readonly footage: PreviewFootage
  /** Null keeps it closed. */
  readonly edit: PreviewEdit | null
  readonly name: string
  readonly onClose: () => void
}

/** An edit on the creator's own video. Closing it ends whatever is being made. */
export function PreviewDialog({ footage, edit, name, onClose }: PreviewDialogProps) {
  return (
    <Dialog
      title={`Preview of ${name}`}
      width="large"
      isOpen={edit !== null}
      onClose={onClose}
      footer={
        <Button variant="secondary" onPress={onClose}>
          Close
        </Button>
      }
    >
      {edit === null ? null : <EditPreview footage={footage} edit={edit} />}
    </Dialog>
  )
}
