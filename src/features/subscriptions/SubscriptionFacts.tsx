import type { ReactNode } from 'react'
import { longDateWords } from '#src/lib/time-words.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import type { WalletSubscription } from '#src/local/nouns/wallet-subscriptions.ts'
import { periodEndWords, STATUS_MEANING, type SubscriptionStatus } from './subscription-status.ts'

export interface SubscriptionFactsProps {
  readonly subscription: WalletSubscription
  readonly status: SubscriptionStatus
  /** Further rows: `Fact`. */
  readonly children?: ReactNode
}

/** What there is to know of a subscription, as pairs of name and value. */
export function SubscriptionFacts({ subscription, status, children }: SubscriptionFactsProps) {
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      <SubscriptionFact name="Created">
        {longDateWords(Date.parse(subscription.createdAt))}
      </SubscriptionFact>
      <SubscriptionFact name={STATUS_MEANING[status].dateLabel}>
        {periodEndWords(subscription)}
      </SubscriptionFact>
      <SubscriptionFact name="Monthly tokens">
        {tokens(subscription.topUpCoinAmount)}
      </SubscriptionFact>
      {children}
      <SubscriptionFact name="Subscription ID">
        <span className="font-mono text-sm break-all">{subscription._id}</span>
      </SubscriptionFact>
    </dl>
  )
}

/** One pair. */
export function SubscriptionFact({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
