import { SIGN_UP_WORDS } from './sign-up-words.tsx'
import type { ReferralBox } from './use-referral-box.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { referralCodeReadAs } from '#src/components/account/read-referral-code.ts'
import { paths } from '#src/config/paths.ts'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { TextField } from '#src/ui/TextField.tsx'

/** The referral code of the sign-up: closed until wanted, or until a link has brought a code. */
export function ReferralField({ box }: { readonly box: ReferralBox }) {
  const { text, check, isExpanded, change, setExpanded, validate } = box
  const hint = hintOf(check) ?? referralCodeReadAs(text)
  return (
    <Disclosure
      title={SIGN_UP_WORDS.referral}
      isExpanded={isExpanded}
      onExpandedChange={setExpanded}
    >
      <div className="flex flex-wrap items-start gap-2 pt-1 pb-2">
        <TextField
          label="Referral code"
          isLabelHidden
          name="referralCode"
          autoComplete="off"
          value={text}
          onChange={change}
          isReadOnly={check.kind === 'redeemed'}
          error={errorOf(check)}
          {...(hint === null ? {} : { hint })}
          className="min-w-0 flex-1"
        />
        {check.kind === 'redeemed' ? null : (
          <SendButton
            sends="GET /v1/payments/referral-codes/{code}/validate"
            variant="secondary"
            onPress={validate}
            isBusy={check.kind === 'running'}
          >
            Validate
          </SendButton>
        )}
      </div>
      <p className="pb-2 text-sm text-ink-muted">
        By using a code you confirm that you are at least 18 years old and accept the{' '}
        <TextLink to={paths.referralTerms}>referral terms</TextLink>.
      </p>
    </Disclosure>
  )
}

function hintOf({ kind }: ReferralBox['check']): string | null {
  switch (kind) {
    case 'valid':
      return 'Valid referral code'
    case 'redeemed':
      return 'Redeemed referral code'
    case 'none':
    case 'blank':
    case 'running':
    case 'invalid':
    case 'unknown':
      return null
  }
}

function errorOf(check: ReferralBox['check']): string | null {
  switch (check.kind) {
    case 'blank':
      return 'Please enter a referral code'
    case 'invalid':
      return 'Invalid referral code'
    case 'unknown':
      return check.message
    case 'none':
    case 'running':
    case 'valid':
    case 'redeemed':
      return null
  }
}
