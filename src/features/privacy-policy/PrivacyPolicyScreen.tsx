import { LegalDocument } from '#src/components/legal/LegalDocument.tsx'
import { paths } from '#src/config/paths.ts'
import { PRIVACY_POLICY } from './privacy-policy.ts'

/** `/privacy-policy`: which data is kept, why, how long, and what a person can ask for. */
export function PrivacyPolicyScreen() {
  return (
    <LegalDocument
      title="Privacy Policy"
      lead="Which data Onecut keeps about you and your videos, why, how long, and what you can ask for."
      robots="noindex, nofollow"
      sections={PRIVACY_POLICY}
      related={[
        { to: paths.termsOfUse, title: 'Terms of Use' },
        { to: paths.termsAndConditions, title: 'Terms and Conditions' },
      ]}
    />
  )
}
