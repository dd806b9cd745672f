import type Stripe from 'stripe'
import type { Log } from '#server/log.ts'
import {
  IS_BILLED,
  type PaymentFacts,
  type PaymentProvider,
  type SessionAsk,
  type SubscriptionFacts,
} from '#server/payments/port.ts'
import { Problem } from '#server/problems.ts'
import { createAsk, createStripeClient, isRefusal, type Ask, type Transport } from './client.ts'
import { readStripeEvent } from './events.ts'
import {
  INVOICE_EXPANSIONS,
  paymentFacts,
  REFERENCE,
  REFUND_KEY,
  SESSION_EXPANSIONS,
  sessionFacts,
  stateOf,
  SUBSCRIPTION_EXPANSIONS,
  subscriptionFacts,
} from './facts.ts'
import { stripePage, WALLET_ORIGINS } from './page.ts'

/** The keys of one account, all of one mode. */
interface StripeKeys {
  readonly secretKey: string
  readonly publishableKey: string
  /** Of the webhook endpoint. */
  readonly webhookSecret: string
  /** The monthly price of the plan. */
  readonly priceId: string
  /** False of the keys of a sandbox. */
  readonly movesMoney: boolean
}

interface StripeParts extends StripeKeys {
  readonly clock: () => Date
  readonly log: Log
  readonly transport?: Transport
}

/** What one reading lists at most; what is older was booked long ago. */
const LISTED = 100
const CURRENCY = 'usd'
/** The name under which our id of an account is stored. */
const ACCOUNT = 'onecut_account'

interface Account {
  readonly stripe: Stripe
  readonly ask: Ask
  readonly priceId: string
}

/** The provider that takes cards by Stripe, with the keys of one account. */
export function createStripeProvider(parts: StripeParts): PaymentProvider {
  const { secretKey, publishableKey, webhookSecret: secret, priceId, clock, log } = parts
  const { movesMoney: isLive } = parts
  const stripe = createStripeClient(secretKey, parts.transport)
  const ask = createAsk(log)
  const account: Account = { stripe, ask, priceId }
  return {
    name: 'stripe',
    movesMoney: isLive,
    walletOrigins: WALLET_ORIGINS,
    openSession: async (asked, key) => await openSession(account, asked, key),
    readSession: async (id) =>
      sessionFacts(await readSession(account, id, { expand: SESSION_EXPANSIONS })),
    readSubscription: async (id) => await readWithInvoices(account, id),
    readPayment: async (id) => await readMoneyBack(account, id),
    refund: async (id, cents, key) => {
      await refund(account, id, cents, key)
    },
    cancelAtPeriodEnd: async (id) => {
      await change(account, id, { cancel_at_period_end: true, proration_behavior: 'none' })
    },
    endNow: async (id) => {
      await endNow(account, id)
    },
    resume: async (id) => {
      const { cancel_at_period_end, cancel_at } = await readSubscription(account, id)
      // One of the two at a time: Stripe refuses a change of both.
      if (cancel_at_period_end) await change(account, id, { cancel_at_period_end: false })
      else if (cancel_at !== null) await change(account, id, { cancel_at: '' })
    },
    forget: async (customer) => {
      await forget(account, customer)
    },
    manageUrl: async (id, returnTo) => await openPortal(account, id, returnTo),
    readEvent: async (body, headers) =>
      readStripeEvent({ stripe, secret, isLive, clock }, body, headers),
    page: async (id, place, settledAs) =>
      stripePage(
        settledAs === undefined
          ? await readSession(account, id)
          : { status: settledAs, client_secret: null },
        { publishableKey, isLive, place },
      ),
    inner: null,
  }
}

async function openSession(
  { stripe, ask, priceId }: Account,
  asked: SessionAsk,
  key: string,
): Promise<{ providerSessionId: string }> {
  const customer = await customerOf({ stripe, ask }, asked.customer)
  const { reference, kind, amountCents, description, expiresAt } = asked
  const metadata = { [REFERENCE]: reference }
  const common: Stripe.Checkout.SessionCreateParams = {
    ui_mode: 'embedded_page',
    // A redirect would end the page around the frame, and the upload that runs in it.
    redirect_on_completion: 'never',
    client_reference_id: reference,
    customer,
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    // What is paid is what was shown: dollars.
    adaptive_pricing: { enabled: false },
    metadata,
  }
  const price_data = {
    currency: CURRENCY,
    unit_amount: amountCents,
    product_data: { name: description },
  }
  const { id } = await ask(
    async () =>
      await stripe.checkout.sessions.create(
        kind === 'subscription'
          ? {
              ...common,
              mode: 'subscription',
              line_items: [{ price: priceId, quantity: 1 }],
              subscription_data: { metadata },
            }
          : {
              ...common,
              mode: 'payment',
              line_items: [{ price_data, quantity: 1 }],
              payment_intent_data: { metadata, description },
            },
        { idempotencyKey: key },
      ),
  )
  return { providerSessionId: id }
}

/**
 * The customer of an account. The search finds a new customer after a minute at the latest; until
 * then the key repeats the answer that made it.
 */
async function customerOf(
  { stripe, ask }: Pick<Account, 'stripe' | 'ask'>,
  accountId: string,
): Promise<string> {
  const [customer] = await searchCustomers({ stripe, ask }, accountId)
  if (customer !== undefined) return customer.id
  const { id } = await ask(
    async () =>
      await stripe.customers.create(
        { metadata: { [ACCOUNT]: accountId } },
        { idempotencyKey: `customer:${accountId}` },
      ),
  )
  return id
}

async function searchCustomers(
  { stripe, ask }: Pick<Account, 'stripe' | 'ask'>,
  accountId: string,
): Promise<Stripe.Customer[]> {
  const query = `metadata['${ACCOUNT}']:'${accountId}'`
  const found = await ask(async () => await stripe.customers.search({ query, limit: LISTED }))
  return found.data
}

async function forget(account: Account, accountId: string): Promise<void> {
  const { stripe, ask } = account
  for (const { id } of await searchCustomers(account, accountId))
    await ask(async () => await stripe.customers.del(id))
}

async function readSession(
  { stripe, ask }: Account,
  id: string,
  params: Stripe.Checkout.SessionRetrieveParams = {},
): Promise<Stripe.Checkout.Session> {
  return await ask(
    async () => await stripe.checkout.sessions.retrieve(id, params),
    'payments/session-not-found',
  )
}

async function readSubscription(
  { stripe, ask }: Account,
  id: string,
  params: Stripe.SubscriptionRetrieveParams = {},
): Promise<Stripe.Subscription> {
  return await ask(
    async () => await stripe.subscriptions.retrieve(id, params),
    'subscriptions/not-found',
  )
}

async function readWithInvoices(account: Account, id: string): Promise<SubscriptionFacts> {
  const { stripe, ask } = account
  const listed = { subscription: id, limit: LISTED, expand: INVOICE_EXPANSIONS }
  const [subscription, invoices] = await Promise.all([
    readSubscription(account, id, { expand: SUBSCRIPTION_EXPANSIONS }),
    ask(async () => await stripe.invoices.list(listed), 'subscriptions/not-found'),
  ])
  return subscriptionFacts(subscription, invoices.data)
}

async function readMoneyBack({ stripe, ask }: Account, id: string): Promise<PaymentFacts> {
  const listed = { payment_intent: id, limit: LISTED }
  const [, refunds, disputes] = await Promise.all([
    ask(async () => await stripe.paymentIntents.retrieve(id), 'payments/not-found'),
    ask(async () => await stripe.refunds.list(listed), 'payments/not-found'),
    ask(async () => await stripe.disputes.list(listed), 'payments/not-found'),
  ])
  return paymentFacts(id, refunds.data, disputes.data)
}

/** A page of the customer portal, with the settings of the account. */
async function openPortal(account: Account, id: string, returnTo: string): Promise<string> {
  const { stripe, ask } = account
  const { customer } = await readSubscription(account, id)
  const params = {
    customer: typeof customer === 'string' ? customer : customer.id,
    return_url: returnTo,
  }
  const { url } = await ask(async () => await stripe.billingPortal.sessions.create(params))
  return url
}

/** Changes a subscription; one that has ended meanwhile, or has not begun, stays as it is. */
async function change(
  account: Account,
  id: string,
  params: Stripe.SubscriptionUpdateParams,
): Promise<void> {
  const { stripe, ask } = account
  try {
    await ask(async () => await stripe.subscriptions.update(id, params), 'subscriptions/not-found')
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (IS_BILLED[stateOf(await readSubscription(account, id))]) throw error
  }
}

/** Canceling stops the collection of finalized invoices, and not that of a renewal's draft. */
async function endNow(account: Account, id: string): Promise<void> {
  const { stripe, ask } = account
  if (!IS_BILLED[stateOf(await readSubscription(account, id))]) return
  const listed = { subscription: id, status: 'draft', limit: LISTED } as const
  const drafts = await ask(async () => await stripe.invoices.list(listed))
  for (const draft of drafts.data)
    await ask(async () => await stripe.invoices.update(draft.id, { auto_advance: false }))
  await ask(async () => await stripe.subscriptions.cancel(id), 'subscriptions/not-found')
}

async function refund(
  { stripe, ask }: Account,
  paymentId: string,
  amountCents: number,
  key: string,
): Promise<void> {
  try {
    await ask(
      async () =>
        await stripe.refunds.create(
          { payment_intent: paymentId, amount: amountCents, metadata: { [REFUND_KEY]: key } },
          { idempotencyKey: key },
        ),
      'payments/not-found',
    )
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new Problem('payments/not-withdrawable', 'So much is not left of this payment.')
  }
}
