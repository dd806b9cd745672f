import { useLocation } from 'react-router'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** Blocks the flow for accounts that may not order (JOB-07). Paying leads back to this step. */
export function OrderingNeedsSubscription() {
  const { pathname, search } = useLocation()
  return (
    <Dialog
      title="Subscription Required"
      isOpen
      isBlocking
      role="alertdialog"
      onClose={() => undefined}
      footer={
        <>
          <LinkButton to={paths.edits} variant="secondary" replace>
            Back to Your Edits
          </LinkButton>
          {env.paymentsEnabled ? (
            <LinkButton to={paths.subscriptionCheckout} state={{ returnPath: pathname + search }}>
              Subscribe Now
            </LinkButton>
          ) : null}
        </>
      }
    >
      You need an active subscription to order edits. Your finished edits and everything on this
      device are kept.
    </Dialog>
  )
}
