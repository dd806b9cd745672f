import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import { paymentEvents } from '#server/db/schema.ts'
import type { ProviderEvent } from '#server/payments/port.ts'
import { refusalIn } from '#server/problems.ts'
import { settlePayment } from './settle-payment.ts'
import { settleSession } from './settle-session.ts'
import { settleSubscription } from './settle-subscription.ts'

/** Names the row of a notice. */
interface EventName {
  readonly provider: string
  readonly eventId: string
}

/** Keeps a notice and queues the reading of what it is about; a repeated notice changes nothing. */
export async function receiveEvent(
  ctx: Ctx,
  { event }: { readonly event: ProviderEvent },
): Promise<void> {
  const { eventId, type, about, occurredAt } = event
  const now = ctx.clock()
  const provider = ctx.payments.name
  await inTransaction(ctx, async (ctx) => {
    const inserted = await ctx.db
      .insert(paymentEvents)
      .values({
        provider,
        eventId,
        type,
        objectKind: about?.kind ?? null,
        objectId: about?.id ?? null,
        occurredAt,
        receivedAt: now,
        settledAt: about === null ? now : null,
      })
      .onConflictDoNothing()
      .returning({ eventId: paymentEvents.eventId })
    if (inserted.length > 0 && about !== null)
      await ctx.queue.enqueue(ctx.db, 'settle-payment', { provider, eventId })
  })
}

/**
 * Reads what a notice is about and books what came of it. What the provider does not know, and what
 * is not ours, is done as well; a provider that is away is a failure, to be tried again.
 */
export async function settleEvent(ctx: Ctx, name: EventName): Promise<void> {
  const isNamed = and(
    eq(paymentEvents.provider, name.provider),
    eq(paymentEvents.eventId, name.eventId),
  )
  const [event] = await ctx.db.select().from(paymentEvents).where(isNamed)
  if (event === undefined || event.settledAt !== null) return
  await ctx.db.update(paymentEvents).set({ readAt: ctx.clock() }).where(isNamed)
  try {
    if (event.objectKind === 'session' && event.objectId !== null)
      await settleSession(ctx, { providerSessionId: event.objectId })
    if (event.objectKind === 'subscription' && event.objectId !== null)
      await settleSubscription(ctx, { subscriptionId: event.objectId })
    if (event.objectKind === 'payment' && event.objectId !== null)
      await settlePayment(ctx, { paymentId: event.objectId })
  } catch (error) {
    if (!isUnknown(error)) throw error
    ctx.log.warn('payments/event-of-nothing', { ...name })
  }
  await ctx.db.update(paymentEvents).set({ settledAt: ctx.clock() }).where(isNamed)
}

/**
 * Notices that came before a time and are not settled: those that were never tried, oldest first,
 * then those that were tried longest ago, so that what always fails lets the rest pass.
 */
export async function listUnsettledEvents(
  ctx: Pick<Ctx, 'db'>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<EventName[]> {
  return await ctx.db
    .select({ provider: paymentEvents.provider, eventId: paymentEvents.eventId })
    .from(paymentEvents)
    .where(and(isNull(paymentEvents.settledAt), lt(paymentEvents.receivedAt, before)))
    .orderBy(sql`${paymentEvents.readAt} asc nulls first`, asc(paymentEvents.receivedAt))
    .limit(limit)
}

function isUnknown(error: unknown): boolean {
  const code = refusalIn(error)?.code
  return (
    code === 'payments/session-not-found' ||
    code === 'subscriptions/not-found' ||
    code === 'payments/not-found'
  )
}
