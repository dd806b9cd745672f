import { Check } from 'lucide-react'
import { SUBSCRIPTION_TOKENS_PER_MONTH } from '#spec/numbers.ts'

const BENEFITS = [
  `${SUBSCRIPTION_TOKENS_PER_MONTH.toLocaleString('en-US')} monthly token credits that expire monthly`,
  'Unlimited video uploads',
  'Cancel anytime',
] as const

/** What a subscription gives. */
export function Benefits() {
  return (
    <ul className="inline-flex flex-col gap-2 text-left">
      {BENEFITS.map((benefit) => (
        <li key={benefit} className="flex items-start gap-2">
          <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
          {benefit}
        </li>
      ))}
    </ul>
  )
}
