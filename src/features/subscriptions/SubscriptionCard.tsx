import { useNow } from '#src/hooks/clock/use-now.ts'
import { paths } from '#src/config/paths.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import type { WalletSubscription } from '#src/local/nouns/wallet-subscriptions.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ChangeSubscription } from './ChangeSubscription.tsx'
import { PaymentProblemNotice } from './PaymentProblemNotice.tsx'
import { planName, STATUS_MEANING, subscriptionStatus } from './subscription-status.ts'
import { SubscriptionFacts } from './SubscriptionFacts.tsx'

/** One subscription of the list, with what can be done about it. */
export function SubscriptionCard({ subscription }: { readonly subscription: WalletSubscription }) {
  const nowEpochMs = useNow(MINUTE_MS)
  const status = subscriptionStatus(subscription, nowEpochMs)
  const { label, tone } = STATUS_MEANING[status]
  return (
    <Card as="li" className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl font-semibold">
          <TextLink to={paths.subscription(subscription._id)}>
            {planName(subscription.planSlug)}
          </TextLink>
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <PaymentProblemNotice subscription={subscription} nowEpochMs={nowEpochMs} />
      <SubscriptionFacts subscription={subscription} status={status} />
      <ChangeSubscription subscription={subscription} status={status} />
    </Card>
  )
}
