import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Ctx, UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { CheckoutRow } from '#server/db/rows.ts'
import { checkoutSessions } from '#server/db/schema.ts'
import { findCheckout, type CheckoutName } from './find.ts'
import { openCheckout } from './open.ts'
import { settleSession } from './settle-session.ts'

/** Calls of a page that waits read the provider at most this often for one session. */
const READ_EVERY_MS = 5_000

/**
 * One of the user's sessions, as the provider has it now: a page that waits for its payment does
 * not depend on a notice. While the provider cannot be reached, the session is shown as last known.
 * Refuses: `payments/session-not-found`.
 */
export async function getCheckout(
  ctx: UserCtx,
  { sessionId, kind }: CheckoutName & Pick<CheckoutRow, 'kind'>,
): Promise<CheckoutRow> {
  const row = await findCheckout(ctx, { sessionId, kind })
  return await refreshCheckout(ctx, { row }).catch((error: unknown) => {
    ctx.log.warn('payments/not-read', { checkoutSessionId: row.id, error })
    return row
  })
}

/**
 * Reads a session from the provider and books what came of it, unless that was done within 5 s or
 * its end is booked. Opens it first if an earlier call was cut off before the provider answered.
 */
export async function refreshCheckout(
  ctx: Ctx,
  { row }: { readonly row: CheckoutRow },
): Promise<CheckoutRow> {
  const now = ctx.clock()
  const claimed = await ctx.db
    .update(checkoutSessions)
    .set({ readAt: now })
    .where(
      and(
        eq(checkoutSessions.id, row.id),
        isNull(checkoutSessions.settledAt),
        or(
          isNull(checkoutSessions.readAt),
          lt(checkoutSessions.readAt, new Date(now.getTime() - READ_EVERY_MS)),
        ),
      ),
    )
    .returning()
  const [mine] = claimed
  if (mine !== undefined) await readAndSettle(ctx, mine)
  return onlyRow(
    await ctx.db.select().from(checkoutSessions).where(eq(checkoutSessions.id, row.id)),
  )
}

async function readAndSettle(ctx: Ctx, row: CheckoutRow): Promise<void> {
  const isOver = row.expiresAt.getTime() <= ctx.clock().getTime()
  if (row.providerSessionId === null && isOver) {
    // No page was ever shown for it.
    await ctx.db
      .update(checkoutSessions)
      .set({ status: 'expired', settledAt: ctx.clock() })
      .where(and(eq(checkoutSessions.id, row.id), isNull(checkoutSessions.providerSessionId)))
    return
  }
  const { providerSessionId } = await openCheckout(ctx, { row })
  if (providerSessionId !== null) await settleSession(ctx, { providerSessionId })
}
