import { CalendarSync, Coins, ShieldCheck, type LucideIcon } from 'lucide-react'
import { tokens } from '#src/components/tokens/token-words.ts'
import { PLAN_PRICE_DOLLARS_PER_MONTH, SUBSCRIPTION_TOKENS_PER_MONTH } from '#spec/numbers.ts'
import { Card } from '#src/ui/Card.tsx'

interface Point {
  readonly Icon: LucideIcon
  readonly title: string
  readonly text: string
}

const MONTHLY_TOKENS = tokens(SUBSCRIPTION_TOKENS_PER_MONTH)

const POINTS: readonly Point[] = [
  {
    Icon: Coins,
    title: 'Monthly Token Delivery',
    text: `${MONTHLY_TOKENS} come to your wallet each month, and expire monthly.`,
  },
  {
    Icon: CalendarSync,
    title: 'Flexible Cancellation',
    text: 'Cancel anytime. Your subscription then stays active until the end of the month that you paid for.',
  },
  {
    Icon: ShieldCheck,
    title: 'Secure Payment',
    text: 'The payment provider takes your payment. Your card number never reaches us.',
  },
]

/** What is bought, beside the payment. */
export function SidePanel() {
  return (
    <Card as="section" labelledBy="plan">
      <h2 id="plan" className="text-lg font-semibold">
        Standard
      </h2>
      <p className="mt-1 text-2xl font-bold tabular-nums">
        {`$${PLAN_PRICE_DOLLARS_PER_MONTH.toFixed(2)} `}
        <span className="text-base font-medium text-ink-muted">each month</span>
      </p>
      <ul className="mt-6 flex flex-col gap-5">
        {POINTS.map(({ Icon, title, text }) => (
          <li key={title} className="flex gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <div>
              <h3 className="font-semibold">{title}</h3>
              <p className="text-[0.9375rem] text-ink-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
