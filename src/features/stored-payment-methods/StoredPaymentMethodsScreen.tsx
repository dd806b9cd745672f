import { CreditCard } from 'lucide-react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { longDateWords } from '#src/lib/time-words.ts'
import { paths } from '#src/config/paths.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import {
  storedPaymentMethods,
  type StoredPaymentMethod,
} from '#src/local/nouns/stored-payment-methods.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** `/stored-payment-methods`: what subscriptions are billed by. */
export function StoredPaymentMethodsScreen() {
  const methods = useNounList(storedPaymentMethods)
  return (
    <Page
      title="Your Payment Methods"
      lead="The payment provider keeps them to bill your subscription. Card numbers never reach us."
      actions={
        <LinkButton to={paths.subscriptions} variant="secondary">
          My Subscriptions
        </LinkButton>
      }
    >
      <PullFailure pull={methods} title="Unable to fetch your payment methods" className="mb-6" />
      <List methods={methods} />
    </Page>
  )
}

function List({
  methods: { data, status },
}: {
  readonly methods: Shown<readonly StoredPaymentMethod[]>
}) {
  if (data === null)
    return status === 'failed' ? null : (
      <div role="status" aria-label="Loading your payment methods">
        <Skeleton className="h-24" />
      </div>
    )
  if (data.length === 0)
    return (
      <EmptyState icon={<CreditCard />} title="You don't have any stored payment methods yet.">
        One is stored when you subscribe.
      </EmptyState>
    )
  return (
    <ul className="flex flex-col gap-4">
      {data.map((method) => (
        <Method key={method._id} method={method} />
      ))}
    </ul>
  )
}

function Method({ method }: { readonly method: StoredPaymentMethod }) {
  const { provider, createdAt, isActive } = method
  return (
    <Card as="li" className="flex flex-wrap items-center justify-between gap-3">
      <div>
        <h2 className="text-lg font-semibold">{providerName(provider)}</h2>
        <p className="text-sm text-ink-muted">Added on {longDateWords(Date.parse(createdAt))}</p>
      </div>
      <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? 'Active' : 'Inactive'}</Badge>
    </Card>
  )
}

/** 'test' is the provider that moves no money. */
function providerName(provider: string): string {
  return provider === 'test' ? 'Test payment (no money moves)' : provider
}
