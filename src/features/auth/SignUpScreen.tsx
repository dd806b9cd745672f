import { useState } from 'react'
import { AuthCard } from './AuthCard.tsx'
import { CheckMail } from './CheckMail.tsx'
import { EmailForm } from './EmailForm.tsx'
import { CLAIM_HOURS_RECLAIMED_PER_WEEK, WELCOME_TOKENS } from '#src/config/limits.ts'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { TextLink } from '#src/ui/TextLink.tsx'

export interface AuthScreenProps {
  /** Where the mail's link leads: the page that was wanted, else the profile page. */
  readonly redirectUri: string
}

/** `/signup` */
export function SignUpScreen({ redirectUri }: AuthScreenProps) {
  const capabilities = useCapabilities().data
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <AuthCard
      title={sentTo === null ? 'Create your account' : 'Check your email'}
      {...(sentTo === null
        ? {
            lead: `Reclaim ${CLAIM_HOURS_RECLAIMED_PER_WEEK}+ hours weekly with one-click editing for adult creators`,
          }
        : {})}
      footer={
        <>
          Already a member? <TextLink to={paths.logIn}>Log in</TextLink>
        </>
      }
    >
      {sentTo === null ? (
        <EmailForm
          purpose="signup"
          submitText={`Sign up & get ${WELCOME_TOKENS.toLocaleString('en-US')} tokens`}
          siteKey={capabilities?.humanVerification.siteKey ?? null}
          redirectUri={redirectUri}
          onSent={setSentTo}
        />
      ) : (
        <CheckMail
          email={sentTo}
          text="Please check your email for a confirmation link (check spam)"
          mailboxUrl={capabilities?.mail.localMailboxUrl ?? null}
          onAgain={() => setSentTo(null)}
        />
      )}
    </AuthCard>
  )
}
