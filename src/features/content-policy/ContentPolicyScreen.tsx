import { LegalDocument } from '#src/components/legal/LegalDocument.tsx'
import { paths } from '#src/config/paths.ts'
import { CONTENT_POLICY } from './content-policy.ts'

/** `/content-policy`: which videos may be edited here, and what a report does. */
export function ContentPolicyScreen() {
  return (
    <LegalDocument
      title="Content Policy"
      lead="Which videos may be edited here, and what happens when a person reports one."
      robots="index, follow"
      sections={CONTENT_POLICY}
      related={[
        { to: paths.report, title: 'Report a video' },
        { to: paths.termsOfUse, title: 'Terms of Use' },
        { to: paths.termsAndConditions, title: 'Terms and Conditions' },
      ]}
    />
  )
}
