import type { TxCtx } from '#server/context.ts'
import { payments } from '#server/db/schema.ts'
import type { PaidFacts } from '#server/payments/port.ts'

/** A payment of one person and what was credited for it. */
interface PaymentToStore extends PaidFacts {
  readonly userId: string
  readonly checkoutSessionId: string
  readonly walletSubscriptionId: string | null
  readonly coinAmount: number
}

/** Stores a payment that arrived, once. */
export async function storePayment(
  ctx: Pick<TxCtx, 'db' | 'newId' | 'payments'>,
  { paymentId, ...payment }: PaymentToStore,
): Promise<void> {
  await ctx.db
    .insert(payments)
    .values({
      id: ctx.newId(),
      provider: ctx.payments.name,
      providerPaymentId: paymentId,
      ...payment,
    })
    .onConflictDoNothing({ target: payments.providerPaymentId })
}
