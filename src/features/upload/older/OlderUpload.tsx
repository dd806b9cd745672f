import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '#src/config/paths.ts'
import type { Live } from '#src/hooks/sync/use-live.ts'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** A page of the older flow once its upload is known; without one, the way to a new one. */
export function OlderUpload({
  upload,
  children,
}: {
  readonly upload: Live<string | null>
  readonly children: (uploadRequestId: string) => ReactNode
}) {
  switch (upload.kind) {
    case 'loading':
      return <Skeleton className="h-96" />
    case 'failed':
      return (
        <Notice
          kind="error"
          isLive
          title="This device could not read your uploads"
          action={<Button onPress={() => window.location.reload()}>Reload</Button>}
        >
          They are not lost.
        </Notice>
      )
    case 'ready':
      return upload.value === null ? <NoUpload /> : children(upload.value)
  }
}

function NoUpload() {
  return (
    <EmptyState
      icon={<Upload />}
      title="No video to choose edits for"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <LinkButton to={paths.newUpload}>Upload a video</LinkButton>
          <LinkButton to={paths.edits} variant="secondary">
            My Edits
          </LinkButton>
        </div>
      }
    >
      Every video of this device already has its edits. To order more, upload a video.
    </EmptyState>
  )
}
