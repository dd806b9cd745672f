import { and, count, eq, gte, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import type { PushRow, PushSubscriptionRow } from '#server/db/rows.ts'
import { notices, pushes, pushSubscriptions, users, PUSH_KINDS } from '#server/db/schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** All tries of one message of the queue are over by then (consumers/start.ts). */
const TRIES_LAST_S = 600
/** So many messages in a row that a device does not take end its subscription. */
const FAILURES_AT_MOST = 5
/** A push service that is overloaded is not asked later than that; a message is news for a day. */
const LONGEST_WAIT_S = 3600

/** A push service does not take a message now; the queue tries again. */
class PushNotTaken extends Error {
  override readonly name = 'PushNotTaken'
}

/**
 * Delivers a queued message; does nothing when that is done, when its device is gone,
 * or before it is due.
 *
 * [Note: one push] As with mails ([Note: one mail] in mail/send.ts), a crash between the
 * yes of a push service and our mark repeats the message. It has the topic of the first, by which a
 * push service keeps one, and its tag, by which a device shows one.
 */
export async function deliverPush(
  ctx: Ctx,
  { pushId }: { readonly pushId: string },
): Promise<void> {
  const { push: service } = ctx
  if (service === null) return
  await inTransaction(ctx, async (ctx) => {
    const [row] = await ctx.db
      .select({ push: pushes, device: pushSubscriptions })
      .from(pushes)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushes.subscriptionId))
      .where(and(eq(pushes.id, pushId), lte(pushes.dueAt, ctx.clock())))
      .for('update', { of: pushes, noWait: true })
    if (row === undefined) return
    const { push, device } = row
    const payload = await payloadOf(ctx, push, device)
    const ageMs = ctx.clock().getTime() - push.createdAt.getTime()
    const ttlS = Math.max(0, Math.ceil((DAY_MS - ageMs) / 1000))
    const answer = await service.send(device, { topic: push.topic, payload, ttlS })
    switch (answer.kind) {
      case 'taken':
        return await settle(ctx, row, { lastOkAt: ctx.clock(), failures: 0 })
      case 'refused':
        ctx.log.warn('push/refused', { message: `A push service answered ${answer.why}.` })
        return await settle(ctx, row, { failures: device.failures + 1 })
      case 'gone':
        return await endSubscription(ctx, device)
      case 'busy': {
        if (answer.retryAfterS === null) throw new PushNotTaken('The push service is away')
        const startAfterS = Math.min(answer.retryAfterS, LONGEST_WAIT_S)
        const dueAt = new Date(ctx.clock().getTime() + startAfterS * 1000)
        await ctx.db.update(pushes).set({ dueAt }).where(eq(pushes.id, pushId))
        await ctx.queue.enqueue(ctx.db, 'send-push', { pushId }, { startAfterS })
      }
    }
  })
}

/**
 * Queues messages again whose tries are used up, one in ten minutes, and gives those up that are a
 * day old: they are no news any more.
 */
export async function requeuePushes(ctx: Ctx): Promise<void> {
  if (ctx.push === null) return
  const now = ctx.clock().getTime()
  const late = await ctx.db
    .select({ id: pushes.id })
    .from(pushes)
    .where(lt(pushes.dueAt, new Date(now - TRIES_LAST_S * 1000)))
  const options = { atMostEveryS: TRIES_LAST_S }
  for (const { id: pushId } of late)
    await inTransaction(ctx, async ({ db, queue }) => {
      await queue.enqueue(db, 'send-push', { pushId }, { singletonKey: pushId, ...options })
    })
}

/** Gives messages up that no push service has taken within a day. */
export async function dropOldPushes(ctx: Ctx): Promise<void> {
  const dayAgo = new Date(ctx.clock().getTime() - DAY_MS)
  const old = await ctx.db
    .select({ push: pushes, device: pushSubscriptions })
    .from(pushes)
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushes.subscriptionId))
    .where(lt(pushes.createdAt, dayAgo))
  for (const row of old)
    await inTransaction(
      ctx,
      async (ctx) => await settle(ctx, row, { failures: row.device.failures + 1 }),
    )
}

async function settle(
  ctx: TxCtx,
  { push, device }: { readonly push: PushRow; readonly device: PushSubscriptionRow },
  change: Partial<Pick<PushSubscriptionRow, 'lastOkAt' | 'failures'>>,
): Promise<void> {
  await ctx.db.delete(pushes).where(eq(pushes.id, push.id))
  if ((change.failures ?? 0) >= FAILURES_AT_MOST) return await endSubscription(ctx, device)
  await ctx.db.update(pushSubscriptions).set(change).where(eq(pushSubscriptions.id, device.id))
}

async function endSubscription(ctx: TxCtx, { id }: PushSubscriptionRow): Promise<void> {
  await ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id))
}

/**
 * The declarative form (W3C Push API), which Safari shows without our code; the service worker of
 * other browsers reads the same fields. It has the words of a mail's subject and no more: it shows
 * on a locked screen.
 */
async function payloadOf(
  ctx: TxCtx,
  { title, path, shownOn, topic }: PushRow,
  device: PushSubscriptionRow,
): Promise<string> {
  const { userId } = device
  return JSON.stringify({
    web_push: 8030,
    notification: {
      title,
      lang: 'en',
      navigate: ctx.settings.publicOrigin + path,
      tag: topic,
      data: { userId, shownOn },
    },
    app_badge: await countUnseen(ctx, device),
  })
}

/** What the user was told since this device takes messages, and has not looked at. */
async function countUnseen(
  ctx: TxCtx,
  { userId, createdAt }: PushSubscriptionRow,
): Promise<number> {
  const [row] = await ctx.db
    .select({ number: count() })
    .from(notices)
    .innerJoin(users, eq(users.id, notices.userId))
    .where(
      and(
        eq(notices.userId, userId),
        isNull(notices.seenAt),
        gte(notices.createdAt, createdAt),
        inArray(notices.kind, PUSH_KINDS),
        sql`not ${notices.kind} = any(${users.pushesOff})`,
      ),
    )
  return row?.number ?? 0
}
