import type { InvoiceFacts, SessionFacts, SubscriptionFacts } from '#server/payments/port.ts'
import {
  monthPaymentIdOf,
  paymentIdOf,
  periodEnd,
  subscriptionIdOf,
  type TestSession,
  type TestSubscription,
} from './life.ts'

const CURRENCY = 'usd'

type ReadStage = Pick<SessionFacts, 'status' | 'payment'>

const STAGES: Readonly<Record<TestSession['stage']['name'], ReadStage>> = {
  open: { status: 'open', payment: 'unpaid' },
  declined: { status: 'open', payment: 'unpaid' },
  'second-step': { status: 'open', payment: 'unpaid' },
  pending: { status: 'complete', payment: 'pending' },
  paid: { status: 'complete', payment: 'paid' },
  failed: { status: 'complete', payment: 'failed' },
  expired: { status: 'expired', payment: 'unpaid' },
}

/** A session of the provider `test` in the words of the port. */
export function sessionFacts(session: TestSession): SessionFacts {
  const { id, reference, stage, product, amountCents } = session
  const isSubscription = product === 'subscription'
  return {
    providerSessionId: id,
    reference,
    ...STAGES[stage.name],
    paid:
      stage.name === 'paid' && !isSubscription
        ? paidFacts(paymentIdOf(session), amountCents, stage.paidAt)
        : null,
    subscriptionId: stage.name === 'paid' && isSubscription ? subscriptionIdOf(session) : null,
  }
}

/** A subscription of the provider `test` in the words of the port. */
export function subscriptionFacts(subscription: TestSubscription): SubscriptionFacts {
  const { id, reference, startedAt, invoices, amountCents, isCanceling, endedAt, card } =
    subscription
  const end = periodEnd(subscription)
  return {
    subscriptionId: id,
    reference,
    state: stateOf(subscription),
    startedAt: new Date(startedAt),
    periodEndsAt: new Date(end),
    cancelsAt: isCanceling ? new Date(end) : null,
    endedAt: endedAt === null ? null : new Date(endedAt),
    invoices: invoices.map((one, index): InvoiceFacts => ({
      invoiceId: one.id,
      reason: index === 0 ? 'first-month' : 'next-month',
      planCents: amountCents,
      periodEndsAt: new Date(one.periodEndsAt),
      isPaid: one.paidAt !== null,
      paid: one.paidAt === null ? null : paidFacts(monthPaymentIdOf(one), amountCents, one.paidAt),
    })),
    method: {
      methodId: id.replace('test_sub_', 'test_pm_'),
      card: card === undefined ? id : `test_card_${card}`,
      storedAt: new Date(startedAt),
    },
  }
}

function stateOf({ endedAt, invoices }: TestSubscription): SubscriptionFacts['state'] {
  if (endedAt !== null) return 'ended'
  return invoices.some((one) => one.paidAt === null) ? 'past-due' : 'active'
}

function paidFacts(paymentId: string, amountCents: number, paidAt: number) {
  return { paymentId, amountCents, taxCents: 0, currency: CURRENCY, paidAt: new Date(paidAt) }
}
