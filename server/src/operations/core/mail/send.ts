import { and, between, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { MailRow } from '#server/db/rows.ts'
import { mails, users } from '#server/db/schema.ts'
import { discreetMail } from '#server/mail/discreet.ts'
import { withSupport } from '#server/mail/mail-page.ts'
import type { OutgoingMail } from '#server/mail/port.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** All tries of one message are over by then (consumers/start.ts). */
const TRIES_LAST_S = 600

/**
 * Stores a mail and queues its delivery in the caller's transaction: a rolled-back transaction
 * sends nothing. The mail ends with the operator's address for questions, and is neutral where its
 * reader chose that ([Note: discreet] in mail/discreet.ts). Returns the row's id.
 */
export async function queueMail(ctx: TxCtx, written: OutgoingMail): Promise<string> {
  const [reader] = await ctx.db
    .select({ discreet: users.discreet })
    .from(users)
    .where(eq(users.email, written.to))
  const mail = withSupport(
    reader?.discreet === true ? discreetMail(written) : written,
    ctx.settings.supportMail,
  )
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
 * Delivers a queued mail; does nothing when it is already sent or gone. Once a mail server has the
 * mail, its text is deleted here: sign-in mails carry links that must not turn up in a backup.
 *
 * [Note: one mail] No mail server says whether it has had a mail before. So a crash between its
 * yes and our mark must either lose the mail or repeat it. This repeats it, with the Message-ID of
 * the first, by which mailboxes show one. In every other step there is one sending: the row is
 * locked meanwhile, and PostgreSQL gives the lock back when its process dies. A second delivery of
 * the same mail throws, so that its message is tried again.
 */
export async function deliverMail(
  ctx: Ctx,
  { mailId }: { readonly mailId: string },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const [mail] = await ctx.db
      .select()
      .from(mails)
      .where(and(eq(mails.id, mailId), isNull(mails.sentAt)))
      .for('update', { noWait: true })
    if (mail === undefined) return
    await ctx.mailer.deliver({
      id: mail.id,
      writtenAt: mail.createdAt,
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
  })
}

/**
 * Queues notices again that no mail server has taken within minutes: their message is used up, by
 * an outage or by crashes. For a day, one message in ten minutes. Not sign-in mails: a late link is
 * dead, and who waits for it asks again.
 */
export async function requeueNotices(ctx: Ctx): Promise<void> {
  const now = ctx.clock().getTime()
  const unsent = await ctx.db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        isNull(mails.sentAt),
        isNotNull(mails.unsubscribeUrl),
        between(mails.createdAt, new Date(now - DAY_MS), new Date(now - TRIES_LAST_S * 1000)),
      ),
    )
  const options = { atMostEveryS: TRIES_LAST_S }
  for (const { id: mailId } of unsent)
    await inTransaction(ctx, async ({ db, queue }) => {
      await queue.enqueue(db, 'send-mail', { mailId }, { singletonKey: mailId, ...options })
    })
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
