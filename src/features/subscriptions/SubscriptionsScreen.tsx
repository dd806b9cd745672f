import { CalendarSync, Plus } from 'lucide-react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import {
  walletSubscriptions,
  type WalletSubscription,
} from '#src/local/nouns/wallet-subscriptions.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Benefits } from './Benefits.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'
import { subscriptionStatus } from './subscription-status.ts'

/** `/subscriptions`: every subscription, ended ones included. */
export function SubscriptionsScreen() {
  const subscriptions = useNounList(walletSubscriptions)
  const nowEpochMs = useNow(MINUTE_MS)
  const { data } = subscriptions
  const isAnotherOffered =
    env.paymentsEnabled &&
    data !== null &&
    data.length > 0 &&
    data.every((one) => subscriptionStatus(one, nowEpochMs) === 'expired')
  return (
    <Page
      title="Your Subscriptions"
      actions={
        <>
          <LinkButton to={paths.storedPaymentMethods} variant="secondary">
            Your Payment Methods
          </LinkButton>
          {isAnotherOffered ? (
            <LinkButton to={paths.subscriptionCheckout}>
              <Plus aria-hidden className="size-4.5" />
              Add New Subscription
            </LinkButton>
          ) : null}
        </>
      }
    >
      <PullFailure
        pull={subscriptions}
        title="Unable to fetch your subscriptions"
        className="mb-6"
      />
      <List subscriptions={subscriptions} />
    </Page>
  )
}

function List({
  subscriptions: { data, status },
}: {
  readonly subscriptions: Shown<readonly WalletSubscription[]>
}) {
  if (data === null)
    return status === 'failed' ? null : (
      <div role="status" aria-label="Loading your subscriptions">
        <Skeleton className="h-64" />
      </div>
    )
  if (data.length === 0) return <NoSubscriptions />
  return (
    <ul className="flex flex-col gap-4">
      {data.map((subscription) => (
        <SubscriptionCard key={subscription._id} subscription={subscription} />
      ))}
    </ul>
  )
}

function NoSubscriptions() {
  return (
    <EmptyState
      icon={<CalendarSync />}
      title="No Active Subscriptions"
      {...(env.paymentsEnabled
        ? {
            action: (
              <LinkButton to={paths.subscriptionCheckout} size="large">
                Create Subscription
              </LinkButton>
            ),
          }
        : {})}
    >
      <p className="mb-4">A subscription gives you:</p>
      <Benefits />
    </EmptyState>
  )
}
