import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { payments } from '#server/db/schema.ts'
import type { MailTo, PaidWords } from '#server/mail/payment-mails.ts'
import type { OutgoingMail } from '#server/mail/port.ts'
import type { PaidFacts } from '#server/payments/port.ts'
import { mailOwner } from './mail.ts'
import { nextReceiptNumber } from '#server/operations/core/ledger/receipt-number.ts'

/** A payment of one person and what was credited for it. */
interface PaymentToStore extends PaidFacts {
  readonly userId: string
  readonly checkoutSessionId: string
  readonly walletSubscriptionId: string | null
  /** The lot that was credited for it. */
  readonly walletTransactionId: string
  readonly coinAmount: number
}

/**
 * Stores a payment that arrived, once, with its receipt number, and queues the mail about it in the
 * same transaction. The caller holds the lock of the checkout session, and takes no other lock
 * after this.
 */
export async function storePayment(
  ctx: TxCtx,
  { paymentId, ...payment }: PaymentToStore,
  writeMail: (to: MailTo, paid: PaidWords) => OutgoingMail,
): Promise<void> {
  const [stored] = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.providerPaymentId, paymentId))
  if (stored !== undefined) return
  const id = ctx.newId()
  const { userId } = payment
  await ctx.security.record(ctx.db, { event: 'payment-stored', userId, facts: { payment: id } })
  const receiptNumber = await nextReceiptNumber(ctx, { series: 'payment', at: payment.paidAt })
  await ctx.db.insert(payments).values({
    id,
    provider: ctx.payments.name,
    providerPaymentId: paymentId,
    ...payment,
    state: 'paid',
    refundedCents: 0,
    // A notice of a refund may have come before the payment was booked.
    readDueAt: ctx.clock(),
    receiptNumber,
  })
  await mailOwner(ctx, payment, (to) => writeMail(to, { ...payment, receiptNumber }))
}
