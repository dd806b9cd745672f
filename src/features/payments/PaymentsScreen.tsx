import { ReceiptText } from 'lucide-react'
import { PaymentCard } from './PaymentCard.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { paths } from '#src/config/paths.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { payments, type Payment } from '#src/local/nouns/payments.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** `/payments`: what was paid, what of it went back, and the receipts. */
export function PaymentsScreen() {
  const history = useNounList(payments)
  const isOnline = useOnline()
  return (
    <Page
      title="Your Payments"
      lead="What you paid, with receipts. Unused tokens can be given back within 14 days."
      actions={
        <LinkButton to={paths.wallets} variant="secondary">
          Your Wallet
        </LinkButton>
      }
    >
      <PullFailure pull={history} title="Unable to fetch your payments" className="mb-6" />
      {isOnline ? null : (
        <p className="mb-4 text-sm text-ink-muted">
          Receipts and giving tokens back need a connection.
        </p>
      )}
      <List history={history} />
    </Page>
  )
}

function List({ history: { data, status } }: { readonly history: Shown<readonly Payment[]> }) {
  if (data === null)
    return status === 'failed' ? null : (
      <div role="status" aria-label="Loading your payments" className="flex flex-col gap-4">
        <Skeleton className="h-32" />
        <Skeleton className="h-32" />
      </div>
    )
  if (data.length === 0)
    return (
      <EmptyState icon={<ReceiptText />} title="No Payments Yet">
        Tokens and subscriptions that you pay for are listed here.
      </EmptyState>
    )
  return (
    <ul className="flex flex-col gap-4">
      {data.map((payment) => (
        <PaymentCard key={payment._id} payment={payment} />
      ))}
    </ul>
  )
}
