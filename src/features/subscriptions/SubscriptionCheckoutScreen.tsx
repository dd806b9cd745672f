import { useQueryClient } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { codeOf, statusOf, type ApiFailure } from '#src/api/errors.ts'
import { PayFrame } from '#src/components/frames/PayFrame.tsx'
import { TryAgain } from '#src/components/help/TryAgain.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { paths } from '#src/config/paths.ts'
import type { CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { OWN_REDEMPTION_KEY } from './use-own-redemption.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { returnPath } from './return-path.ts'
import { ReferralSection } from './ReferralSection.tsx'
import { SidePanel } from './SidePanel.tsx'
import { useSubscriptionCheckout, type SubscriptionCheckout } from './use-subscription-checkout.ts'

/** `/subscriptions/stripe/checkout`: the payment of a new subscription. */
export function SubscriptionCheckoutScreen() {
  const checkout = useSubscriptionCheckout()
  const { session, failure } = checkout
  if (failure !== null && statusOf(failure) === 404) return <NotFound />
  return (
    <Page title="Subscribe for Tokens">
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Card className="flex flex-col gap-4">
          {session === null ? (
            <Beginning checkout={checkout} failure={failure} />
          ) : (
            <Pay key={session._id} session={session} onStartAgain={checkout.startAgain} />
          )}
        </Card>
        <div className="flex flex-col gap-6">
          <SidePanel />
          <ReferralSection />
        </div>
      </div>
    </Page>
  )
}

function Pay({
  session,
  onStartAgain,
}: {
  readonly session: CheckoutSession
  readonly onStartAgain: () => void
}) {
  const queries = useQueryClient()
  const pulls = usePulls()
  const back = returnPath(useLocation().state)
  const [isPaid, setIsPaid] = useState(false)
  const onPaid = () => {
    setIsPaid(true)
    // The answer to the next call brings the new permissions; without it they come later.
    queries.fetchQuery({ ...pulls.me(), staleTime: 0 }).catch(() => null)
    void queries.invalidateQueries({ queryKey: OWN_REDEMPTION_KEY })
  }
  return (
    <>
      <PayFrame
        session={session}
        purpose="subscription"
        onPaid={onPaid}
        onStartAgain={onStartAgain}
      />
      {isPaid ? (
        <div className="flex flex-wrap gap-3">
          <LinkButton to={back ?? paths.newUpload}>
            {back === null ? 'Upload a Video' : 'Back to Your Order'}
          </LinkButton>
          <LinkButton to={paths.subscriptions} variant="secondary">
            My Subscriptions
          </LinkButton>
        </div>
      ) : null}
    </>
  )
}

function Beginning({
  checkout,
  failure,
}: {
  readonly checkout: SubscriptionCheckout
  readonly failure: ApiFailure | null
}) {
  if (failure === null)
    return (
      <div role="status" aria-label="Loading the payment">
        <Skeleton className="h-96" />
      </div>
    )
  const { title, body } = serverProblemCopy(failure)
  if (codeOf(failure) === 'subscriptions/already-active')
    return (
      <Notice
        title={title}
        action={<LinkButton to={paths.subscriptions}>My Subscriptions</LinkButton>}
      />
    )
  return (
    <Notice
      kind="error"
      isLive
      title={title}
      action={
        <TryAgain
          failure={failure}
          variant="primary"
          onPress={checkout.tryAgain}
          isBusy={checkout.isFetching}
        >
          Try again
        </TryAgain>
      }
    >
      {body}
    </Notice>
  )
}

function NotFound() {
  return (
    <Page title="Subscribe for Tokens">
      <EmptyState
        icon={<CreditCard />}
        title="Checkout Session Not Found"
        action={<LinkButton to={paths.subscriptions}>Back to Your Subscriptions</LinkButton>}
      >
        We couldn't find your checkout session. Please try again or contact support if the issue
        persists.
      </EmptyState>
    </Page>
  )
}
