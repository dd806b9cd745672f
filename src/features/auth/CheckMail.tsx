import { Mailbox, MailCheck } from 'lucide-react'
import { CodeForm } from './CodeForm.tsx'
import type { FactValues } from '#src/local/db/facts.ts'
import { Button } from '#src/ui/Button.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

export interface CheckMailProps {
  readonly email: string
  /** The specified sentence. */
  readonly text: string
  /** How this server delivers mail; null while that is not known. */
  readonly mail: FactValues['capabilities']['mail'] | null
  readonly onAgain: () => void
}

/**
 * After asking for a mail: what to do now, and the six digits for people who stay on this
 * page.
 */
export function CheckMail({ email, text, mail, onAgain }: CheckMailProps) {
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
      {mail?.mode === 'local-mailbox' ? <LocalMailbox url={mail.localMailboxUrl} /> : null}
      <CodeForm email={email} />
      <Button variant="quiet" onPress={onAgain}>
        Use another address or send the email again
      </Button>
    </div>
  )
}

/** A server that sends no mail shows it only to a browser that has opened its printed address. */
function LocalMailbox({ url }: { readonly url: string | null }) {
  if (url === null)
    return (
      <p className="text-center text-ink-muted">
        This server sends no mail. The terminal that started it says where to read it.
      </p>
    )
  return (
    <LinkButton to={url} variant="secondary" isNewTab isDocument>
      <Mailbox aria-hidden className="size-5" />
      Open the local mailbox
    </LinkButton>
  )
}
