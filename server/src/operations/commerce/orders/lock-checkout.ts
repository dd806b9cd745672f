import { eq } from 'drizzle-orm'
import { validate } from 'uuid'
import type { TxCtx } from '#server/context.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'

/**
 * A checkout session by the reference that a provider repeats, locked; undefined when it is not
 * ours. It is locked before everything of [Note: lock order] in orders/find.ts.
 */
export async function lockCheckout(
  ctx: Pick<TxCtx, 'db'>,
  { id }: { readonly id: string },
): Promise<CheckoutRow | undefined> {
  if (!validate(id)) return undefined
  const [row] = await ctx.db
    .select()
    .from(checkoutSessions)
    .where(eq(checkoutSessions.id, id))
    .for('update')
  return row
}
