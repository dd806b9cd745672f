import { AuthCard } from './AuthCard.tsx'
import { HumanBox } from './HumanBox.tsx'
import { SIGN_UP_WORDS } from './sign-up-words.tsx'
import { AcceptTermsOfSignUp } from '#src/components/legal/AcceptTerms.tsx'
import { env } from '#src/config/env.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { classNames } from '#src/ui/class-names.ts'
import { inputLook, labelLook } from '#src/ui/field-look.ts'

/** The look of `SignUpScreen` before the app has started: nothing can be typed or sent yet. */
export function SignUpShell() {
  const { title, lead, footer, submit, referral } = SIGN_UP_WORDS
  return (
    <AuthCard title={title} lead={lead} footer={footer}>
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-1.5">
          <span className={labelLook}>E-mail</span>
          <span className={classNames(inputLook, 'block')} />
        </div>
        <HumanBox check={null} state={{ kind: 'idle' }} />
        {env.paymentsEnabled ? (
          <span className="flex min-h-11 items-center font-semibold">{referral}</span>
        ) : null}
        <AcceptTermsOfSignUp />
        <button type="button" disabled data-disabled className={buttonLook('primary', 'large')}>
          {submit}
        </button>
      </div>
    </AuthCard>
  )
}
