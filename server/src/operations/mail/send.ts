import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { mails } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import type { OutgoingMail } from '#server/mail/port.ts'

/**
 * Writes a mail down and asks for its delivery as part of `tx`: a rolled-back transaction sends
 * nothing. Returns the row's id.
 */
export async function queueMail(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'newId' | 'queue'>,
  mail: OutgoingMail,
): Promise<string> {
  const id = deps.newId()
  await tx.insert(mails).values({
    id,
    recipient: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    createdAt: deps.clock(),
  })
  await deps.queue.enqueue(tx, 'send-mail', { mailId: id })
  return id
}

/**
 * Delivers a queued mail; one that is already sent or gone is left alone. A crash between delivery
 * and the mark sends it a second time, which is the better of the two mistakes. Once a mail server
 * has it, only the fact that it was sent stays: sign-in mails carry links that nobody should find
 * in a backup.
 */
export async function deliverMail(
  deps: Pick<Deps, 'db' | 'clock' | 'mailer'>,
  mailId: string,
): Promise<void> {
  const [mail] = await deps.db
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), isNull(mails.sentAt)))
  if (mail === undefined) return
  await deps.mailer.deliver({
    to: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
  })
  const forgotten = deps.mailer.mode === 'smtp' ? { text: '', html: '' } : {}
  await deps.db
    .update(mails)
    .set({ sentAt: deps.clock(), ...forgotten })
    .where(eq(mails.id, mailId))
}
