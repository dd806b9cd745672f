import { Mailbox, MailCheck } from 'lucide-react'
import { CodeForm } from './CodeForm.tsx'
import { Button } from '#src/ui/Button.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

export interface CheckMailProps {
  readonly email: string
  /** The specified sentence. */
  readonly text: string
  /** Where mails can be read when none are sent; null on servers that send them. */
  readonly mailboxUrl: string | null
  readonly onAgain: () => void
}

/**
 * After asking for a mail: what to do now, and the six digits for people who stay on this
 * page.
 */
export function CheckMail({ email, text, mailboxUrl, onAgain }: CheckMailProps) {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col items-center gap-4 text-center">
        <span
          aria-hidden
          className="grid size-16 place-items-center rounded-2xl bg-accent-soft text-accent"
        >
          <MailCheck className="size-8" />
        </span>
        <p role="status" className="text-lg font-semibold">
          {text}
        </p>
        <p className="text-ink-muted">
          Sent to <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>. The
          link and the code work for 10 minutes.
        </p>
      </div>
      {mailboxUrl === null ? null : (
        <LinkButton to={mailboxUrl} variant="secondary" isNewTab isDocument>
          <Mailbox aria-hidden className="size-5" />
          Open the local mailbox
        </LinkButton>
      )}
      <CodeForm email={email} />
      <Button variant="quiet" onPress={onAgain}>
        Use another address or send the email again
      </Button>
    </div>
  )
}
