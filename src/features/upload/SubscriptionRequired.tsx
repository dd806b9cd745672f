import { paths } from '#src/config/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** Blocks the flow for accounts that may not order (JOB-07). */
export function SubscriptionRequired() {
  return (
    <Dialog
      title="Subscription Required"
      isOpen
      isBlocking
      role="alertdialog"
      onClose={() => undefined}
      footer={
        <LinkButton to={paths.edits} replace>
          Back to Your Edits
        </LinkButton>
      }
    >
      You need an active subscription to order edits. Your finished edits and everything on this
      device are kept.
    </Dialog>
  )
}
