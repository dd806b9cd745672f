/** Stripe's objects in the words of the port: pure. Stripe counts time in whole seconds. */
import type Stripe from 'stripe'
import type {
  DisputeFacts,
  InvoiceFacts,
  PaidFacts,
  PaymentFacts,
  SessionFacts,
  SubscriptionFacts,
} from '#server/payments/port.ts'

/** What `sessionFacts` needs beside the session itself. */
export const SESSION_EXPANSIONS = ['payment_intent.latest_charge', 'subscription']
/** The same for a subscription, and for its invoices. */
export const SUBSCRIPTION_EXPANSIONS = [
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
]
export const INVOICE_EXPANSIONS = ['data.payments']

/** The name under which our reference is stored in what comes of a session. */
export const REFERENCE = 'onecut_checkout'
/** The name under which the key of our refund is stored. */
export const REFUND_KEY = 'onecut_refund'

const date = (seconds: number): Date => new Date(seconds * 1000)

/** An object that Stripe gives whole or as its id. */
function whole<Whole extends object>(part: string | Whole | null | undefined): Whole | null {
  return typeof part === 'object' ? part : null
}

function idOf(part: string | { readonly id: string } | null | undefined): string | null {
  return typeof part === 'string' ? part : (part?.id ?? null)
}

/** A checkout session, read with `SESSION_EXPANSIONS`. */
export function sessionFacts(session: Stripe.Checkout.Session): SessionFacts {
  const payment = paymentOf(session)
  const isSubscription = session.mode === 'subscription'
  return {
    providerSessionId: session.id,
    reference: session.client_reference_id ?? '',
    status: statusOf(session),
    payment,
    paid: payment === 'paid' && !isSubscription ? paidBySession(session) : null,
    subscriptionId: payment === 'paid' && isSubscription ? idOf(session.subscription) : null,
  }
}

function statusOf({ status }: Stripe.Checkout.Session): SessionFacts['status'] {
  if (status === 'complete') return 'complete'
  return status === 'expired' ? 'expired' : 'open'
}

function paymentOf(session: Stripe.Checkout.Session): SessionFacts['payment'] {
  if (session.status !== 'complete') return 'unpaid'
  if (session.payment_status !== 'unpaid') return 'paid'
  // Delayed methods complete the session days before the money arrives, or does not.
  const intent = whole(session.payment_intent)?.status
  const subscription = whole(session.subscription)?.status
  const hasFailed =
    intent === 'requires_payment_method' ||
    intent === 'canceled' ||
    subscription === 'incomplete_expired' ||
    subscription === 'canceled' ||
    subscription === 'unpaid'
  return hasFailed ? 'failed' : 'pending'
}

function paidBySession(session: Stripe.Checkout.Session): PaidFacts | null {
  const intent = whole(session.payment_intent)
  if (intent === null) return null
  return {
    paymentId: intent.id,
    amountCents: intent.amount_received,
    taxCents: session.total_details?.amount_tax ?? 0,
    currency: intent.currency,
    paidAt: date(whole(intent.latest_charge)?.created ?? intent.created),
  }
}

/**
 * A subscription, read with `SUBSCRIPTION_EXPANSIONS`, and its invoices, newest first as Stripe
 * lists them, read with `INVOICE_EXPANSIONS`.
 */
export function subscriptionFacts(
  subscription: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
): SubscriptionFacts {
  const { id, metadata, start_date, ended_at } = subscription
  const periodEndsAt = periodEndOf(subscription)
  return {
    subscriptionId: id,
    reference: metadata[REFERENCE] ?? '',
    state: stateOf(subscription),
    startedAt: date(start_date),
    periodEndsAt,
    cancelsAt: cancelsAt(subscription, periodEndsAt),
    endedAt: ended_at === null ? null : date(ended_at),
    invoices: invoices
      .filter(({ status }) => status !== 'void' && status !== 'uncollectible')
      .map(invoiceFacts)
      .toReversed(),
    method: methodOf(subscription),
  }
}

/** How a subscription stands. */
export function stateOf({ status }: Stripe.Subscription): SubscriptionFacts['state'] {
  switch (status) {
    // The first card was declined: the page stays open for another one.
    case 'incomplete':
    case 'incomplete_expired':
      return 'not-begun'
    case 'active':
    case 'trialing':
      return 'active'
    case 'canceled':
      return 'ended'
    // past_due, unpaid, paused, and what Stripe adds: nothing of it is paid.
    default:
      return 'past-due'
  }
}

/** The period stands in the items of a subscription. */
function periodEndOf({ items, start_date }: Stripe.Subscription): Date {
  return date(Math.max(start_date, ...items.data.map((item) => item.current_period_end)))
}

/**
 * Stripe's portal sets `cancel_at` and leaves `cancel_at_period_end` false; our own call does it by
 * the flag.
 */
function cancelsAt(
  { cancel_at, cancel_at_period_end }: Stripe.Subscription,
  periodEndsAt: Date,
): Date | null {
  if (cancel_at !== null) return date(cancel_at)
  return cancel_at_period_end ? periodEndsAt : null
}

/** The card of the subscription, else the one that the portal has stored with the customer. */
function methodOf(subscription: Stripe.Subscription): SubscriptionFacts['method'] {
  const customer = whole(subscription.customer)
  const ofCustomer =
    customer === null || customer.deleted === true
      ? null
      : customer.invoice_settings.default_payment_method
  const method = whole(subscription.default_payment_method) ?? whole(ofCustomer)
  return method === null
    ? null
    : { methodId: method.id, card: fingerprintOf(method), storedAt: date(method.created) }
}

/** Cards and bank accounts have one; wallets of other companies have none. */
function fingerprintOf(method: Stripe.PaymentMethod): string | null {
  const { card, us_bank_account, sepa_debit, bacs_debit, acss_debit, au_becs_debit } = method
  const all = [card, us_bank_account, sepa_debit, bacs_debit, acss_debit, au_becs_debit]
  return all.find((one) => typeof one?.fingerprint === 'string')?.fingerprint ?? null
}

/** One invoice, with its payments. */
function invoiceFacts(invoice: Stripe.Invoice): InvoiceFacts {
  const months = invoice.lines.data.filter(isMonth)
  const isPaid = invoice.status === 'paid'
  return {
    invoiceId: invoice.id,
    reason: reasonOf(invoice),
    // Before discounts: a free month by a coupon is a month, a trial and a change of plan are none.
    planCents: months.reduce((sum, line) => sum + line.subtotal, 0),
    periodEndsAt: date(Math.max(0, ...months.map((line) => line.period.end)) || invoice.period_end),
    isPaid,
    paid: isPaid ? paidByInvoice(invoice) : null,
  }
}

function isMonth({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false
}

function reasonOf({ billing_reason }: Stripe.Invoice): InvoiceFacts['reason'] {
  if (billing_reason === 'subscription_create') return 'first-month'
  return billing_reason === 'subscription_cycle' ? 'next-month' : 'other'
}

/** An invoice does not name its payment; the list of its payments does. */
function paidByInvoice(invoice: Stripe.Invoice): PaidFacts | null {
  const paid = invoice.payments?.data.find(
    (one) => one.status === 'paid' && idOf(one.payment.payment_intent) !== null,
  )
  const paymentId = idOf(paid?.payment.payment_intent)
  const amountCents = paid?.amount_paid ?? 0
  if (paid === undefined || paymentId === null || amountCents === 0) return null
  return {
    paymentId,
    amountCents,
    taxCents: (invoice.total_taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0),
    currency: paid.currency,
    paidAt: date(paid.status_transitions.paid_at ?? invoice.created),
  }
}

/** What of a payment went back; both lists newest first, as Stripe gives them. */
export function paymentFacts(
  paymentId: string,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): PaymentFacts {
  return {
    paymentId,
    refunds: refunds
      .filter((refund) => !hasFailed(refund))
      .map(({ id, amount, metadata }) => ({
        refundId: id,
        amountCents: amount,
        key: metadata?.[REFUND_KEY] ?? null,
      }))
      .toReversed(),
    failedRefundIds: refunds.filter(hasFailed).map(({ id }) => id),
    dispute: disputes.map(disputeFacts).find((dispute) => dispute !== null) ?? null,
  }
}

/** It may have looked well for days before. */
function hasFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled'
}

function disputeFacts({ id, amount, status }: Stripe.Dispute): DisputeFacts | null {
  const state = disputeState(status)
  return state === null ? null : { disputeId: id, amountCents: amount, state }
}

function disputeState(status: Stripe.Dispute['status']): DisputeFacts['state'] | null {
  switch (status) {
    case 'needs_response':
    case 'under_review':
    case 'appeal_needs_response':
    case 'appeal_under_review':
      return 'open'
    case 'won':
      return 'won'
    case 'lost':
      return 'lost'
    // warning_*: the bank only asks. prevented: it became a refund, which is listed as one.
    default:
      return null
  }
}
