import { Check } from 'lucide-react'
import { freeEditHint } from './format-cards.ts'
import type { FrontPage } from './front-page.ts'
import { SectionHeading } from './SectionHeading.tsx'
import { SignUpLink } from './SignUpLink.tsx'
import {
  FREE_TRIAL_DAYS,
  FREE_TRIAL_EDITS,
  PLAN_PRICE_DOLLARS_PER_MONTH,
  SUBSCRIPTION_TOKENS_PER_MONTH,
  WELCOME_TOKENS,
} from '#spec/numbers.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'

const SECTION =
  'laid-out-late [--late-narrow:79.6rem] [--late-wide:41.4rem] mx-auto w-full max-w-content px-4 py-20 sm:px-6 sm:py-28 lg:px-8'

/** The one plan and its trial; where nothing is sold, that. */
export function PricingSection({ facts }: { readonly facts: FrontPage }) {
  if (!facts.payments.isEnabled) return <NothingSold />
  return (
    <section aria-labelledby="pricing" className={SECTION}>
      <SectionHeading id="pricing" title="One Simple Plan">
        No tiers to compare. Try it first, then decide.
      </SectionHeading>
      <Card isFlush className="relative mx-auto max-w-4xl overflow-hidden shadow-2">
        <div className="grid md:grid-cols-2">
          <Plan formats={facts.formats.map(({ name }) => name)} />
          <Trial facts={facts} />
        </div>
      </Card>
    </section>
  )
}

function Plan({ formats }: { readonly formats: readonly string[] }) {
  const points = [
    `${SUBSCRIPTION_TOKENS_PER_MONTH.toLocaleString('en-US')} tokens per month that expire monthly`,
    'Extra tokens purchasable any time',
    'Monthly billing, cancel anytime',
  ]
  return (
    <div className="flex flex-col p-8 sm:p-10">
      <h3 className="text-lg font-semibold text-accent">Creator Plan</h3>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-2">
        <span className="text-6xl font-bold tracking-tight">${PLAN_PRICE_DOLLARS_PER_MONTH}</span>
        <span className="text-ink-muted">per month</span>
      </p>
      <ul className="mt-8 grid gap-3.5">
        {points.map((point) => (
          <Point key={point}>{point}</Point>
        ))}
        {formats.length === 0 ? null : (
          <Point detail={`Today ${formats.length}: ${formats.join(', ')}.`}>
            All formats included
          </Point>
        )}
      </ul>
    </div>
  )
}

function Point({ children, detail }: { readonly children: string; readonly detail?: string }) {
  return (
    <li className="flex gap-3">
      <Check aria-hidden className="mt-1 size-4.5 shrink-0 text-good" strokeWidth={3} />
      <div className="min-w-0">
        <p>{children}</p>
        {detail === undefined ? null : <p className="mt-1 text-sm text-ink-muted">{detail}</p>}
      </div>
    </li>
  )
}

function Trial({ facts }: { readonly facts: FrontPage }) {
  const hint = freeEditHint(facts, WELCOME_TOKENS)
  return (
    <div className="flex flex-col justify-center gap-4 border-t border-line bg-accent-soft p-8 sm:p-10 md:border-t-0 md:border-l">
      <div>
        <Badge tone="accent">Free trial</Badge>
      </div>
      <p className="text-2xl font-semibold">
        {FREE_TRIAL_EDITS} free edit within {FREE_TRIAL_DAYS} days
      </p>
      <p className="text-ink-muted">
        No commitment and no credit card. Your {WELCOME_TOKENS.toLocaleString('en-US')} free tokens
        are there as soon as you sign up. {hint}
      </p>
      <SignUpLink className="mt-2">Start your free trial</SignUpLink>
    </div>
  )
}

function NothingSold() {
  return (
    <section aria-labelledby="pricing" className={SECTION}>
      <SectionHeading id="pricing" title="Nothing to pay">
        Edits cost nothing on this server: no plan, no tokens, no credit card.
      </SectionHeading>
      <p className="text-center">
        <SignUpLink>Sign up</SignUpLink>
      </p>
    </section>
  )
}
