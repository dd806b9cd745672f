import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema.ts'
import type { MailTo } from '#server/mail/payment-mails.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import { queueMail } from '#server/operations/mail/send.ts'
import type { SessionFacts } from '#server/payments/port.ts'

/** A page that waits for a payment promises a mail after this time. */
const WAITED_FOR_MS = 2 * 60_000

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

/** True when a paid session is booked later than the page promises. */
export function isLate(
  { payment, createdAt }: Pick<CheckoutRow, 'payment' | 'createdAt'>,
  { paid }: Pick<SessionFacts, 'paid'>,
  now: Date,
): boolean {
  // From a payment that was pending, the wait began when the person was done, or later.
  const since = payment === 'pending' ? createdAt : (paid?.paidAt ?? now)
  return now.getTime() - since.getTime() > WAITED_FOR_MS
}
