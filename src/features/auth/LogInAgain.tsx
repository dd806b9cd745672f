import { useState } from 'react'
import { arrivalMessage } from './auth-problems.ts'
import { AuthCard } from './AuthCard.tsx'
import { CheckMail } from './CheckMail.tsx'
import { EmailForm } from './EmailForm.tsx'
import type { AuthScreenProps } from './SignUpScreen.tsx'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * Logging in again in the place of a screen whose session has ended. Leads nowhere: the screen
 * comes back by itself.
 */
export function LogInAgain({ redirectUri }: AuthScreenProps) {
  const capabilities = useCapabilities().data
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <AuthCard title={sentTo === null ? 'Please log in again' : 'Check your email'}>
      {sentTo === null ? (
        <div className="flex flex-col gap-5">
          <Notice kind="warning" isLive>
            {arrivalMessage(new URLSearchParams({ message: 'session-ended' }))} Your unfinished
            uploads are kept.
          </Notice>
          <EmailForm
            purpose="login"
            submitText="Log In"
            siteKey={capabilities?.humanVerification.siteKey ?? null}
            redirectUri={redirectUri}
            onSent={setSentTo}
          />
        </div>
      ) : (
        <CheckMail
          email={sentTo}
          text="Please check your email for a login link (check spam)"
          mailboxUrl={capabilities?.mail.localMailboxUrl ?? null}
          onAgain={() => setSentTo(null)}
        />
      )}
    </AuthCard>
  )
}
