import { MailCard } from './MailCard.tsx'
import { ReferralField } from './ReferralField.tsx'
import { useReferralBox } from './use-referral-box.ts'
import { CLAIM_HOURS_RECLAIMED_PER_WEEK } from '#spec/numbers.ts'
import { AcceptTermsOfSignUp } from '#src/components/legal/AcceptTerms.tsx'
import { paths } from '#src/config/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'

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
      title="Create your account"
      lead={`Reclaim ${CLAIM_HOURS_RECLAIMED_PER_WEEK}+ hours weekly with one-click editing for adult creators`}
      footer={
        <>
          Already a member? <TextLink to={paths.logIn}>Log in</TextLink>
        </>
      }
      redirectUri={redirectUri}
      referralCode={referral?.code ?? null}
    >
      {referral === null ? null : <ReferralField box={referral} />}
      <AcceptTermsOfSignUp />
    </MailCard>
  )
}
