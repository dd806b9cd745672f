import { useEffect, type ReactNode } from 'react'
import { CallBanner } from './CallBanner.tsx'
import { FormatsSection } from './FormatsSection.tsx'
import type { FrontPage } from './front-page.ts'
import { HeroSection } from './HeroSection.tsx'
import { PricingSection } from './PricingSection.tsx'
import { SpecialistSection } from './SpecialistSection.tsx'
import { TestimonialsSection } from './TestimonialsSection.tsx'
import { useLayOutSoon } from './use-lay-out-soon.ts'

const BODY_CLASS = 'landing-gradient'

/**
 * The sections of the front page, in the order of the specification. What depends on the server
 * comes from its facts; `instead` stands there while they are not known. Without the app, its
 * router and its queries: the page also stands alone, written by the server.
 */
export function LandingPage({
  facts,
  instead = null,
}: {
  readonly facts: FrontPage | null
  readonly instead?: ReactNode
}) {
  useEffect(() => {
    document.body.classList.add(BODY_CLASS)
    return () => document.body.classList.remove(BODY_CLASS)
  }, [])
  return (
    <>
      <HeroSection facts={facts} />
      {facts === null ? instead : <Sections facts={facts} />}
    </>
  )
}

function Sections({ facts }: { readonly facts: FrontPage }) {
  useLayOutSoon()
  const { isEnabled: isSold } = facts.payments
  return (
    <>
      <FormatsSection facts={facts} />
      <CallBanner
        id="elevate"
        look="scene"
        title="Ready to elevate your content?"
        button={isSold ? 'Start Your Free Trial' : 'Sign up'}
      >
        {isSold
          ? 'Your first edit is on us. See the result before you spend anything.'
          : 'Edits cost nothing here.'}
      </CallBanner>
      <TestimonialsSection testimonials={facts.testimonials} />
      <CallBanner id="ready" look="plain" title="Ready when you are" button="Try for free">
        Upload tonight, wake up to finished edits.
      </CallBanner>
      <PricingSection facts={facts} />
      <SpecialistSection figures={facts.figures} />
      <div className="pb-20 sm:pb-28">
        <CallBanner
          id="closing"
          look="night"
          title="Create more, edit less"
          button={isSold ? 'Start your free trial' : 'Sign up'}
        >
          Get your evenings back.
        </CallBanner>
      </div>
    </>
  )
}
