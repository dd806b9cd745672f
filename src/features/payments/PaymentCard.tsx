import { paymentStanding } from './payment-standing.ts'
import { Withdrawal } from './Withdrawal.tsx'
import { ReceiptLink } from '#src/components/order/ReceiptLink.tsx'
import { longDateWords } from '#src/lib/time-words.ts'
import { moneyWords, tokens } from '#src/components/tokens/token-words.ts'
import { paths } from '#src/config/paths.ts'
import type { Payment } from '#src/local/nouns/payments.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** One payment: when, how much, for what, how it stands, and what can be done with it. */
export function PaymentCard({ payment }: { readonly payment: Payment }) {
  const { _id, paidAt, amountCents, taxCents, currency, coinAmount, receiptNumber } = payment
  const { label, tone, meaning } = paymentStanding(payment)
  const target = targetOf(payment)
  return (
    <Card as="li" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold tabular-nums">
            {`${moneyWords(amountCents, currency)} for ${tokens(coinAmount)}`}
          </h2>
          <p className="text-sm text-ink-muted tabular-nums">
            {[
              longDateWords(Date.parse(paidAt)),
              payment.kind === 'subscription' ? 'Monthly tokens' : 'Tokens',
              ...(taxCents > 0 ? [`${moneyWords(taxCents, currency)} tax included`] : []),
              `Receipt ${receiptNumber}`,
            ].join(' · ')}
          </p>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {meaning === null ? null : <p className="text-[0.9375rem] text-ink-muted">{meaning}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ReceiptLink of="payments" id={_id} number={receiptNumber} size="small" />
        <Withdrawal payment={payment} />
        <TextLink to={target.to} className="text-sm pointer-coarse:py-3">
          {target.label}
        </TextLink>
      </div>
    </Card>
  )
}

/** Where the tokens of a payment are, or what they paid. */
function targetOf({ orderId, walletSubscriptionId }: Payment): {
  readonly to: string
  readonly label: string
} {
  if (orderId !== null) return { to: paths.uploadCheckout(orderId), label: 'View order' }
  return walletSubscriptionId === null
    ? { to: paths.wallets, label: 'View wallet' }
    : { to: paths.subscription(walletSubscriptionId), label: 'View subscription' }
}
