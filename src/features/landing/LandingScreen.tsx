import { useEffect } from 'react'
import { CallBanner } from './CallBanner.tsx'
import { FormatsSection } from './FormatsSection.tsx'
import { HeroSection } from './HeroSection.tsx'
import { PricingSection } from './PricingSection.tsx'
import { SpecialistSection } from './SpecialistSection.tsx'
import { TestimonialsSection } from './TestimonialsSection.tsx'

const BODY_CLASS = 'landing-gradient'

/** The front page. Its sections follow the order of the specification. */
export function LandingScreen() {
  useEffect(() => {
    document.body.classList.add(BODY_CLASS)
    return () => document.body.classList.remove(BODY_CLASS)
  }, [])
  return (
    <>
      <title>Onecut · Spend Less Time Editing, More Time Living</title>
      <HeroSection />
      <FormatsSection />
      <CallBanner
        id="elevate"
        title="Ready to elevate your content?"
        button="Start Your Free Trial"
      >
        Your first edit is on us. See the result before you spend anything.
      </CallBanner>
      <TestimonialsSection />
      <CallBanner id="ready" title="Ready when you are" button="Try for free">
        Upload tonight, wake up to finished edits.
      </CallBanner>
      <PricingSection />
      <SpecialistSection />
      <div className="pb-20 sm:pb-28">
        <CallBanner id="closing" title="Create more, edit less" button="Start your free trial">
          Join the creators who got their evenings back.
        </CallBanner>
      </div>
    </>
  )
}
