/**
 * A Stripe account in memory: what was made in it, and how time changes it. Objects refer to each
 * other by id, as Stripe stores them; `server.ts` puts whole objects in their place when asked to.
 */
import type Stripe from 'stripe'
import { addMonths } from '#server/calendar.ts'
import {
  accountObject,
  chargeObject,
  customerObject,
  disputeObject,
  endpointObject,
  intentObject,
  invoiceObject,
  invoicePaymentObject,
  metadataOf,
  methodObject,
  portalConfigurationObject,
  portalObject,
  priceObject,
  refundObject,
  sessionObject,
  subscriptionObject,
} from './objects.ts'

export const PLAN_PRICE = 'price_plan'
const PLAN_CENTS = 1900
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** A renewal is a draft for this long before it is billed. */
const DRAFT_S = HOUR_S
/** A bank debit arrives after this time. */
const DEBIT_S = 4 * DAY_S
/** A subscription that is not paid for this long is canceled. */
const UNPAID_S = 14 * DAY_S

/** A refusal in Stripe's words. */
export class Refusal extends Error {
  readonly status: number
  readonly error: { type: string; code?: string; message: string; param?: string }
  constructor(status: number, error: Refusal['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

/** Whether a card pays what it is asked for. */
type Card = 'pays' | 'declines'

export type FakeAccount = ReturnType<typeof createAccount>

export function createAccount(startedAt: string) {
  let nowS = Math.floor(Date.parse(startedAt) / 1000)
  let made = 0
  const newId = (prefix: string): string => `${prefix}_fake${(made += 1)}`
  const customers = new Map<string, Stripe.Customer>()
  const methods = new Map<string, Stripe.PaymentMethod>()
  const sessions = new Map<string, Stripe.Checkout.Session>()
  const intents = new Map<string, Stripe.PaymentIntent>()
  const charges = new Map<string, Stripe.Charge>()
  const subscriptions = new Map<string, Stripe.Subscription>()
  const invoices = new Map<string, Stripe.Invoice>()
  const invoicePayments = new Map<string, Stripe.InvoicePayment>()
  const refunds = new Map<string, Stripe.Refund>()
  const disputes = new Map<string, Stripe.Dispute>()
  const prices = new Map([[PLAN_PRICE, priceObject(PLAN_PRICE, PLAN_CENTS, nowS)]])
  const cards = new Map<string, Card>()
  /** Begun by a card that was declined, by the session whose page asks for another one. */
  const incomplete = new Map<string, Stripe.Subscription>()
  const debits = new Map<string, { readonly arrivesAt: number; readonly isPaid: boolean }>()
  const events: Stripe.EventBase[] = []

  const emit = (type: Stripe.Event.Type, object: object): void => {
    events.push({
      id: newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: nowS,
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    })
  }

  /** Charges what an intent asks for. */
  const charge = (intent: Stripe.PaymentIntent): void => {
    const made = chargeObject(newId('ch'), nowS, intent)
    charges.set(made.id, made)
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: made.id,
    } satisfies Partial<Stripe.PaymentIntent>)
    emit('payment_intent.succeeded', intent)
    emit('charge.succeeded', made)
  }

  const newIntent = (cents: number, customer: string, metadata: Stripe.Metadata) => {
    const intent = intentObject(newId('pi'), nowS, { cents, customer, metadata })
    intents.set(intent.id, intent)
    return intent
  }

  /** A bill of a subscription, not sent yet. */
  const draft = (
    subscription: Stripe.Subscription,
    billed: Omit<Parameters<typeof invoiceObject>[2], 'subscription'>,
  ): Stripe.Invoice => {
    const invoice = invoiceObject(newId('in'), nowS, { subscription, ...billed })
    invoices.set(invoice.id, invoice)
    subscription.latest_invoice = invoice.id
    emit('invoice.created', invoice)
    return invoice
  }

  const payInvoice = (invoice: Stripe.Invoice): void => {
    const cents = invoice.amount_due
    if (cents > 0) {
      const intent = newIntent(cents, idOf(invoice.customer), {})
      charge(intent)
      const payment = invoicePaymentObject(newId('inpay'), nowS, invoice, intent)
      Object.assign(payment, {
        status: 'paid',
        amount_paid: cents,
        status_transitions: { canceled_at: null, paid_at: nowS },
      } satisfies Partial<Stripe.InvoicePayment>)
      invoicePayments.set(payment.id, payment)
    }
    Object.assign(invoice, {
      status: 'paid',
      amount_paid: cents,
      amount_remaining: 0,
      attempted: true,
    } satisfies Partial<Stripe.Invoice>)
    invoice.status_transitions.paid_at = nowS
    emit('invoice.paid', invoice)
  }

  const invoicesOf = (id: string): Stripe.Invoice[] =>
    [...invoices.values()].filter(
      (one) => idOf(one.parent?.subscription_details?.subscription) === id,
    )

  const becomes = (subscription: Stripe.Subscription, status: Stripe.Subscription.Status): void => {
    if (subscription.ended_at !== null) return
    subscription.status = status
    emit('customer.subscription.updated', subscription)
  }

  const draftsOf = (id: string): Stripe.Invoice[] =>
    invoicesOf(id).filter((one) => one.status === 'draft' && one.auto_advance !== false)

  /** Bills what is open, if the card pays; after the end of a subscription only its drafts. */
  const collect = (subscription: Stripe.Subscription): void => {
    const { id, ended_at: endedAt } = subscription
    const open = [
      ...invoicesOf(id).filter((one) => one.status === 'open' && endedAt === null),
      ...draftsOf(id).filter((one) => one.created + DRAFT_S <= nowS),
    ]
    for (const invoice of open) {
      const wasDraft = invoice.status === 'draft'
      invoice.status = 'open'
      invoice.status_transitions.finalized_at ??= nowS
      if (cards.get(subscription.id) !== 'declines') {
        payInvoice(invoice)
        becomes(subscription, 'active')
      } else if (wasDraft) {
        invoice.attempted = true
        emit('invoice.payment_failed', invoice)
        becomes(subscription, 'past_due')
      }
    }
  }

  const end = (subscription: Stripe.Subscription): void => {
    Object.assign(subscription, {
      status: 'canceled',
      ended_at: nowS,
      canceled_at: subscription.canceled_at ?? nowS,
    } satisfies Partial<Stripe.Subscription>)
    emit('customer.subscription.deleted', subscription)
  }

  const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
    const [item] = subscription.items.data
    if (item === undefined) throw new Error(`${subscription.id} has no item`)
    return item
  }

  /** The period moves on at once; its bill is paid an hour later. */
  const renew = (subscription: Stripe.Subscription): void => {
    const item = itemOf(subscription)
    const months = invoicesOf(subscription.id).filter(
      (one) => one.billing_reason !== 'subscription_update',
    ).length
    const next = addMonths(subscription.start_date * 1000, months + 1) / 1000
    item.current_period_start = item.current_period_end
    item.current_period_end = next
    emit('customer.subscription.updated', subscription)
    draft(subscription, {
      reason: 'subscription_cycle',
      cents: item.price.unit_amount ?? 0,
      period: { start: item.current_period_start, end: next },
    })
  }

  /** When a subscription next changes by itself. */
  const dueAt = (subscription: Stripe.Subscription): number => {
    const drafts = draftsOf(subscription.id)
    if (subscription.ended_at !== null)
      return Math.min(Infinity, ...drafts.map((one) => one.created + DRAFT_S))
    const { current_period_end: periodEnd } = itemOf(subscription)
    const open = invoicesOf(subscription.id).filter((one) => one.status === 'open')
    return Math.min(
      periodEnd,
      subscription.cancel_at ?? Infinity,
      ...drafts.map((one) => one.created + DRAFT_S),
      ...open.map((one) => one.created + UNPAID_S),
    )
  }

  const live = (subscription: Stripe.Subscription): void => {
    if (subscription.ended_at !== null) {
      collect(subscription)
      return
    }
    const { current_period_end: periodEnd } = itemOf(subscription)
    const isUnpaid = invoicesOf(subscription.id).some(
      (one) => one.status === 'open' && one.created + UNPAID_S <= nowS,
    )
    if ((subscription.cancel_at ?? Infinity) <= nowS || isUnpaid) end(subscription)
    else if (periodEnd <= nowS) renew(subscription)
    else collect(subscription)
  }

  const complete = (session: Stripe.Checkout.Session): void => {
    session.status = 'complete'
    if (session.mode === 'subscription') {
      const subscription = incomplete.get(session.id) ?? begin(session, 'active')
      if (incomplete.delete(session.id)) becomes(subscription, 'active')
      session.subscription = subscription.id
      session.invoice = subscription.latest_invoice
    } else
      session.payment_intent = newIntent(
        session.amount_total ?? 0,
        idOf(session.customer),
        session.metadata ?? {},
      ).id
  }

  const begin = (
    session: Stripe.Checkout.Session,
    status: 'active' | 'incomplete',
  ): Stripe.Subscription => {
    const customer = idOf(session.customer)
    const method = methodObject(newId('pm'), nowS, customer)
    methods.set(method.id, method)
    const subscription = subscriptionObject(newId('sub'), nowS, {
      customer,
      metadata: session.metadata ?? {},
      method: method.id,
      price: found(prices, PLAN_PRICE),
      periodEnd: addMonths(nowS * 1000, 1) / 1000,
    })
    subscription.status = status
    subscriptions.set(subscription.id, subscription)
    emit('customer.subscription.created', subscription)
    const first = draft(subscription, {
      reason: 'subscription_create',
      cents: PLAN_CENTS,
      period: { start: nowS, end: itemOf(subscription).current_period_end },
    })
    first.status = 'open'
    return subscription
  }

  /** The page of a session was left: what a declined card began is over. */
  const expire = (session: Stripe.Checkout.Session): void => {
    session.status = 'expired'
    emit('checkout.session.expired', session)
    const left = incomplete.get(session.id)
    if (left === undefined) return
    found(invoices, idOf(left.latest_invoice)).status = 'void'
    becomes(left, 'incomplete_expired')
    left.ended_at = nowS
  }

  const settle = (session: Stripe.Checkout.Session): void => {
    session.payment_status = 'paid'
    if (session.mode === 'subscription') payInvoice(found(invoices, idOf(session.invoice)))
    else charge(found(intents, idOf(session.payment_intent)))
  }

  const isOpen = (session: Stripe.Checkout.Session): boolean => session.status === 'open'

  /** Everything that happens until now, in its own time. */
  const passTo = (endS: number): void => {
    for (;;) {
      const dues = [
        ...[...subscriptions.values()].map((one) => ({ at: dueAt(one), run: () => live(one) })),
        ...[...debits].map(([id, { arrivesAt, isPaid }]) => ({
          at: arrivesAt,
          run: () => arrive(found(sessions, id), isPaid),
        })),
        ...[...sessions.values()].filter(isOpen).map((one) => ({
          at: one.expires_at,
          run: () => expire(one),
        })),
      ].toSorted((one, other) => one.at - other.at)
      const [next] = dues
      if (next === undefined || next.at > endS) break
      nowS = Math.max(nowS, next.at)
      next.run()
    }
    nowS = endS
  }

  const arrive = (session: Stripe.Checkout.Session, isPaid: boolean): void => {
    debits.delete(session.id)
    if (isPaid) {
      settle(session)
      emit('checkout.session.async_payment_succeeded', session)
      return
    }
    const intent = intents.get(idOf(session.payment_intent))
    if (intent !== undefined) intent.status = 'requires_payment_method'
    const subscription = subscriptions.get(idOf(session.subscription))
    if (subscription !== undefined) end(subscription)
    emit('checkout.session.async_payment_failed', session)
  }

  const intentOf = (sessionId: string): Stripe.PaymentIntent => {
    const session = found(sessions, sessionId)
    if (session.mode === 'payment') return found(intents, idOf(session.payment_intent))
    const paid = invoicesOf(idOf(session.subscription)).findLast((one) => one.status === 'paid')
    const payment = [...invoicePayments.values()].find((one) => one.invoice === paid?.id)
    return found(intents, idOf(payment?.payment.payment_intent))
  }

  const leftOf = (intent: Stripe.PaymentIntent): number =>
    [...refunds.values()]
      .filter((one) => one.payment_intent === intent.id && one.status !== 'failed')
      .reduce((left, one) => left - one.amount, intent.amount_received)

  return {
    clock: () => new Date(nowS * 1000),
    /** What an operator sets up; a test changes it in place. */
    settings: {
      account: accountObject(),
      endpoints: [] as Stripe.WebhookEndpoint[],
      portal: portalConfigurationObject(nowS),
    },
    addEndpoint(url: string): void {
      this.settings.endpoints.push(endpointObject(newId('we'), nowS, url))
    },
    objects: {
      customers,
      methods,
      sessions,
      intents,
      charges,
      subscriptions,
      invoices,
      invoicePayments,
      refunds,
      disputes,
      prices,
    },
    /** Every event until now, oldest first. */
    events,
    pass(ms: number): void {
      passTo(nowS + Math.floor(ms / 1000))
    },
    createCustomer(params: Stripe.CustomerCreateParams): Stripe.Customer {
      const customer = customerObject(newId('cus'), nowS, params)
      customers.set(customer.id, customer)
      return customer
    },
    /** Ends what is billed to the customer. */
    deleteCustomer(id: string): Stripe.DeletedCustomer {
      found(customers, id)
      customers.delete(id)
      for (const one of subscriptions.values())
        if (idOf(one.customer) === id && one.ended_at === null) end(one)
      return { id, object: 'customer', deleted: true }
    },
    createSession(params: Stripe.Checkout.SessionCreateParams): Stripe.Checkout.Session {
      const [line] = params.line_items ?? []
      const price = line?.price === undefined ? null : found(prices, line.price)
      const cents = price?.unit_amount ?? line?.price_data?.unit_amount ?? 0
      const expiresAt = params.expires_at ?? nowS + DAY_S
      if (expiresAt < nowS + HOUR_S / 2 || expiresAt > nowS + DAY_S)
        throw new Refusal(400, {
          type: 'invalid_request_error',
          message: 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.',
          param: 'expires_at',
        })
      found(customers, params.customer ?? '')
      const session = sessionObject(newId('cs_test'), nowS, params, cents)
      sessions.set(session.id, session)
      return session
    },
    updateSubscription(id: string, params: Stripe.SubscriptionUpdateParams): Stripe.Subscription {
      const subscription = found(subscriptions, id)
      const { cancel_at_period_end: isAtEnd, cancel_at: cancelAt } = params
      if (subscription.status === 'incomplete')
        throw invalid('An incomplete subscription can only update its metadata.')
      if (subscription.ended_at !== null)
        throw invalid('A canceled subscription can only update its cancellation_details.')
      if (isAtEnd !== undefined && cancelAt !== undefined)
        throw invalid('You may only specify one of: cancel_at, cancel_at_period_end.')
      if (isAtEnd !== undefined) {
        subscription.cancel_at_period_end = isAtEnd
        subscription.cancel_at = isAtEnd ? itemOf(subscription).current_period_end : null
      } else subscription.cancel_at = null
      emit('customer.subscription.updated', subscription)
      return subscription
    },
    cancelSubscription(id: string): Stripe.Subscription {
      const subscription = found(subscriptions, id)
      if (subscription.ended_at !== null) throw missing(id)
      end(subscription)
      return subscription
    },
    updateInvoice(id: string, { auto_advance }: { readonly auto_advance: boolean }) {
      const invoice = found(invoices, id)
      if (invoice.status !== 'draft' && invoice.status !== 'open')
        throw invalid('Only draft and open invoices advance.')
      return Object.assign(invoice, { auto_advance })
    },
    openPortal(params: Stripe.BillingPortal.SessionCreateParams): Stripe.BillingPortal.Session {
      const customer = found(customers, params.customer ?? '')
      return portalObject(newId('bps'), nowS, customer.id, params.return_url ?? null)
    },
    createRefund(params: Stripe.RefundCreateParams): Stripe.Refund {
      const intent = found(intents, params.payment_intent ?? '')
      const left = leftOf(intent)
      const cents = params.amount ?? left
      const isDisputed = [...disputes.values()].some(
        (one) => one.payment_intent === intent.id && one.status !== 'won',
      )
      if (isDisputed) throw invalid('Charge has been charged back.', 'charge_disputed')
      if (left === 0) throw invalid('Charge has already been refunded.', 'charge_already_refunded')
      if (cents > left) throw invalid('Refund amount is greater than unrefunded amount on charge.')
      const metadata = metadataOf(params.metadata)
      const refund = refundObject(newId('re'), nowS, { intent, cents, metadata })
      refunds.set(refund.id, refund)
      emit('refund.created', refund)
      return refund
    },
    /** What a person does on the page of a session; nothing where it is over. */
    pay(sessionId: string): void {
      const session = found(sessions, sessionId)
      if (!isOpen(session)) return
      complete(session)
      settle(session)
      emit('checkout.session.completed', session)
    },
    /** The session is complete, and its money arrives, or does not, in four days. */
    payByDebit(sessionId: string, isPaid = true): void {
      const session = found(sessions, sessionId)
      if (!isOpen(session)) return
      complete(session)
      const intent = intents.get(idOf(session.payment_intent))
      if (intent !== undefined) intent.status = 'processing'
      debits.set(sessionId, { arrivesAt: nowS + DEBIT_S, isPaid })
      emit('checkout.session.completed', session)
    },
    /** Stays open: the page asks for another card. A subscription is there, and incomplete. */
    decline(sessionId: string): void {
      const session = found(sessions, sessionId)
      if (session.mode === 'subscription' && isOpen(session) && !incomplete.has(sessionId))
        incomplete.set(sessionId, begin(session, 'incomplete'))
    },
    /** Whether the card of a session's subscription pays from now on; it is tried at once. */
    setCard(sessionId: string, card: Card): void {
      const id = idOf(found(sessions, sessionId).subscription)
      cards.set(id, card)
      if (card === 'pays') collect(found(subscriptions, id))
    },
    /** Cancels as the portal does in flexible billing mode: by a date, without the flag. */
    cancelInPortal(subscriptionId: string): void {
      const subscription = found(subscriptions, subscriptionId)
      subscription.cancel_at = itemOf(subscription).current_period_end
      emit('customer.subscription.updated', subscription)
    },
    /** Bills something else than a month: a change of the plan, a trial, a free month. */
    bill(subscriptionId: string, billed: Omit<Parameters<typeof draft>[1], 'period'>): void {
      const subscription = found(subscriptions, subscriptionId)
      const { current_period_start: start, current_period_end } = itemOf(subscription)
      payInvoice(draft(subscription, { ...billed, period: { start, end: current_period_end } }))
    },
    refundAll(sessionId: string): void {
      const intent = intentOf(sessionId)
      this.createRefund({ payment_intent: intent.id, metadata: {} })
    },
    /** The money of all refunds comes back to the account, as from a card that is closed. */
    failRefunds(sessionId: string): void {
      const { id } = intentOf(sessionId)
      for (const refund of refunds.values())
        if (refund.payment_intent === id && refund.status !== 'failed') {
          refund.status = 'failed'
          emit('refund.failed', refund)
        }
    },
    /** `warning_needs_response`: the bank only asks, and takes no money. */
    dispute(
      sessionId: string,
      status: 'needs_response' | 'warning_needs_response' = 'needs_response',
    ): void {
      const intent = intentOf(sessionId)
      const dispute = disputeObject(newId('du'), nowS, intent, leftOf(intent))
      dispute.status = status
      disputes.set(dispute.id, dispute)
      emit('charge.dispute.created', dispute)
    },
    decideDispute(sessionId: string, status: 'won' | 'lost'): void {
      const { id } = intentOf(sessionId)
      const dispute = [...disputes.values()].find((one) => one.payment_intent === id)
      if (dispute === undefined) throw new Error(`${sessionId} is not disputed`)
      dispute.status = status
      emit('charge.dispute.closed', dispute)
    },
  }
}

/** One of what was made, or Stripe's refusal. */
export function found<Made>(made: ReadonlyMap<string, Made>, id: string): Made {
  const one = made.get(id)
  if (one !== undefined) return one
  throw missing(id)
}

function missing(id: string): Refusal {
  return new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such object: '${id}'`,
    param: 'id',
  })
}

function invalid(message: string, code?: string): Refusal {
  const type = 'invalid_request_error'
  return new Refusal(400, code === undefined ? { type, message } : { type, code, message })
}

/** The id of an object that is stored by its id; empty when there is none. */
export function idOf(part: string | { readonly id: string } | null | undefined): string {
  return (typeof part === 'string' ? part : part?.id) ?? ''
}
