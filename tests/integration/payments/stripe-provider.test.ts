import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '#server/log.ts'
import { AT_APP } from '#server/routes/frame-documents.ts'
import { grantsTokens } from '#server/operations/commerce/payments/amounts.ts'
import { createStripeProvider } from '#server/payments/stripe/provider.ts'
import type { SessionAsk } from '#server/payments/port.ts'
import { PLAN_PRICE } from '#tests/fakes/stripe/account.ts'
import { signed, WEBHOOK_SECRET } from '#tests/fakes/stripe/notices.ts'
import {
  SECRET_KEY,
  startFakeStripe,
  type FakeStripe,
  type Fault,
} from '#tests/fakes/stripe/server.ts'
import { describePaymentProvider, type ProviderUnderTest } from '#tests/suites/payment-provider.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let stripe: FakeStripe
let logged: string[] = []
afterEach(async () => {
  await stripe.stop()
})

async function create(
  change: { readonly secretKey?: string; readonly timeout?: number } = {},
): Promise<ProviderUnderTest> {
  const { secretKey = SECRET_KEY, timeout = 8_000 } = change
  stripe = await startFakeStripe()
  logged = []
  const { account, transport } = stripe
  const provider = createStripeProvider({
    secretKey,
    publishableKey: 'pk_test_fake',
    webhookSecret: WEBHOOK_SECRET,
    priceId: PLAN_PRICE,
    movesMoney: false,
    clock: account.clock,
    log: createLog((line) => logged.push(line)),
    transport: { ...transport, timeout },
  })
  return {
    provider,
    clock: account.clock,
    pass: async (ms) => account.pass(ms),
    pay: async (id) => account.pay(id),
    decline: async (id) => account.decline(id),
    payLate: async (id) => account.payByDebit(id),
    setRenewals: async (id, renewals) =>
      account.setCard(id, renewals === 'succeed' ? 'pays' : 'declines'),
    refundAll: async (id) => account.refundAll(id),
    failRefund: async (id) => account.failRefunds(id),
    dispute: async (id) => account.dispute(id),
    decideDispute: async (id, state) => account.decideDispute(id, state),
    posted: () => account.events.map((event) => signed(event, new Date(event.created * 1000))),
  }
}

describePaymentProvider('stripe', create)

function asked(change: Partial<SessionAsk> = {}): SessionAsk {
  return {
    reference: crypto.randomUUID(),
    customer: crypto.randomUUID(),
    kind: 'tokens',
    amountCents: 2000,
    description: 'Tokens',
    expiresAt: new Date(stripe.account.clock().getTime() + DAY_MS),
    ...change,
  }
}

async function begin(change: Partial<SessionAsk> = {}) {
  const { provider } = await create()
  const ask = asked(change)
  const { providerSessionId } = await provider.openSession(ask, `session:${ask.reference}`)
  return { provider, ask, sessionId: providerSessionId }
}

async function subscribed() {
  const { provider, sessionId } = await begin({ kind: 'subscription', amountCents: 1900 })
  stripe.account.pay(sessionId)
  const { subscriptionId } = await provider.readSession(sessionId)
  return { provider, sessionId, subscriptionId: subscriptionId ?? '' }
}

describe('what is sent to Stripe', () => {
  it('names the version, a key for each write, and no telemetry', async () => {
    const { ask } = await begin()
    expect(stripe.seen.map(({ call }) => call)).toEqual([
      'GET /v1/customers/search',
      'POST /v1/customers',
      'POST /v1/checkout/sessions',
    ])
    expect(stripe.seen.map(({ key }) => key)).toEqual([
      undefined,
      `customer:${ask.customer}`,
      `session:${ask.reference}`,
    ])
    expect(new Set(stripe.seen.map(({ version }) => version))).toEqual(
      new Set(['2026-10-28.endive']),
    )
    expect(stripe.seen.every(({ telemetry }) => telemetry === undefined)).toBe(true)
  })

  it('asks for no redirect, in dollars, until the time that was stored', async () => {
    const { ask, sessionId } = await begin()
    const session = stripe.account.objects.sessions.get(sessionId)
    expect(session).toMatchObject({
      ui_mode: 'embedded_page',
      redirect_on_completion: 'never',
      adaptive_pricing: { enabled: false },
      expires_at: ask.expiresAt.getTime() / 1000,
      client_reference_id: ask.reference,
    })
  })

  it('makes one customer of an account, before and after the search knows it', async () => {
    const { provider, ask } = await begin()
    const next = { ...ask, reference: crypto.randomUUID() }
    await provider.openSession(next, `session:${next.reference}`)
    stripe.account.pass(25 * 60 * MINUTE_MS)
    const later = asked({ customer: ask.customer })
    await provider.openSession(later, `session:${later.reference}`)
    expect(stripe.account.objects.customers.size).toBe(1)
  })
})

describe('a person who is forgotten', () => {
  it('is no customer any more, is billed nothing, and keeps what was paid', async () => {
    const { provider, ask, sessionId } = await begin({ kind: 'subscription', amountCents: 1900 })
    stripe.account.pay(sessionId)
    const { subscriptionId } = await provider.readSession(sessionId)
    stripe.account.pass(2 * MINUTE_MS)
    await provider.forget(ask.customer)
    await provider.forget(ask.customer)
    expect(stripe.account.objects.customers.size).toBe(0)
    expect(await provider.readSubscription(subscriptionId ?? '')).toMatchObject({
      state: 'ended',
      invoices: [{ isPaid: true }],
    })
  })
})

describe('a Stripe that cannot be reached', () => {
  it.each<Fault>(['server-error', 'lost-answer'])(
    '%s: repeats the write with its key, and opens one session',
    async (fault) => {
      const { provider } = await create()
      const ask = asked()
      // The search and the customer pass.
      stripe.fail(null, null, fault, fault)
      const { providerSessionId } = await provider.openSession(ask, 'session:one')
      expect(stripe.seen.filter(({ key }) => key === 'session:one')).toHaveLength(3)
      expect([...stripe.account.objects.sessions.keys()]).toEqual([providerSessionId])
    },
  )

  it.each<[Fault, number]>([
    ['rate-limit', 1],
    ['server-error', 3],
    ['stall', 3],
  ])('%s: is away for as long as it lasts', async (fault, times) => {
    const { provider } = await create(fault === 'stall' ? { timeout: 100 } : {})
    stripe.fail(...Array.from({ length: times }, () => fault))
    await expect(provider.readSession('cs_test_1')).rejects.toMatchObject({
      code: 'payments/provider-away',
    })
    await expect(provider.readSession('cs_test_1')).rejects.toMatchObject({
      code: 'payments/session-not-found',
    })
  })

  it('is away with a key that Stripe refuses, and logs no key', async () => {
    const { provider } = await create({ secretKey: 'sk_test_wrong' })
    await expect(provider.openSession(asked(), 'session:x')).rejects.toMatchObject({
      code: 'payments/provider-away',
    })
    expect(logged).toEqual([expect.stringContaining('stripe/away')])
    expect(logged.join()).not.toContain('sk_test')
  })
})

describe('money that arrives later', () => {
  it('is not paid before it arrives, and failed when it does not', async () => {
    const { provider, sessionId } = await begin()
    stripe.account.payByDebit(sessionId, false)
    expect(await provider.readSession(sessionId)).toMatchObject({
      status: 'complete',
      payment: 'pending',
    })
    stripe.account.pass(5 * DAY_MS)
    expect(await provider.readSession(sessionId)).toMatchObject({ payment: 'failed', paid: null })
  })

  it('begins no subscription before it arrives', async () => {
    const { provider, sessionId } = await begin({ kind: 'subscription', amountCents: 1900 })
    stripe.account.payByDebit(sessionId)
    expect(await provider.readSession(sessionId)).toMatchObject({
      payment: 'pending',
      subscriptionId: null,
    })
    stripe.account.pass(5 * DAY_MS)
    const { payment, subscriptionId } = await provider.readSession(sessionId)
    expect(payment).toBe('paid')
    expect(await provider.readSubscription(subscriptionId ?? '')).toMatchObject({
      state: 'active',
      invoices: [{ isPaid: true }],
    })
  })

  it('fails a subscription whose first month never arrives', async () => {
    const { provider, sessionId } = await begin({ kind: 'subscription', amountCents: 1900 })
    stripe.account.payByDebit(sessionId, false)
    stripe.account.pass(5 * DAY_MS)
    expect(await provider.readSession(sessionId)).toMatchObject({ payment: 'failed' })
  })
})

describe('a subscription whose first card is declined', () => {
  const declined = async () => {
    const { provider, sessionId } = await begin({ kind: 'subscription', amountCents: 1900 })
    stripe.account.decline(sessionId)
    const [subscriptionId = ''] = stripe.account.objects.subscriptions.keys()
    return { provider, sessionId, subscriptionId }
  }

  it('has not begun, is nothing to cancel, and begins with the next card', async () => {
    const { provider, sessionId, subscriptionId } = await declined()
    const waiting = { state: 'not-begun', cancelsAt: null, invoices: [{ isPaid: false }] }
    expect(await provider.readSubscription(subscriptionId)).toMatchObject(waiting)
    await provider.cancelAtPeriodEnd(subscriptionId)
    await provider.endNow(subscriptionId)
    expect(await provider.readSubscription(subscriptionId)).toMatchObject(waiting)
    stripe.account.pay(sessionId)
    expect(await provider.readSession(sessionId)).toMatchObject({ payment: 'paid', subscriptionId })
    expect(await provider.readSubscription(subscriptionId)).toMatchObject({
      state: 'active',
      invoices: [{ isPaid: true }],
    })
  })

  it('never begins when its page is left', async () => {
    const { provider, sessionId, subscriptionId } = await declined()
    stripe.account.pass(2 * DAY_MS)
    expect(await provider.readSession(sessionId)).toMatchObject({ status: 'expired' })
    expect(await provider.readSubscription(subscriptionId)).toMatchObject({
      state: 'not-begun',
      invoices: [],
    })
  })
})

describe('the invoices of a subscription', () => {
  const last = async (bill: Parameters<FakeStripe['account']['bill']>[1]) => {
    const { provider, subscriptionId } = await subscribed()
    stripe.account.bill(subscriptionId, bill)
    const { invoices } = await provider.readSubscription(subscriptionId)
    expect(invoices).toHaveLength(2)
    return invoices[1]
  }

  it.each([
    ['a next month', { reason: 'subscription_cycle', cents: 1900 }, true],
    [
      'a month that a coupon paid',
      { reason: 'subscription_cycle', cents: 1900, discountCents: 1900 },
      true,
    ],
    [
      'a month that half a coupon paid',
      { reason: 'subscription_cycle', cents: 1900, discountCents: 950 },
      true,
    ],
    ['a free trial', { reason: 'subscription_create', cents: 0 }, false],
    ['a change of the plan', { reason: 'subscription_update', cents: 1900 }, false],
    ['a share of a month', { reason: 'subscription_update', cents: 900, isProration: true }, false],
    [
      'a share of a month, billed with a month',
      { reason: 'subscription_cycle', cents: 900, isProration: true },
      false,
    ],
    ['a bill made by hand', { reason: 'manual', cents: 1900 }, false],
    ['a threshold', { reason: 'subscription_threshold', cents: 1900 }, false],
  ] as const)('%s grants a month: %s', async (_name, bill, isMonth) => {
    const invoice = await last(bill)
    expect(invoice?.isPaid).toBe(true)
    expect(invoice !== undefined && grantsTokens(invoice)).toBe(isMonth)
  })

  it('a draft and a bill that failed grant nothing', async () => {
    const { provider, sessionId, subscriptionId } = await subscribed()
    const { periodEndsAt } = await provider.readSubscription(subscriptionId)
    stripe.account.setCard(sessionId, 'declines')
    stripe.account.pass(periodEndsAt.getTime() - stripe.account.clock().getTime())
    const drafted = await provider.readSubscription(subscriptionId)
    expect(drafted).toMatchObject({ state: 'active', invoices: [{}, { isPaid: false }] })
    stripe.account.pass(2 * 60 * MINUTE_MS)
    const failed = await provider.readSubscription(subscriptionId)
    expect(failed).toMatchObject({ state: 'past-due', invoices: [{}, { isPaid: false }] })
    expect(failed.invoices.filter(grantsTokens)).toHaveLength(1)
  })

  it('a month that a coupon paid brought no money', async () => {
    const invoice = await last({ reason: 'subscription_cycle', cents: 1900, discountCents: 1900 })
    expect(invoice?.paid).toBeNull()
  })
})

describe('a cancellation', () => {
  it('made in the portal is seen, and is taken back', async () => {
    const { provider, subscriptionId } = await subscribed()
    stripe.account.cancelInPortal(subscriptionId)
    const canceling = await provider.readSubscription(subscriptionId)
    expect(canceling.cancelsAt).toEqual(canceling.periodEndsAt)
    await provider.resume(subscriptionId)
    await provider.resume(subscriptionId)
    expect(await provider.readSubscription(subscriptionId)).toMatchObject({ cancelsAt: null })
  })

  it('at once, in the hour before a month is billed, leaves it unpaid', async () => {
    const { provider, subscriptionId } = await subscribed()
    const { periodEndsAt } = await provider.readSubscription(subscriptionId)
    stripe.account.pass(periodEndsAt.getTime() - stripe.account.clock().getTime())
    await provider.endNow(subscriptionId)
    stripe.account.pass(40 * DAY_MS)
    expect(await provider.readSubscription(subscriptionId)).toMatchObject({
      state: 'ended',
      invoices: [{ isPaid: true }, { isPaid: false }],
    })
  })

  it('of a subscription that has ended changes nothing', async () => {
    const { provider, subscriptionId } = await subscribed()
    await provider.cancelAtPeriodEnd(subscriptionId)
    stripe.account.pass(40 * DAY_MS)
    await provider.cancelAtPeriodEnd(subscriptionId)
    await provider.resume(subscriptionId)
    expect(await provider.readSubscription(subscriptionId)).toMatchObject({ state: 'ended' })
  })
})

describe('money that goes back', () => {
  it('a question of the bank is no dispute', async () => {
    const { provider, sessionId } = await begin()
    stripe.account.pay(sessionId)
    const { paid } = await provider.readSession(sessionId)
    stripe.account.dispute(sessionId, 'warning_needs_response')
    expect(await provider.readPayment(paid?.paymentId ?? '')).toMatchObject({ dispute: null })
  })

  it('a disputed payment is not refunded', async () => {
    const { provider, sessionId } = await begin()
    stripe.account.pay(sessionId)
    const { paid } = await provider.readSession(sessionId)
    stripe.account.dispute(sessionId)
    await expect(provider.refund(paid?.paymentId ?? '', 2000, 'one')).rejects.toMatchObject({
      code: 'payments/not-withdrawable',
    })
  })

  it('a refund that was cancelled went nowhere', async () => {
    const { provider, sessionId } = await begin()
    stripe.account.pay(sessionId)
    const { paid } = await provider.readSession(sessionId)
    stripe.account.refundAll(sessionId)
    for (const refund of stripe.account.objects.refunds.values()) refund.status = 'canceled'
    expect(await provider.readPayment(paid?.paymentId ?? '')).toMatchObject({
      refunds: [],
      failedRefundIds: [expect.any(String)],
    })
  })
})

describe('events', () => {
  const event = (change: object = {}) => {
    const [first] = stripe.account.events
    return { ...first, ...change }
  }
  const read = async (change: object, secret?: string, ahead = 0) => {
    const { provider } = await subscribed()
    const at = new Date(stripe.account.clock().getTime() + ahead)
    const { body, headers } = signed(event(change), at, secret)
    return await provider.readEvent(body, headers)
  }

  it.each([
    ['is signed with another secret', 'whsec_other', 0],
    ['is signed in the future', undefined, 10 * MINUTE_MS],
    ['was signed long ago', undefined, -10 * MINUTE_MS],
  ])('refuses one that %s', async (_name, secret, ahead) => {
    await expect(read({}, secret, ahead)).rejects.toMatchObject({
      code: 'payments/signature-invalid',
    })
  })

  it('takes one whose secret is being rolled', async () => {
    const { provider } = await subscribed()
    const { body, headers } = signed(event(), stripe.account.clock())
    const other = signed(event(), stripe.account.clock(), 'whsec_other').headers
    const both = `${other['stripe-signature']},${/v1=\w+/.exec(headers['stripe-signature'] ?? '')?.[0]}`
    await expect(provider.readEvent(body, { 'stripe-signature': both })).resolves.toMatchObject({
      about: { kind: 'subscription' },
    })
  })

  it.each([
    ['another version of the API', { api_version: '2025-03-31.basil' }],
    ['the other mode', { livemode: true }],
    [
      'an object of another kind',
      { data: { object: { object: 'payout', id: 'po_1', parent: 1 } } },
    ],
    [
      'a bill of no subscription',
      { data: { object: { object: 'invoice', id: 'in_1', parent: null } } },
    ],
    [
      'nothing but its name (thin)',
      { object: 'v2.core.event', type: 'v2.x', created: '2026-01-31T12:00:00Z' },
    ],
  ])('takes one of %s and is about nothing', async (_name, change) => {
    expect(await read(change)).toMatchObject({ about: null })
  })
})

describe('the document in which a person pays', () => {
  it('loads one script of Stripe and its own, and keeps the secret out of scripts', async () => {
    const { provider, sessionId } = await begin()
    const { html, policy } = await provider.page(sessionId, AT_APP)
    const secret = stripe.account.objects.sessions.get(sessionId)?.client_secret ?? 'none'
    expect(html.match(/<script src="[^"]+"/g)).toEqual([
      '<script src="https://js.stripe.com/endive/stripe.js"',
    ])
    expect(html).toContain(`data-secret="${secret}"`)
    expect(html.slice(html.lastIndexOf('<script>'))).not.toContain(secret)
    expect(html).toContain('TEST - no money moves')
    expect(policy.join('; ')).not.toContain('unsafe')
    const hosts = policy.join('; ').match(/https:\/\/[^\s;]+/g)
    expect(hosts?.every((host) => host.endsWith('stripe.com'))).toBe(true)
  })

  it('says when it is over', async () => {
    const { provider, sessionId } = await begin()
    stripe.account.pass(2 * DAY_MS)
    const { html } = await provider.page(sessionId, AT_APP)
    expect(html).toContain('data-state="expired"')
    expect(html).not.toContain('js.stripe.com')
  })

  it('says when it is paid', async () => {
    const { provider, sessionId } = await begin()
    stripe.account.pay(sessionId)
    expect((await provider.page(sessionId, AT_APP)).html).toContain('data-state="complete"')
  })
})
