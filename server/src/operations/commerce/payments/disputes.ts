import { and, eq } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import { payments } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

/** Refuses while a payment of the user is disputed, with `payments/disputed`. */
export async function refuseDisputed(ctx: Pick<ReadCtx, 'db'> & WithUser): Promise<void> {
  const [disputed] = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.userId, ctx.user.id), eq(payments.state, 'disputed')))
    .limit(1)
  if (disputed === undefined) return
  throw new Problem(
    'payments/disputed',
    'One of your payments is disputed at your bank. New payments are possible when that is decided.',
  )
}
