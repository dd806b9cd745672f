import { desc, eq } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import type { PaymentMethodRow } from '#server/db/rows.ts'
import { storedPaymentMethods } from '#server/db/schema.ts'

/** What the user's subscriptions are billed by, newest first. */
export async function listPaymentMethods(ctx: ReadCtx & WithUser): Promise<PaymentMethodRow[]> {
  return await ctx.db
    .select()
    .from(storedPaymentMethods)
    .where(eq(storedPaymentMethods.userId, ctx.user.id))
    .orderBy(desc(storedPaymentMethods.createdAt), desc(storedPaymentMethods.id))
}
