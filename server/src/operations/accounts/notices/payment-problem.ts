import { eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { SubscriptionRow } from '#server/db/rows.ts'
import { notices, users } from '#server/db/schema.ts'
import { queuePushes } from '#server/operations/accounts/pushes/queue.ts'

/**
 * Tells the owner's devices that a month was not paid, in the transaction that finds it, which
 * queues the mail too. A subscription may have the problem again: each time is a cause of its own.
 */
export async function tellOfPaymentProblem(
  ctx: TxCtx,
  { id, userId }: SubscriptionRow,
): Promise<void> {
  const user = onlyRow(await ctx.db.select().from(users).where(eq(users.id, userId)))
  if (user.deletedAt !== null) return
  const kind = 'payment-problem'
  const cause = ctx.newId()
  await ctx.db
    .insert(notices)
    .values({ id: ctx.newId(), userId, kind, cause, createdAt: ctx.clock() })
  if (user.lockedAt !== null || user.pushesOff.includes(kind)) return
  await queuePushes(ctx, userId, {
    kind,
    causes: [cause],
    title: 'A payment did not go through',
    path: `/subscriptions/${id}`,
    shownOn: [`/subscriptions/${id}`],
  })
}
