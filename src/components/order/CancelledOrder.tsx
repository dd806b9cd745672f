import { useMediaJob } from '#src/hooks/edits/use-media-job.ts'
import { choicePath, redoneTaskId } from '#src/local/edits/redo.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/** An order that asks for nothing any more, with the way to choose again. */
export function CancelledOrder({ order }: { readonly order: Order }) {
  return (
    <Notice
      title="This order was cancelled"
      {...(order.mediaJobId === null
        ? {}
        : { action: <ChooseAgain mediaJobId={order.mediaJobId} /> })}
    >
      You will not be charged anything more. The tokens you paid are back in your wallet.
    </Notice>
  )
}

function ChooseAgain({ mediaJobId }: { readonly mediaJobId: string }) {
  const job = useMediaJob(mediaJobId).data
  return job === null ? null : (
    <LinkButton to={choicePath(job.uploadRequestId, redoneTaskId(job))} variant="secondary">
      Choose edits again
    </LinkButton>
  )
}
