import { paths } from '#src/config/paths.ts'
import type { MediaJob } from '#src/hooks/use-library.ts'
import { useOrderAgain } from '#src/hooks/use-order-again.ts'
import { Button } from '#src/ui/Button.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** The ways to a further order of the same video: with nothing chosen, or with the same edits. */
export function MoreEdits({ job }: { readonly job: MediaJob }) {
  const orderAgain = useOrderAgain()
  return (
    <>
      <LinkButton to={paths.newMediaJob(job.uploadRequestId)} variant="secondary">
        More edits of this video
      </LinkButton>
      <Button variant="quiet" onPress={() => void orderAgain(job)}>
        Order again
      </Button>
    </>
  )
}
