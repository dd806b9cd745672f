import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { pushSubscriptions, users } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import type { PushTarget } from '#server/push/port.ts'

/** More devices than a person carries; a message goes to each of them. */
const SUBSCRIPTIONS_AT_MOST = 20

/**
 * Has messages sent to the device of a session. Another subscription of the session, and the same
 * endpoint of another session, give way: a browser has one, and it may have changed hands. Of too
 * many the oldest end. Repeating is harmless. Refuses: `push/not-allowed`.
 */
export async function savePushSubscription(
  ctx: UserCtx,
  { sessionId, ...target }: PushTarget & { readonly sessionId: string },
): Promise<void> {
  if (ctx.push?.mayTake(target) !== true)
    throw new Problem('push/not-allowed', 'This server sends no messages to this browser.')
  const userId = ctx.user.id
  await inTransaction(ctx, async ({ db, newId, clock }) => {
    // Two that are saved at once queue on the user's row.
    await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    const [same] = await db
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(
        and(
          eq(pushSubscriptions.sessionId, sessionId),
          eq(pushSubscriptions.endpoint, target.endpoint),
          eq(pushSubscriptions.p256dh, target.p256dh),
          eq(pushSubscriptions.auth, target.auth),
        ),
      )
    if (same !== undefined) return
    await db
      .delete(pushSubscriptions)
      .where(
        or(
          eq(pushSubscriptions.sessionId, sessionId),
          eq(pushSubscriptions.endpoint, target.endpoint),
        ),
      )
    const present = await db
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(asc(pushSubscriptions.createdAt), asc(pushSubscriptions.id))
    const excess = present.slice(0, Math.max(0, present.length + 1 - SUBSCRIPTIONS_AT_MOST))
    if (excess.length > 0)
      await db.delete(pushSubscriptions).where(
        inArray(
          pushSubscriptions.id,
          excess.map(({ id }) => id),
        ),
      )
    await db
      .insert(pushSubscriptions)
      .values({ ...target, id: newId(), userId, sessionId, createdAt: clock() })
  })
}

/** Sends no more to the device of a session. Repeating is harmless. */
export async function endPushSubscription(
  ctx: UserCtx,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  await ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))
}
