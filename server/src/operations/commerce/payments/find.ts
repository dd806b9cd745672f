import { and, eq } from 'drizzle-orm'
import { validate } from 'uuid'
import type { ReadCtx, WithUser } from '#server/context.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'

/**
 * Names one of the user's sessions: by the provider's id, which screens have from the start, or by
 * ours, which the history of a wallet links to.
 */
export interface CheckoutName {
  readonly sessionId: string
}

/**
 * One of the user's checkout sessions that the provider has opened, of this kind if one is named;
 * or `payments/session-not-found`.
 */
export async function findCheckout(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { sessionId, kind }: CheckoutName & Partial<Pick<CheckoutRow, 'kind'>>,
): Promise<CheckoutRow & { readonly providerSessionId: string }> {
  const [row] = await ctx.db
    .select()
    .from(checkoutSessions)
    .where(
      and(
        validate(sessionId)
          ? eq(checkoutSessions.id, sessionId)
          : eq(checkoutSessions.providerSessionId, sessionId),
        eq(checkoutSessions.userId, ctx.user.id),
      ),
    )
  const { providerSessionId } = row ?? { providerSessionId: null }
  if (row === undefined || providerSessionId === null || (kind ?? row.kind) !== row.kind)
    throw notFound('payments/session-not-found')
  return { ...row, providerSessionId }
}
