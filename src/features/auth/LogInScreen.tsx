import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { arrivalMessage } from './auth-problems.ts'
import { AuthCard } from './AuthCard.tsx'
import { CheckMail } from './CheckMail.tsx'
import { EmailForm } from './EmailForm.tsx'
import type { AuthScreenProps } from './SignUpScreen.tsx'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** `/login` */
export function LogInScreen({ redirectUri }: AuthScreenProps) {
  const capabilities = useCapabilities().data
  const [query] = useSearchParams()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const arrival = arrivalMessage(query)
  return (
    <AuthCard
      title={sentTo === null ? 'Log In to the product' : 'Check your email'}
      footer={<TextLink to={paths.signUp}>Not a member? Sign Up for Free</TextLink>}
    >
      {sentTo === null ? (
        <div className="flex flex-col gap-5">
          {arrival === null ? null : <Notice kind="warning">{arrival}</Notice>}
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
