import { paths } from '#src/config/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ADULT_AGE_YEARS, WITHDRAWAL_DAYS } from '#spec/numbers.ts'

/** What a person accepts by signing up, beside the button. New tabs keep what is typed. */
export function AcceptTermsOfSignUp() {
  return (
    <p className="text-sm text-ink-muted">
      {`By signing up you confirm that you are at least ${ADULT_AGE_YEARS} years old and accept the `}
      <TextLink to={paths.termsOfUse} isNewTab>
        Terms of Use
      </TextLink>
      . The{' '}
      <TextLink to={paths.privacyPolicy} isNewTab>
        Privacy Policy
      </TextLink>
      {' says what we keep about you, the '}
      <TextLink to={paths.contentPolicy} isNewTab>
        Content Policy
      </TextLink>
      {' which videos may be edited.'}
    </p>
  )
}

/** What a person accepts by paying, beside the payment. New tabs leave the payment open. */
export function AcceptTermsOfPayment() {
  return (
    <p className="text-sm text-ink-muted">
      {'By paying you accept the '}
      <TextLink to={paths.termsOfUse} isNewTab>
        Terms of Use
      </TextLink>
      {` and the `}
      <TextLink to={paths.termsAndConditions} isNewTab>
        Terms and Conditions
      </TextLink>
      {`. Unused tokens can be given back within ${WITHDRAWAL_DAYS} days; the `}
      <TextLink to={paths.privacyPolicy} isNewTab>
        Privacy Policy
      </TextLink>
      {' says what we keep of a payment, and the '}
      <TextLink to={paths.contentPolicy} isNewTab>
        Content Policy
      </TextLink>
      {' which videos may be edited.'}
    </p>
  )
}
