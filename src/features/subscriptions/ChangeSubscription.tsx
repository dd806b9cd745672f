import { useState } from 'react'
import { mayHaveHappened, type ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { ProblemNotice } from '#src/components/help/ProblemNotice.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useChangeSubscription } from './use-change-subscription.ts'
import type { WalletSubscription } from '#src/local/nouns/wallet-subscriptions.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { STATUS_MEANING, type SubscriptionStatus } from './subscription-status.ts'

export interface ChangeSubscriptionProps {
  readonly subscription: WalletSubscription
  readonly status: SubscriptionStatus
  readonly onCancelled?: () => void
}

/** Cancels a subscription after a question, or takes that back, as its status allows. */
export function ChangeSubscription({ subscription, status, onCancelled }: ChangeSubscriptionProps) {
  switch (STATUS_MEANING[status].change) {
    case 'cancel':
      return <Cancel subscription={subscription} onCancelled={onCancelled ?? (() => undefined)} />
    case 'resume':
      return <Resume subscription={subscription} />
    case null:
      return null
  }
}

function Cancel({
  subscription,
  onCancelled,
}: {
  readonly subscription: WalletSubscription
  readonly onCancelled: () => void
}) {
  const toasts = useToasts()
  const cancel = useChangeSubscription('cancel')
  const [isAsking, setIsAsking] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const close = () => {
    setIsAsking(false)
    setFailure(null)
  }
  const start = async () => {
    setFailure(null)
    // Awaited instead of callbacks: a cancelled subscription no longer shows this component.
    const result = await cancel.mutateAsync(subscription._id)
    if (!result.ok) {
      setFailure(result.error)
      return
    }
    close()
    toasts.show(
      'success',
      'Subscription cancelled successfully. It will remain active until the end of the current billing period.',
    )
    onCancelled()
  }
  return (
    <div>
      <Button variant="danger" onPress={() => setIsAsking(true)}>
        Cancel Subscription
      </Button>
      <CancelDialog
        subscription={subscription}
        isOpen={isAsking}
        isPending={cancel.isPending}
        problem={failure === null ? null : <CancelProblem failure={failure} />}
        onCancel={() => void start()}
        onClose={close}
      />
    </div>
  )
}

function CancelProblem({ failure }: { readonly failure: ApiFailure }) {
  const { title } = serverProblemCopy(failure)
  return mayHaveHappened(failure) ? (
    <Notice kind="warning" isLive title={title}>
      We do not know yet whether your subscription was cancelled. It is safe to try again.
    </Notice>
  ) : (
    <Notice kind="error" isLive title="Failed to cancel subscription. Please try again.">
      {title}
    </Notice>
  )
}

function Resume({ subscription }: { readonly subscription: WalletSubscription }) {
  const toasts = useToasts()
  const resume = useChangeSubscription('resume')
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const start = async () => {
    setFailure(null)
    const result = await resume.mutateAsync(subscription._id)
    if (result.ok) toasts.show('success', 'Your subscription goes on.')
    else setFailure(result.error)
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <ProblemNotice problem={failure === null ? null : serverProblemCopy(failure)} />
      <SendButton
        sends="POST /v1/wallet-subscriptions/{id}/resume"
        variant="secondary"
        onPress={() => void start()}
        isBusy={resume.isPending}
      >
        Keep my subscription
      </SendButton>
    </div>
  )
}
