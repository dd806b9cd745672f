import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import type { PushKind } from '#server/db/rows.ts'
import { pushes, pushSubscriptions, sessions, users } from '#server/db/schema.ts'
import { DISCREET_TITLE } from '#server/mail/discreet.ts'
import { isLive } from '#server/operations/accounts/auth/sessions.ts'

/**
 * What devices are told: the words of its mail's subject, or neutral ones ([Note: discreet] in
 * mail/discreet.ts).
 */
export interface PushNews {
  readonly kind: PushKind
  /** Ids of what it tells of. */
  readonly causes: readonly string[]
  readonly title: string
  /** Path of the page that it leads to. */
  readonly path: string
  /** Paths of pages that show the same. */
  readonly shownOn: readonly string[]
}

/**
 * Stores a message for each device of a user that is signed in and asked for messages, and queues
 * its delivery, in the caller's transaction.
 */
export async function queuePushes(
  ctx: TxCtx,
  userId: string,
  { kind, causes, title, path, shownOn }: PushNews,
): Promise<void> {
  if (ctx.push === null) return
  const devices = await ctx.db
    .select({ id: pushSubscriptions.id, isDiscreet: users.discreet })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .innerJoin(users, eq(users.id, pushSubscriptions.userId))
    .where(and(eq(pushSubscriptions.userId, userId), isLive(ctx)))
  for (const { id: subscriptionId, isDiscreet } of devices) {
    const [id, now] = [ctx.newId(), ctx.clock()]
    await ctx.db.insert(pushes).values({
      id,
      subscriptionId,
      topic: topicOf(kind, causes),
      title: isDiscreet ? DISCREET_TITLE : title,
      path,
      shownOn: [...shownOn],
      createdAt: now,
      dueAt: now,
    })
    await ctx.queue.enqueue(ctx.db, 'send-push', { pushId: id })
  }
}

/** The same for the same causes, and saying nothing of them: push services read it. */
function topicOf(kind: PushKind, causes: readonly string[]): string {
  const all = [kind, ...causes.toSorted()].join(' ')
  return createHash('sha256').update(all).digest('base64url').slice(0, 32)
}
