import { Check } from 'lucide-react'
import { SectionHeading } from './SectionHeading.tsx'
import {
  FREE_TRIAL_DAYS,
  FREE_TRIAL_EDITS,
  PLAN_PRICE_DOLLARS_PER_MONTH,
  SUBSCRIPTION_TOKENS_PER_MONTH,
} from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

const points = [
  `${SUBSCRIPTION_TOKENS_PER_MONTH.toLocaleString('en-US')} tokens per month that expire monthly`,
  'Extra tokens purchasable any time',
  'All formats included',
  'Monthly billing, cancel anytime',
] as const

/** The one plan and its trial. */
export function PricingSection() {
  return (
    <section
      aria-labelledby="pricing"
      className="mx-auto w-full max-w-content px-4 py-20 sm:px-6 sm:py-28 lg:px-8"
    >
      <SectionHeading id="pricing" title="One Simple Plan">
        No tiers to compare. Try it first, then decide.
      </SectionHeading>
      <Card isFlush className="relative mx-auto max-w-3xl overflow-hidden shadow-2">
        <div className="grid md:grid-cols-2">
          <div className="flex flex-col p-8 sm:p-10">
            <h3 className="text-lg font-semibold text-accent">Creator Plan</h3>
            <p className="mt-3 flex items-baseline gap-2">
              <span className="text-6xl font-bold tracking-tight">
                ${PLAN_PRICE_DOLLARS_PER_MONTH}
              </span>
              <span className="text-ink-muted">per month</span>
            </p>
            <ul className="mt-8 grid gap-3.5">
              {points.map((point) => (
                <li key={point} className="flex gap-3">
                  <Check aria-hidden className="mt-1 size-4.5 shrink-0 text-good" strokeWidth={3} />
                  {point}
                </li>
              ))}
            </ul>
          </div>
          <div className="flex flex-col justify-center gap-4 border-t border-line bg-accent-soft p-8 sm:p-10 md:border-t-0 md:border-l">
            <div>
              <Badge tone="accent">Free trial</Badge>
            </div>
            <p className="text-2xl font-semibold">
              {FREE_TRIAL_EDITS} free edit within {FREE_TRIAL_DAYS} days
            </p>
            <p className="text-ink-muted">
              No commitment and no credit card. Your free tokens are there as soon as you sign up.
            </p>
            <LinkButton to={paths.signUp} size="large" className="mt-2">
              Start your free trial
            </LinkButton>
          </div>
        </div>
      </Card>
    </section>
  )
}
