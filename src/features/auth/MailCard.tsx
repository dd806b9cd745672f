import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { forgetAskedMail, keepAskedMail, readAskedMail } from './asked-mail.ts'
import type { Purpose } from './auth-calls.ts'
import { AuthCard } from './AuthCard.tsx'
import { CheckMail } from './CheckMail.tsx'
import { EmailForm } from './EmailForm.tsx'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { SIGN_UP_WORDS } from './sign-up-words.tsx'
import { passkeySupport } from '#src/hooks/account/authenticator.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'

export interface MailCardProps {
  readonly purpose: Purpose
  readonly title: string
  /** Under the title, and over the form; both only until the mail is sent. */
  readonly lead?: string
  readonly notice?: ReactNode
  readonly footer?: ReactNode
  /** Where the mail's link leads. */
  readonly redirectUri: string
  /** Of a sign-up; null for none. */
  readonly referralCode?: string | null
  /** Between verification and button. */
  readonly children?: ReactNode
}

const WORDS = {
  signup: {
    submit: SIGN_UP_WORDS.submit,
    sent: 'Please check your email for a confirmation link (check spam)',
  },
  login: { submit: 'Log In', sent: 'Please check your email for a login link (check spam)' },
} as const

/** Asks for an address, and once the mail is sent, for its code. */
export function MailCard({
  purpose,
  title,
  lead,
  notice,
  footer,
  redirectUri,
  referralCode = null,
  children,
}: MailCardProps) {
  const capabilities = useCapabilities().data
  const { sentTo, send, again } = useSentTo(purpose)
  if (sentTo !== null)
    return (
      <AuthCard title="Check your email" footer={footer}>
        <CheckMail
          email={sentTo}
          text={WORDS[purpose].sent}
          mail={capabilities?.mail ?? null}
          onAgain={again}
        />
      </AuthCard>
    )
  return (
    <AuthCard title={title} footer={footer} {...(lead === undefined ? {} : { lead })}>
      <div className="flex flex-col gap-5">
        {notice}
        <EmailForm
          purpose={purpose}
          submitText={WORDS[purpose].submit}
          siteKey={capabilities?.humanVerification.siteKey ?? null}
          redirectUri={redirectUri}
          referralCode={referralCode}
          onSent={send}
        >
          {children}
        </EmailForm>
        {purpose === 'login' && passkeySupport() === 'here' ? <PasskeySignIn /> : null}
      </div>
    </AuthCard>
  )
}

/** The address that a mail was sent to; a reload of the tab keeps it while the code works. */
function useSentTo(purpose: Purpose) {
  const { session, clock } = useLocal()
  const [sentTo, setSentTo] = useState(
    () => readAskedMail(sessionStorage, purpose, clock.now())?.email ?? null,
  )
  useEffect(
    () => () => {
      // Signed in: the code is used up.
      if (session.current().kind === 'signed-in') forgetAskedMail(sessionStorage)
    },
    [session],
  )
  return {
    sentTo,
    send: (email: string) => {
      keepAskedMail(sessionStorage, { purpose, email, askedAtEpochMs: clock.now() })
      setSentTo(email)
    },
    again: () => {
      forgetAskedMail(sessionStorage)
      setSentTo(null)
    },
  }
}
