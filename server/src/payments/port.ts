/**
 * What the server needs of a payment provider, in this product's words.
 *
 * [Note: provider state] Tokens and permissions follow only from what is read from the provider by
 * these calls: never from the browser's return, and never from the content of a notice, which only
 * says that an object is worth reading again. All amounts are whole cents.
 */

import type { FramePage, FramePlace } from '#server/framed.ts'

/** What a person is about to pay for. */
export interface SessionAsk {
  /** Our row's id; the provider repeats it in everything that comes of the session. */
  readonly reference: string
  /** Our id of the account that pays; the provider knows its cards by it. */
  readonly customer: string
  readonly kind: 'tokens' | 'subscription'
  /** Once for tokens, each month for a subscription. */
  readonly amountCents: number
  /** Neutral words: they stand on bank statements. */
  readonly description: string
  /** Stored by the caller, so that a repeated call asks for the same. */
  readonly expiresAt: Date
}

/** A session as the provider has it now. */
export interface SessionFacts {
  readonly providerSessionId: string
  readonly reference: string
  readonly status: 'open' | 'complete' | 'expired'
  /**
   * `pending`: the person is done and the money is on its way (a bank debit takes days). A session
   * can be complete and unpaid, so only `paid` counts.
   */
  readonly payment: 'unpaid' | 'pending' | 'paid' | 'failed'
  /** Null until it is paid, and for the first month of a subscription, which is an invoice. */
  readonly paid: PaidFacts | null
  /** Null until a subscription has come of it. */
  readonly subscriptionId: string | null
}

/** Money that arrived. */
export interface PaidFacts {
  readonly paymentId: string
  readonly amountCents: number
  readonly taxCents: number
  /** ISO 4217, lower case. */
  readonly currency: string
  readonly paidAt: Date
}

/** A subscription as the provider has it now. */
export interface SubscriptionFacts {
  readonly subscriptionId: string
  /** Of the session that it came of. */
  readonly reference: string
  /** `not-begun`: its first bill is not paid; if it stays so for a day, nothing comes of it. */
  readonly state: 'not-begun' | 'active' | 'past-due' | 'ended'
  readonly startedAt: Date
  /** Moves on before the new month is paid, so nothing is granted by it. */
  readonly periodEndsAt: Date
  readonly cancelsAt: Date | null
  readonly endedAt: Date | null
  /** Oldest first. */
  readonly invoices: readonly InvoiceFacts[]
  /** What its bills are paid with; null while the provider keeps nothing for it. */
  readonly method: MethodFacts | null
}

/** Whether a subscription that stands like this has bills to come, and can be changed. */
export const IS_BILLED: Readonly<Record<SubscriptionFacts['state'], boolean>> = {
  'not-begun': false,
  active: true,
  'past-due': true,
  ended: false,
}

/** What the provider keeps to bill by. */
interface MethodFacts {
  readonly methodId: string
  /** The same for one card wherever it is stored; null where the provider does not say. */
  readonly card: string | null
  readonly storedAt: Date
}

/** One bill of a subscription. */
export interface InvoiceFacts {
  readonly invoiceId: string
  /** `other`: a change of the plan, or anything else that is no month of it. */
  readonly reason: 'first-month' | 'next-month' | 'other'
  /** Price of the plan's month before discounts; 0 of a free trial. */
  readonly planCents: number
  readonly periodEndsAt: Date
  readonly isPaid: boolean
  /** Null until it is paid, and when a discount left nothing to pay. */
  readonly paid: PaidFacts | null
}

/** What of a payment went back, as the provider has it now. */
export interface PaymentFacts {
  readonly paymentId: string
  /** Oldest first; only those that the person gets. Together never more than the payment. */
  readonly refunds: readonly RefundFacts[]
  /** Refunds that came back, e.g. because the card is closed: the person does not get them. */
  readonly failedRefundIds: readonly string[]
  /** Null while the bank only asks questions. */
  readonly dispute: DisputeFacts | null
}

/** Money that was given back, all of a payment or a part. */
export interface RefundFacts {
  readonly refundId: string
  readonly amountCents: number
  /** The key of our `refund`; null when it was given at the provider's own pages. */
  readonly key: string | null
}

/** Money that the bank took back. */
export interface DisputeFacts {
  readonly disputeId: string
  readonly amountCents: number
  /** `won`: the bank has returned it. `lost`: it stays away. */
  readonly state: 'open' | 'won' | 'lost'
}

/** The object of a provider that a notice is about. */
export interface ProviderObject {
  readonly kind: 'session' | 'subscription' | 'payment'
  readonly id: string
}

/** A notice whose signature was right. */
export interface ProviderEvent {
  readonly eventId: string
  readonly type: string
  /** Null when it concerns nothing of ours; it is then taken and ignored. */
  readonly about: ProviderObject | null
  readonly occurredAt: Date
}

/** What a provider inside this server needs beside its calls; others do these themselves. */
interface InnerProvider {
  /** The document in which a person changes what a subscription is billed by. */
  portalPage(subscriptionId: string): Promise<FramePage>
  /** Takes what was pressed in it. */
  pressPortal(subscriptionId: string, fields: URLSearchParams): Promise<void>
  /** Takes what was pressed in the document of a session. */
  press(providerSessionId: string, fields: URLSearchParams): Promise<void>
  /** Brings sessions and subscriptions up to the clock and delivers notices that are due. */
  tick(): Promise<void>
}

/**
 * A payment provider. Repeating the key of `openSession` or `refund` with the same input repeats
 * the answer. No call may be made inside a transaction. Each can refuse with
 * `payments/provider-away`, which passes; an id that the provider does not know is
 * `payments/session-not-found`, `subscriptions/not-found` or `payments/not-found`.
 */
export interface PaymentProvider {
  readonly name: 'test' | 'stripe'
  /** False: every page that pays must say so. */
  readonly movesMoney: boolean
  /** Origins whose frames may ask the browser for a stored card (Payment Request API). */
  readonly walletOrigins: readonly string[]
  openSession(ask: SessionAsk, key: string): Promise<{ readonly providerSessionId: string }>
  readSession(providerSessionId: string): Promise<SessionFacts>
  readSubscription(subscriptionId: string): Promise<SubscriptionFacts>
  readPayment(paymentId: string): Promise<PaymentFacts>
  /** Gives money of a payment back. More than is left of it is `payments/not-withdrawable`. */
  refund(paymentId: string, amountCents: number, key: string): Promise<void>
  /** Repeating is harmless, as with `endNow` and `resume`. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<void>
  /** Ends it with its period cut short; what is billed and not paid is not collected any more. */
  endNow(subscriptionId: string): Promise<void>
  /** Takes a cancellation back while the period runs. */
  resume(subscriptionId: string): Promise<void>
  /**
   * Deletes the customer with their cards, which ends what is still billed to them. The payments
   * stay. Repeating is harmless.
   */
  forget(customer: string): Promise<void>
  /**
   * Where a person changes what a subscription is billed by, and comes back from to `returnTo`: an
   * address, or a path of this server. The address itself is the right to do so, for some minutes.
   */
  manageUrl(subscriptionId: string, returnTo: string): Promise<string>
  /** Checks a notice; refuses with `payments/signature-invalid`. `headers` in lower case. */
  readEvent(
    body: Uint8Array,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<ProviderEvent>
  /** `settledAs`: how the session ended, when that is known for good and need not be read. */
  page(
    providerSessionId: string,
    place: FramePlace,
    settledAs?: SessionFacts['status'],
  ): Promise<FramePage>
  /** Null of a provider that has a world of its own. */
  readonly inner: InnerProvider | null
}
