import { useState } from 'react'
import { paths } from '#src/config/paths.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** Opens by itself for people who may not add or spend tokens; the wallet stays readable. */
export function SubscriptionRequired() {
  const [isOpen, setOpen] = useState(true)
  return (
    <Dialog
      title="Subscription Required"
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      footer={
        <>
          <Button variant="secondary" slot="close">
            Not Now
          </Button>
          <LinkButton to={paths.subscriptionCheckout}>Subscribe Now</LinkButton>
        </>
      }
    >
      You need an active subscription to add or spend tokens. Your tokens and their history are
      kept.
    </Dialog>
  )
}
