import { CLAIM_HOURS_RECLAIMED_PER_WEEK, WELCOME_TOKENS } from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'

/** What the sign-up page says, with the app and before it. */
export const SIGN_UP_WORDS = {
  title: 'Create your account',
  lead: `Reclaim ${CLAIM_HOURS_RECLAIMED_PER_WEEK}+ hours weekly with one-click editing for adult creators`,
  submit: `Sign up & get ${WELCOME_TOKENS.toLocaleString('en-US')} tokens`,
  referral: 'Do you have a referral code?',
  footer: (
    <>
      Already a member? <TextLink to={paths.logIn}>Log in</TextLink>
    </>
  ),
} as const
