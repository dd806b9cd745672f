import { ShieldCheck, Sparkles, Timer } from 'lucide-react'
import { audience, SHOWS_ADULT } from './audience.ts'
import type { FrontPage } from './front-page.ts'
import { HeroArt } from './HeroArt.tsx'
import { LoopVideo } from './LoopVideo.tsx'
import { SignUpLink } from './SignUpLink.tsx'
import { CLAIM_HOURS_RECLAIMED_PER_WEEK, FREE_TRIAL_DAYS, WELCOME_TOKENS } from '#spec/numbers.ts'

const promises = [
  { icon: Timer, text: 'Same-day delivery on most edits' },
  { icon: ShieldCheck, text: 'Privacy-first, you keep all rights' },
] as const

/** The first section: what the product is, over a looping background video. */
export function HeroSection({ facts }: { readonly facts: FrontPage | null }) {
  return (
    <section className="relative isolate overflow-hidden bg-[#0c0c18] text-white">
      <LoopVideo
        path="/landing/hero"
        poster="/landing/hero.webp"
        label="the background video"
        className="absolute inset-0 -z-20"
      />
      <div
        aria-hidden
        className="absolute inset-0 -z-10 bg-linear-to-t from-[#0c0c18] via-[#0c0c18]/65 to-[#0c0c18]/55"
      />
      <div className="mx-auto grid w-full max-w-content items-center gap-12 px-4 pt-12 pb-20 sm:px-6 sm:py-24 lg:grid-cols-[1.1fr_1fr] lg:px-8 lg:py-28">
        <div>
          <p className="mb-5 inline-flex items-center rounded-full border border-white/25 bg-black/30 px-3.5 py-1 text-sm font-medium">
            One-click video edits for {audience(SHOWS_ADULT)}
          </p>
          <h1 className="text-4xl leading-[1.08] font-bold sm:text-6xl">
            Spend Less Time Editing, More Time Living
          </h1>
          <p className="mt-6 max-w-xl text-lg text-white/90 sm:text-xl">
            Upload a video, pick the formats, download finished edits. Creators reclaim{' '}
            {CLAIM_HOURS_RECLAIMED_PER_WEEK}+ hours weekly.
          </p>
          <div className="mt-8">
            <SignUpLink>Get Your First Edit Free</SignUpLink>
            <p className="mt-3 min-h-6 text-sm text-white/90">{freeWords(facts)}</p>
          </div>
          <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-3 text-sm text-white/90">
            {[freePromise(facts), ...promises].map(({ icon: Icon, text }) => (
              <li key={text} className="flex items-center gap-2">
                <Icon aria-hidden className="size-4.5 text-[#b9b2ff]" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <HeroArt facts={facts} />
      </div>
    </section>
  )
}

/** More is promised where nothing is sold. */
function freePromise(facts: FrontPage | null) {
  const isSold = facts?.payments.isEnabled ?? true
  return { icon: Sparkles, text: isSold ? 'First edit free' : 'Every edit free' }
}

/** What makes the first edit free here. */
function freeWords(facts: FrontPage | null): string {
  if (facts === null) return ''
  return facts.payments.isEnabled
    ? `${WELCOME_TOKENS.toLocaleString('en-US')} free tokens for ${FREE_TRIAL_DAYS} days, no credit card.`
    : 'Edits cost nothing on this server.'
}
