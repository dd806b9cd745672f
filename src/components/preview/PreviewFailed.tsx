import { previewFailureCopy } from '#src/components/problem/preview-copy.ts'
import { useUploadCommands } from '#src/hooks/uploads/use-upload-commands.ts'
import type { PreviewFailure } from '#src/local/previews/preview.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

export interface PreviewFailedProps {
  readonly failure: PreviewFailure
  readonly uploadId: string
  readonly onRetry: () => void
}

/** Why there is no preview, and what can be done. */
export function PreviewFailed({ failure, uploadId, onRetry }: PreviewFailedProps) {
  const commands = useUploadCommands()
  const { title, body, action } = previewFailureCopy(failure)
  const act = async () => {
    if (failure.code === 'preview/needs-permission') await commands.continueWithPermission(uploadId)
    onRetry()
  }
  return (
    <Notice
      kind="warning"
      isLive
      title={title}
      {...(action === null
        ? {}
        : {
            action: (
              <Button variant="secondary" onPress={() => void act()}>
                {action}
              </Button>
            ),
          })}
    >
      {body ?? undefined}
    </Notice>
  )
}
