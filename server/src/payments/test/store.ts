/** Rows of the provider `test`, each changed under its lock and always brought up to the clock. */
import { asc, eq, lte } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { testPayments } from '#server/db/schema.ts'
import type { ProviderObject } from '#server/payments/port.ts'
import {
  advanceSession,
  advanceSubscription,
  monthPaymentIdOf,
  nextDue,
  subscriptionOf,
  type TestSession,
  type TestState,
  type TestSubscription,
} from './life.ts'
import type { TestPayment } from './money-back.ts'
import { addNotices, type NoticeParts } from './notices.ts'

/** Stores a new session, or finds the one that an earlier call with the same key made. */
export async function storeSession(
  parts: NoticeParts,
  session: TestSession,
  intentKey: string,
): Promise<TestSession> {
  await parts.db
    .insert(testPayments)
    .values({ id: session.id, intentKey, ...columnsOf(session) })
    .onConflictDoNothing({ target: testPayments.intentKey })
  const [row] = await parts.db
    .select()
    .from(testPayments)
    .where(eq(testPayments.intentKey, intentKey))
  const stored = row?.state as TestState | undefined
  if (stored?.kind !== 'session') throw new Error(`The key ${intentKey} made no session`)
  return stored
}

/** A session after `change`, at the time of the clock; undefined when there is none. */
export async function changeSession(
  parts: NoticeParts,
  id: string,
  change: (session: TestSession, now: number) => TestSession = (session) => session,
): Promise<TestSession | undefined> {
  return await parts.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (before?.kind !== 'session') return undefined
    const now = parts.clock().getTime()
    const after = change(advanceSession(before, now), now)
    await keep(tx, before, after)
    const about = { kind: 'session', id } as const
    await addNotices(tx, parts, { about, types: sessionNotices(before, after), ...after })
    if (before.stage.name !== 'paid') await startSubscription(tx, parts, after)
    return after
  })
}

/** The same for a subscription. */
export async function changeSubscription(
  parts: NoticeParts,
  id: string,
  change: (subscription: TestSubscription) => TestSubscription = (subscription) => subscription,
): Promise<TestSubscription | undefined> {
  return await parts.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (before?.kind !== 'subscription') return undefined
    const now = parts.clock().getTime()
    const after = advanceSubscription(change(advanceSubscription(before, now)), now)
    await keep(tx, before, after)
    const about = { kind: 'subscription', id } as const
    await addNotices(tx, parts, { about, types: subscriptionNotices(before, after), ...after })
    return after
  })
}

/** A payment as it stands; undefined when there is none. */
export async function readPayment(
  parts: NoticeParts,
  id: string,
): Promise<TestPayment | undefined> {
  const [row] = await parts.db.select().from(testPayments).where(eq(testPayments.id, id))
  const state = row?.state as TestState | undefined
  return state?.kind === 'payment' ? state : await untouchedPayment(parts, id)
}

/** The same after `change`. */
export async function changePayment(
  parts: NoticeParts,
  id: string,
  change: (payment: TestPayment) => TestPayment,
): Promise<TestPayment | undefined> {
  const untouched = await untouchedPayment(parts, id)
  if (untouched === undefined) return undefined
  return await parts.db.transaction(async (tx) => {
    await tx
      .insert(testPayments)
      .values({ id, intentKey: id, ...columnsOf(untouched) })
      .onConflictDoNothing()
    const before = await lock(tx, id)
    if (before?.kind !== 'payment') throw new Error(`${id} is no payment`)
    const after = change(before)
    await keep(tx, before, after)
    const about = { kind: 'payment', id } as const
    await addNotices(tx, parts, { about, types: paymentNotices(before, after), ...after })
    return after
  })
}

/** A payment of which nothing went back, by the session or the month that it paid. */
async function untouchedPayment(parts: NoticeParts, id: string): Promise<TestPayment | undefined> {
  const untouched = { kind: 'payment', id, refunds: [], dispute: null } as const
  const subscriptionId = /^(test_sub_.+)_in_\d+_pay$/.exec(id)?.[1]
  if (subscriptionId === undefined) {
    const session = await changeSession(parts, id.replace('test_pay_', 'test_cs_'))
    if (session?.stage.name !== 'paid' || session.product !== 'tokens') return undefined
    return { ...untouched, amountCents: session.amountCents, delivery: session.delivery }
  }
  const subscription = await changeSubscription(parts, subscriptionId)
  const isPaid = subscription?.invoices.some(
    (one) => one.paidAt !== null && monthPaymentIdOf(one) === id,
  )
  if (subscription === undefined || isPaid !== true) return undefined
  return { ...untouched, amountCents: subscription.amountCents, delivery: subscription.delivery }
}

/** What changes by itself before now; at most this many, the oldest first. */
export async function listDue(
  { db, clock }: Pick<NoticeParts, 'db' | 'clock'>,
  limit: number,
): Promise<ProviderObject[]> {
  const rows = await db
    .select()
    .from(testPayments)
    .where(lte(testPayments.dueAt, clock()))
    .orderBy(asc(testPayments.dueAt))
    .limit(limit)
  return rows.map(({ id, state }) => ({ id, kind: (state as TestState).kind }))
}

async function lock(tx: Tx, id: string): Promise<TestState | undefined> {
  const [row] = await tx.select().from(testPayments).where(eq(testPayments.id, id)).for('update')
  return row?.state as TestState | undefined
}

async function keep(tx: Tx, before: TestState, after: TestState): Promise<void> {
  if (after === before) return
  await tx.update(testPayments).set(columnsOf(after)).where(eq(testPayments.id, after.id))
}

async function startSubscription(tx: Tx, parts: NoticeParts, session: TestSession): Promise<void> {
  if (session.product !== 'subscription' || session.stage.name !== 'paid') return
  const subscription = subscriptionOf(session, session.stage.paidAt)
  await tx.insert(testPayments).values({
    id: subscription.id,
    intentKey: subscription.id,
    ...columnsOf(advanceSubscription(subscription, parts.clock().getTime())),
  })
  await addNotices(tx, parts, {
    about: { kind: 'subscription', id: subscription.id },
    types: ['subscription.created', 'invoice.created', 'invoice.paid', 'subscription.updated'],
    delivery: session.delivery,
  })
}

function columnsOf(state: TestState): { state: TestState; dueAt: Date | null } {
  const due = nextDue(state)
  return { state, dueAt: due === null ? null : new Date(due) }
}

function sessionNotices(before: TestSession, after: TestSession): readonly string[] {
  if (before.stage.name === after.stage.name) return []
  switch (after.stage.name) {
    case 'paid':
      return ['session.completed', 'payment.succeeded']
    case 'pending':
      return ['session.completed']
    case 'failed':
      return ['session.completed', 'payment.failed']
    case 'expired':
      return ['session.expired']
    case 'declined':
    case 'second-step':
    case 'open':
      return []
  }
}

function subscriptionNotices(before: TestSubscription, after: TestSubscription): readonly string[] {
  const paid = ({ invoices }: TestSubscription): number =>
    invoices.filter((one) => one.paidAt !== null).length
  return [
    ...(after.invoices.length > before.invoices.length ? ['invoice.created'] : []),
    ...(paid(after) > paid(before) ? ['invoice.paid'] : []),
    ...(after.isCanceling === before.isCanceling ? [] : ['subscription.updated']),
    ...(after.endedAt === before.endedAt ? [] : ['subscription.ended']),
  ]
}

function paymentNotices(before: TestPayment, after: TestPayment): readonly string[] {
  const isDisputed = after.dispute?.state === 'open'
  return [
    ...(after.refunds.length > before.refunds.length ? ['payment.refunded'] : []),
    ...(after.refunds.length < before.refunds.length ? ['payment.refund-failed'] : []),
    ...(after.dispute?.state === before.dispute?.state
      ? []
      : [isDisputed ? 'dispute.opened' : 'dispute.closed']),
  ]
}
