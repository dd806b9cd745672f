import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { checkoutSessions, walletSubscriptions } from '#server/db/schema.ts'

/**
 * Ends what the provider `test` began on a server that has another provider by now: it cannot be
 * read any more, and an open session or a running subscription keeps its person from a real one.
 * Tokens stay. What a provider with money began is never ended here: it goes on billing.
 */
export async function endTestPayments(ctx: Pick<Ctx, 'db' | 'clock' | 'payments'>): Promise<void> {
  if (ctx.payments.name === 'test') return
  const now = ctx.clock()
  await ctx.db
    .update(checkoutSessions)
    .set({ status: 'expired', settledAt: now })
    .where(and(eq(checkoutSessions.provider, 'test'), isNull(checkoutSessions.settledAt)))
  await ctx.db
    .update(walletSubscriptions)
    .set({ status: 'expired', endedAt: now, readDueAt: null })
    .where(and(eq(walletSubscriptions.provider, 'test'), ne(walletSubscriptions.status, 'expired')))
}
