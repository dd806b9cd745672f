import { MailCard } from './MailCard.tsx'
import { ReferralField } from './ReferralField.tsx'
import { SIGN_UP_WORDS } from './sign-up-words.tsx'
import { useReferralBox } from './use-referral-box.ts'
import { AcceptTermsOfSignUp } from '#src/components/legal/AcceptTerms.tsx'

export interface AuthScreenProps {
  /** Where the mail's link leads: the page that was wanted, else the profile page. */
  readonly redirectUri: string
}

/** `/signup` */
export function SignUpScreen({ redirectUri }: AuthScreenProps) {
  const referral = useReferralBox()
  return (
    <MailCard
      purpose="signup"
      title={SIGN_UP_WORDS.title}
      lead={SIGN_UP_WORDS.lead}
      footer={SIGN_UP_WORDS.footer}
      redirectUri={redirectUri}
      referralCode={referral?.code ?? null}
    >
      {referral === null ? null : <ReferralField box={referral} />}
      <AcceptTermsOfSignUp />
    </MailCard>
  )
}
