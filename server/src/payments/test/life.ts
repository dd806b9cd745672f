/**
 * The life of sessions and subscriptions of the provider `test`: pure, by a clock that is given.
 * Times are milliseconds since the epoch, so that a state is plain JSON.
 */
import { addMonths } from '#server/calendar.ts'
import type { SessionAsk } from '#server/payments/port.ts'
import type { TestPayment } from './money-back.ts'
import type { Delivery } from './notices.ts'

/** Where a session stands. */
type Stage =
  | { readonly name: 'open' | 'declined' | 'second-step' | 'expired' | 'failed' }
  | { readonly name: 'pending'; readonly paysAt: number }
  | { readonly name: 'paid'; readonly paidAt: number }

export interface TestSession {
  readonly kind: 'session'
  readonly id: string
  readonly reference: string
  readonly customer: string
  readonly product: SessionAsk['kind']
  readonly amountCents: number
  readonly description: string
  readonly expiresAt: number
  readonly stage: Stage
  readonly delivery: Delivery
  /** Of the cards that the page offers, the one that was pressed; absent of a new one. */
  readonly card?: TestCard
}

/** Cards that several people can pay with, to see what one card may do. */
export const TEST_CARDS = ['a', 'b'] as const
type TestCard = (typeof TEST_CARDS)[number]

interface TestInvoice {
  readonly id: string
  readonly periodEndsAt: number
  readonly billedAt: number
  readonly paidAt: number | null
}

export interface TestSubscription {
  readonly kind: 'subscription'
  readonly id: string
  readonly reference: string
  readonly amountCents: number
  readonly startedAt: number
  readonly invoices: readonly TestInvoice[]
  readonly renewals: 'succeed' | 'fail'
  readonly isCanceling: boolean
  readonly endedAt: number | null
  readonly delivery: Delivery
  readonly card?: TestCard
}

export type TestState = TestSession | TestSubscription | TestPayment

/** What a person can press in the document of a session that is not paid. */
export const SESSION_PRESSES = [
  'pay',
  'decline',
  'second-step',
  'pay-late',
  'fail-late',
  'abandon',
] as const
export type SessionPress = (typeof SESSION_PRESSES)[number]

const DAY_MS = 86_400_000
/** A late payment arrives after this time. */
const LATE_PAYMENT_MS = 5 * 60_000
/** A month that is not paid for this long ends the subscription. */
const UNPAID_MS = 14 * DAY_MS

/** A session after a press; the same session when the press means nothing there. */
export function pressSession(session: TestSession, press: SessionPress, now: number): TestSession {
  const { stage } = session
  if (stage.name !== 'open' && stage.name !== 'declined' && stage.name !== 'second-step')
    return session
  switch (press) {
    case 'pay':
      return { ...session, stage: { name: 'paid', paidAt: now } }
    case 'decline':
      return { ...session, stage: { name: 'declined' } }
    case 'second-step':
      return { ...session, stage: { name: 'second-step' } }
    case 'pay-late':
      return { ...session, stage: { name: 'pending', paysAt: now + LATE_PAYMENT_MS } }
    case 'fail-late':
      return { ...session, stage: { name: 'failed' } }
    case 'abandon':
      return { ...session, stage: { name: 'expired' } }
  }
}

/** A session as the clock leaves it. */
export function advanceSession(session: TestSession, now: number): TestSession {
  const { stage, expiresAt } = session
  switch (stage.name) {
    case 'open':
    case 'declined':
    case 'second-step':
      return now >= expiresAt ? { ...session, stage: { name: 'expired' } } : session
    case 'pending':
      return now >= stage.paysAt
        ? { ...session, stage: { name: 'paid', paidAt: stage.paysAt } }
        : session
    case 'paid':
    case 'expired':
    case 'failed':
      return session
  }
}

/** The subscription that comes of a paid session; its first month is paid with it. */
export function subscriptionOf(session: TestSession, paidAt: number): TestSubscription {
  const id = subscriptionIdOf(session)
  return {
    kind: 'subscription',
    id,
    reference: session.reference,
    amountCents: session.amountCents,
    startedAt: paidAt,
    invoices: [{ id: `${id}_in_1`, periodEndsAt: addMonths(paidAt, 1), billedAt: paidAt, paidAt }],
    renewals: 'succeed',
    isCanceling: false,
    endedAt: null,
    delivery: session.delivery,
    ...(session.card === undefined ? {} : { card: session.card }),
  }
}

export function paymentIdOf({ id }: Pick<TestSession, 'id'>): string {
  return id.replace('test_cs_', 'test_pay_')
}

export function monthPaymentIdOf({ id }: Pick<TestInvoice, 'id'>): string {
  return `${id}_pay`
}

export function subscriptionIdOf({ id }: Pick<TestSession, 'id'>): string {
  return id.replace('test_cs_', 'test_sub_')
}

/** A subscription as the clock leaves it: bills each month, pays or fails, ends. */
export function advanceSubscription(first: TestSubscription, now: number): TestSubscription {
  let subscription = payOpenInvoices(first, now)
  while (subscription.endedAt === null) {
    const next = nextChange(subscription)
    if (next > now) break
    subscription = changeAt(subscription, next)
  }
  return subscription
}

/** When a state next changes by itself; null when it does not. */
export function nextDue(state: TestState): number | null {
  if (state.kind === 'payment') return null
  if (state.kind === 'subscription') return state.endedAt === null ? nextChange(state) : null
  switch (state.stage.name) {
    case 'open':
    case 'declined':
    case 'second-step':
      return state.expiresAt
    case 'pending':
      return state.stage.paysAt
    case 'paid':
    case 'expired':
    case 'failed':
      return null
  }
}

/** End of the month that runs. */
export function periodEnd({ invoices, startedAt }: TestSubscription): number {
  return invoices.at(-1)?.periodEndsAt ?? startedAt
}

function payOpenInvoices(subscription: TestSubscription, now: number): TestSubscription {
  if (subscription.renewals === 'fail' || subscription.endedAt !== null) return subscription
  return {
    ...subscription,
    invoices: subscription.invoices.map((one) => ({ ...one, paidAt: one.paidAt ?? now })),
  }
}

function nextChange(subscription: TestSubscription): number {
  const unpaid = subscription.invoices.find((one) => one.paidAt === null)
  return Math.min(periodEnd(subscription), (unpaid?.billedAt ?? Infinity) + UNPAID_MS)
}

function changeAt(subscription: TestSubscription, at: number): TestSubscription {
  const { invoices, startedAt, renewals, isCanceling } = subscription
  if (isCanceling || at < periodEnd(subscription)) return { ...subscription, endedAt: at }
  const invoice: TestInvoice = {
    id: `${subscription.id}_in_${invoices.length + 1}`,
    periodEndsAt: addMonths(startedAt, invoices.length + 1),
    billedAt: at,
    paidAt: renewals === 'succeed' ? at : null,
  }
  return { ...subscription, invoices: [...invoices, invoice] }
}
