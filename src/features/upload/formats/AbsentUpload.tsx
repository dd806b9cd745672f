import { paths } from '#src/config/paths.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import type { Absence } from './use-video-to-edit.ts'

/** Why there is no upload to choose edits for. */
export function AbsentUpload({ absence }: { readonly absence: Absence }) {
  switch (absence) {
    case 'gone':
      return <UploadGone />
    case 'deleted':
      return <VideoDeleted />
    case 'not-found':
      return <UploadNotFound />
  }
}

function VideoDeleted() {
  return (
    <Notice
      title="This video was deleted from the server"
      action={<LinkButton to={paths.newUpload}>Upload it again</LinkButton>}
    >
      No more edits can be made of it. To order some, upload the video again.
    </Notice>
  )
}

function UploadGone() {
  return (
    <Notice
      title="This upload no longer exists"
      action={<LinkButton to={paths.newUpload}>Upload a video</LinkButton>}
    >
      It was discarded, or it was removed because it was never finished. You can upload the same
      video again.
    </Notice>
  )
}

function UploadNotFound() {
  return (
    <Notice
      kind="error"
      title="Failed to fetch upload request"
      action={<LinkButton to={paths.newUpload}>Upload a video</LinkButton>}
    >
      This upload is not in this account. It may belong to another account, or have been discarded.
      Uploads of other accounts are kept until their owner logs in.
    </Notice>
  )
}
