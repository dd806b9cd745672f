import { LegalDocument } from '#src/components/legal/LegalDocument.tsx'
import { paths } from '#src/config/paths.ts'
import { TERMS_OF_USE } from './terms-of-use.ts'

/** `/terms-of-use`: the contract about the service, its prices and the rights of consumers. */
export function TermsOfUseScreen() {
  return (
    <LegalDocument
      title="Terms of Use"
      lead="What you and Onecut owe each other when you use the service and buy tokens."
      robots="index, follow"
      sections={TERMS_OF_USE}
      related={[
        { to: paths.privacyPolicy, title: 'Privacy Policy' },
        { to: paths.termsAndConditions, title: 'Terms and Conditions' },
        { to: paths.referralTerms, title: 'Referral Terms' },
      ]}
    />
  )
}
