import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { users } from '#server/db/schema.ts'
import type { MailTo } from '#server/mail/payment-mails.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'

/**
 * Queues a mail about a payment to its owner. The caller changes, in the same transaction and under
 * the lock of the row that the mail is about, what made it due: so it is sent once. A deleted
 * account has no address any more.
 */
export async function mailOwner(
  ctx: TxCtx,
  { userId }: { readonly userId: string },
  write: (to: MailTo) => OutgoingMail,
): Promise<void> {
  const { email, deletedAt } = onlyRow(
    await ctx.db
      .select({ email: users.email, deletedAt: users.deletedAt })
      .from(users)
      .where(eq(users.id, userId)),
  )
  if (deletedAt !== null) return
  await queueMail(ctx, write({ to: email, origin: ctx.settings.publicOrigin }))
}
