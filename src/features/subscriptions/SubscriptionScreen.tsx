import { SearchX } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { paths } from '#src/config/paths.ts'
import { useNounOne } from '#src/hooks/sync/use-noun.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import {
  walletSubscriptions,
  type WalletSubscription,
} from '#src/local/nouns/wallet-subscriptions.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ChangeSubscription } from './ChangeSubscription.tsx'
import { PaymentProblemNotice } from './PaymentProblemNotice.tsx'
import { planName, STATUS_MEANING, subscriptionStatus } from './subscription-status.ts'
import { SubscriptionFact, SubscriptionFacts } from './SubscriptionFacts.tsx'

/** `/subscriptions/{id}`: one subscription. */
export function SubscriptionScreen() {
  const { walletSubscriptionId = '' } = useParams()
  const subscription = useNounOne(walletSubscriptions, walletSubscriptionId)
  const { data, failure, status } = subscription
  const isMissing = data === null && failure !== null && statusOf(failure) === 404
  return (
    <Page
      title="Your Subscription"
      actions={
        <LinkButton to={paths.subscriptions} variant="secondary">
          All Subscriptions
        </LinkButton>
      }
    >
      {isMissing ? (
        <EmptyState icon={<SearchX />} title="Wallet subscription not found">
          The link may be incomplete.
        </EmptyState>
      ) : (
        <PullFailure
          pull={subscription}
          title="Unable to fetch your subscription"
          className="mb-6"
        />
      )}
      {data === null && status === 'nothing-yet' ? <Skeleton className="h-64" /> : null}
      {data === null ? null : <Details subscription={data} />}
    </Page>
  )
}

function Details({ subscription }: { readonly subscription: WalletSubscription }) {
  const navigate = useNavigate()
  const nowEpochMs = useNow(MINUTE_MS)
  const status = subscriptionStatus(subscription, nowEpochMs)
  const { label, tone } = STATUS_MEANING[status]
  return (
    <Card className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl font-semibold">{planName(subscription.planSlug)}</h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <PaymentProblemNotice subscription={subscription} nowEpochMs={nowEpochMs} />
      <SubscriptionFacts subscription={subscription} status={status}>
        <SubscriptionFact name="Cancellation">
          {subscription.cancelAtPeriodEnd ? 'Cancels at period end' : 'Not cancelled'}
        </SubscriptionFact>
      </SubscriptionFacts>
      <ChangeSubscription
        subscription={subscription}
        status={status}
        onCancelled={() => void navigate(paths.subscriptions)}
      />
    </Card>
  )
}
