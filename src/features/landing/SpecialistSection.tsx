import { EyeOff, FileCheck2, MousePointerClick, Zap } from 'lucide-react'
import { audience, SHOWS_ADULT } from './audience.ts'
import type { FrontPage } from './front-page.ts'
import { SectionHeading } from './SectionHeading.tsx'
import {
  CLAIM_DELIVERY_HOURS,
  CLAIM_EDITS_DELIVERED,
  CLAIM_HOURS_RECLAIMED_PER_WEEK,
  CLAIM_YEARS_IN_INDUSTRY,
} from '#spec/numbers.ts'

/** The numbers of the specification: examples until the operator publishes their own. */
const EXAMPLES: NonNullable<FrontPage['figures']> = {
  editsDelivered: CLAIM_EDITS_DELIVERED,
  averageDeliveryHours: CLAIM_DELIVERY_HOURS,
  yearsInIndustry: CLAIM_YEARS_IN_INDUSTRY,
}

const claims = [
  {
    icon: MousePointerClick,
    title: 'One-click edits',
    text: `Choose and send. That gives back ${CLAIM_HOURS_RECLAIMED_PER_WEEK}+ hours weekly.`,
  },
  { icon: Zap, title: 'Same-day delivery', text: 'Most edits come back on the day you send them.' },
  {
    icon: FileCheck2,
    title: 'Full rights ownership',
    text: 'What you upload and what you get back stays yours.',
  },
  {
    icon: EyeOff,
    title: 'Privacy-first handling',
    text: 'Your videos are used for your edits and for nothing else.',
  },
] as const

/** Reasons to choose the product: three numbers and four sentences. */
export function SpecialistSection({ figures }: Pick<FrontPage, 'figures'>) {
  const shown = figures ?? EXAMPLES
  const stats = [
    { value: `${shown.editsDelivered.toLocaleString('en-US')}+`, label: 'edits delivered' },
    { value: `${shown.averageDeliveryHours}h`, label: 'average delivery' },
    { value: `${shown.yearsInIndustry}+`, label: 'years in the industry' },
  ]
  return (
    <section
      aria-labelledby="specialist"
      className="laid-out-late [--late-narrow:88rem] [--late-wide:32.4rem] mx-auto w-full max-w-content px-4 py-20 sm:px-6 sm:py-28 lg:px-8"
    >
      <SectionHeading id="specialist" title="Your industry specialist">
        Built for {audience(SHOWS_ADULT)} and the people who edit for them.
      </SectionHeading>
      <dl className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-3">
        {stats.map((stat) => (
          <div key={stat.label} className="flex flex-col-reverse bg-surface px-6 py-9 text-center">
            <dt className="mt-1 text-ink-muted">{stat.label}</dt>
            <dd className="text-gradient-accent text-5xl font-bold tracking-tight">{stat.value}</dd>
          </div>
        ))}
      </dl>
      {figures === null ? (
        <p className="mt-4 text-center text-sm text-ink-faint">
          Example figures: this server has published none of its own yet.
        </p>
      ) : null}
      <ul className="mt-12 grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {claims.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <span
              aria-hidden
              className="grid size-11 place-items-center rounded-xl bg-accent-soft text-accent"
            >
              <Icon className="size-5.5" />
            </span>
            <h3 className="mt-4 text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-ink-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
