import { and, eq } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'

/** Names one of the user's sessions by the id of the provider. */
export interface CheckoutName {
  readonly providerSessionId: string
}

/**
 * One of the user's checkout sessions, of this kind if one is named; or
 * `payments/session-not-found`.
 */
export async function findCheckout(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { providerSessionId, kind }: CheckoutName & Partial<Pick<CheckoutRow, 'kind'>>,
): Promise<CheckoutRow> {
  const [row] = await ctx.db
    .select()
    .from(checkoutSessions)
    .where(
      and(
        eq(checkoutSessions.providerSessionId, providerSessionId),
        eq(checkoutSessions.userId, ctx.user.id),
      ),
    )
  if (row === undefined || (kind !== undefined && row.kind !== kind))
    throw notFound('payments/session-not-found')
  return row
}
