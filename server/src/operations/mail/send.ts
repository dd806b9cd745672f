import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Ctx, TxCtx } from '#server/context.ts'
import type { MailRow } from '#server/db/rows.ts'
import { mails } from '#server/db/schema.ts'
import { withSupport } from '#server/mail/mail-page.ts'
import type { OutgoingMail } from '#server/mail/port.ts'

/**
 * Stores a mail and queues its delivery in the caller's transaction: a rolled-back transaction
 * sends nothing. The mail ends with the operator's address for questions. Returns the row's id.
 */
export async function queueMail(ctx: TxCtx, written: OutgoingMail): Promise<string> {
  const mail = withSupport(written, ctx.settings.supportMail)
  const id = ctx.newId()
  await ctx.db.insert(mails).values({
    id,
    recipient: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    unsubscribeUrl: mail.unsubscribeUrl ?? null,
    createdAt: ctx.clock(),
  })
  await ctx.queue.enqueue(ctx.db, 'send-mail', { mailId: id })
  return id
}

/**
 * Delivers a queued mail; does nothing when it is already sent or gone. A crash between delivery
 * and the mark sends it a second time, which is the better of the two mistakes. Once a mail server
 * has the mail, its text is deleted here: sign-in mails carry links that must not turn up in a
 * backup.
 */
export async function deliverMail(
  ctx: Ctx,
  { mailId }: { readonly mailId: string },
): Promise<void> {
  const [mail] = await ctx.db
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), isNull(mails.sentAt)))
  if (mail === undefined) return
  await ctx.mailer.deliver({
    to: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    unsubscribeUrl: mail.unsubscribeUrl,
  })
  const forgotten = ctx.mailer.mode === 'smtp' ? { text: '', html: '', unsubscribeUrl: null } : {}
  await ctx.db
    .update(mails)
    .set({ sentAt: ctx.clock(), ...forgotten })
    .where(eq(mails.id, mailId))
}

/** The newest mails, newest first, for the local mailbox. */
export async function listMails(
  ctx: Pick<Ctx, 'db'>,
  { limit }: { readonly limit: number },
): Promise<MailRow[]> {
  return await ctx.db
    .select()
    .from(mails)
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit)
}
