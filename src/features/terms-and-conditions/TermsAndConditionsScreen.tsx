import { LegalDocument } from '#src/components/legal/LegalDocument.tsx'
import { paths } from '#src/config/paths.ts'
import { TERMS_AND_CONDITIONS } from './terms-and-conditions.ts'

/** `/terms-and-conditions`: the rules for accounts, videos and what may be uploaded. */
export function TermsAndConditionsScreen() {
  return (
    <LegalDocument
      title="Terms and Conditions"
      lead="The rules for businesses that use the service: accounts, videos, and what may be uploaded."
      robots="noindex, nofollow"
      sections={TERMS_AND_CONDITIONS}
      related={[
        { to: paths.termsOfUse, title: 'Terms of Use' },
        { to: paths.privacyPolicy, title: 'Privacy Policy' },
      ]}
    />
  )
}
