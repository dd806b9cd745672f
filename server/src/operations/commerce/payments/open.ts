import { eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'
import { STANDARD_PLAN } from './amounts.ts'

/** A page to pay on is good for this long. */
const OPEN_MS = 23 * 60 * 60 * 1000

/** What a new row of either kind has in common. */
export function newCheckout(
  ctx: Pick<Ctx, 'newId' | 'clock' | 'payments'>,
): Pick<CheckoutRow, 'id' | 'provider' | 'status' | 'payment' | 'createdAt' | 'expiresAt'> {
  const now = ctx.clock()
  return {
    id: ctx.newId(),
    provider: ctx.payments.name,
    status: 'open',
    payment: 'unpaid',
    createdAt: now,
    expiresAt: new Date(now.getTime() + OPEN_MS),
  }
}

/**
 * Opens the session of a row at the provider, once: the key is made of the row's id, so that a
 * call that was cut off is repeated as the same call. Refuses with `payments/provider-away`.
 */
export async function openCheckout(
  ctx: Ctx,
  { row }: { readonly row: CheckoutRow },
): Promise<CheckoutRow> {
  if (row.providerSessionId !== null) return row
  const { providerSessionId } = await ctx.payments.openSession(
    {
      reference: row.id,
      customer: row.userId,
      kind: row.kind,
      amountCents: row.chargedCoinAmount ?? STANDARD_PLAN.cents,
      description: row.kind === 'subscription' ? 'Monthly tokens' : 'Tokens',
      expiresAt: row.expiresAt,
    },
    `session:${row.id}`,
  )
  return onlyRow(
    await ctx.db
      .update(checkoutSessions)
      .set({ providerSessionId })
      .where(eq(checkoutSessions.id, row.id))
      .returning(),
  )
}
