import { paths } from '#src/config/paths.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** The way to a further order of the same video; the same edits are one press away there. */
export function MoreEdits({ job }: { readonly job: Pick<MediaJob, 'uploadRequestId'> }) {
  return (
    <LinkButton to={paths.newMediaJob(job.uploadRequestId)} variant="secondary">
      More edits of this video
    </LinkButton>
  )
}
