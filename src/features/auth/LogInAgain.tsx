import { arrivalMessage } from './auth-problems.ts'
import { MailCard } from './MailCard.tsx'
import type { AuthScreenProps } from './SignUpScreen.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * Logging in again in the place of a screen whose session has ended. Leads nowhere: the screen
 * comes back by itself.
 */
export function LogInAgain({ redirectUri }: AuthScreenProps) {
  return (
    <MailCard
      purpose="login"
      title="Please log in again"
      notice={
        <Notice kind="warning" isLive>
          {arrivalMessage(new URLSearchParams({ message: 'session-ended' }))} Your unfinished
          uploads, and edits that were not sent yet, are kept on this device.
        </Notice>
      }
      redirectUri={redirectUri}
    />
  )
}
