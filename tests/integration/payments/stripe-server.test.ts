import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  checkoutSessions,
  idempotentAnswers,
  paymentEvents,
  payments,
  wallets,
  walletTransactions,
} from '#server/db/schema.ts'
import { endTestPayments } from '#server/operations/commerce/payments/end-test-payments.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { eraseAccounts } from '#server/operations/workflows/account-erased.ts'
import { scattered, signed, type Weather } from '#tests/fakes/stripe/notices.ts'
import { startFakeStripe, type FakeStripe } from '#tests/fakes/stripe/server.ts'
import { payer, settleNotices } from '#tests/setup/payments.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

const DAY_MS = 86_400_000
const LONG_MS = 120_000
const WEBHOOK = '/v1/payments/webhooks/stripe'

let stripe: FakeStripe
let server: TestServer
beforeAll(async () => {
  stripe = await startFakeStripe()
  server = await startTestServer({ stripe })
})
afterAll(async () => {
  await server.stop()
  await stripe.stop()
})

async function post(event: object, secret?: string): Promise<number> {
  const { body, headers } = signed(event, stripe.account.clock(), secret)
  const answer = await fetch(new URL(`/editors/api${WEBHOOK}`, server.origin), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: new TextDecoder().decode(body),
  })
  return answer.status
}

async function ledgerOf(userId: string) {
  return await server.deps.db
    .select({ kind: walletTransactions.kind, coinAmount: walletTransactions.coinAmount })
    .from(walletTransactions)
    .innerJoin(wallets, eq(wallets.id, walletTransactions.walletId))
    .where(eq(wallets.userId, userId))
    .orderBy(asc(walletTransactions.kind), asc(walletTransactions.coinAmount))
}

describe('a server that takes cards by Stripe', () => {
  it('books what was paid when the page looks, without a notice', async () => {
    const { client, userId } = await server.signUp()
    const person = payer(client)
    const checkout = await person.buy(2000)
    expect(checkout).toMatchObject({ status: 'open', payment: 'unpaid', clientSecret: null })
    stripe.account.pay(checkout._id)
    expect(await person.look(checkout)).toMatchObject({ status: 'complete', payment: 'paid' })
    expect(await ledgerOf(userId)).toEqual([
      { kind: 'purchase', coinAmount: 2000 },
      { kind: 'trial-grant', coinAmount: 1000 },
    ])
  })

  it('keeps no client secret of a payment that was begun with a key', async () => {
    const { client } = await server.signUp()
    const { wallets: mine } = (await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
    const begun = await client.post(
      '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions',
      { walletId: mine[0]?._id, orderId: null, stripeCheckoutSession: { coinAmount: 2000 } },
      { headers: { 'idempotency-key': crypto.randomUUID() } },
    )
    expect(begun.status).toBe(201)
    const kept = JSON.stringify(await server.deps.db.select().from(idempotentAnswers))
    expect(kept).toContain('cs_test')
    expect(kept).not.toContain('_secret_')
  })

  it('takes events that it ignores, and refuses those that are not signed by Stripe', async () => {
    const { client } = await server.signUp()
    const checkout = await payer(client).buy(2000)
    stripe.account.pay(checkout._id)
    const event = stripe.account.events.at(-1) ?? {}
    expect(await post({ ...event, id: 'evt_other_version', api_version: '2025-03-31.basil' })).toBe(
      200,
    )
    const thin = { id: 'evt_thin', object: 'v2.core.event', type: 'v2.x' }
    expect(await post({ ...thin, created: '2026-01-31T12:00:00Z' })).toBe(200)
    expect(await post({ ...event, id: 'evt_forged' }, 'whsec_forged')).toBe(400)
    const kept = await server.deps.db.select().from(paymentEvents)
    expect(kept.map(({ eventId, settledAt }) => [eventId, settledAt !== null])).toEqual([
      ['evt_other_version', true],
      ['evt_thin', true],
    ])
  })
})

it('takes a declined first card for no subscription, and the next one for a new one', async () => {
  const { client } = await server.signUp()
  const person = payer(client)
  const checkout = await person.subscribe()
  const told = stripe.account.events.length
  stripe.account.decline(checkout._id)
  const news = stripe.account.events.slice(told)
  expect(news.map(({ type }) => type)).toContain('customer.subscription.created')
  for (const event of news) expect(await post(event)).toBe(200)
  await settleNotices(server)
  expect(await person.subscriptions()).toEqual([])
  stripe.account.pass(6_000)
  expect((await person.subscribe())._id).toBe(checkout._id)
  stripe.account.pay(checkout._id)
  stripe.account.pass(6_000)
  expect(await person.look(checkout)).toMatchObject({ payment: 'paid' })
  expect(await person.subscriptions()).toMatchObject([{ status: 'active' }])
})

it('bounds how often the page of an open session is read, and reads none that is settled', async () => {
  const { client } = await server.signUp()
  const person = payer(client)
  const checkout = await person.buy(2000)
  const open = async () => await client.get(checkout.payUrl)
  for (let opened = 0; opened < 60; opened += 1) expect((await open()).status).toBe(200)
  expect((await open()).status).toBe(429)
  stripe.account.pay(checkout._id)
  expect(await person.look(checkout)).toMatchObject({ payment: 'paid' })
  const readings = stripe.seen.length
  const over = await open()
  expect([over.status, stripe.seen.length]).toEqual([200, readings])
  expect(new TextDecoder().decode(over.bytes)).toContain('data-state="complete"')
})

it('TRU-08 the customer of a deleted account is deleted as well', async () => {
  const { client, email, userId } = await server.signUp()
  const checkout = await payer(client).buy(2000)
  stripe.account.pay(checkout._id)
  const isKnown = (): boolean =>
    [...stripe.account.objects.customers.values()].some(
      ({ metadata }) => metadata.onecut_account === userId,
    )
  expect(isKnown()).toBe(true)
  expect((await client.post('/v1/users/me/deletion', { email })).status).toBe(200)
  stripe.account.pass(14 * DAY_MS)
  await eraseAccounts(server.deps)
  expect(isKnown()).toBe(false)
})

it('ends what the provider of tests began, so that people can subscribe by card', async () => {
  const { client, userId } = await server.signUp()
  const person = payer(client)
  const { _id } = await person.subscribe()
  const { db } = server.deps
  const mine = eq(checkoutSessions.userId, userId)
  await db
    .update(checkoutSessions)
    .set({ provider: 'test', providerSessionId: 'test_cs_1' })
    .where(mine)
  await endTestPayments(server.deps)
  expect(await db.select().from(checkoutSessions).where(mine)).toMatchObject([
    { status: 'expired', settledAt: expect.any(Date) },
  ])
  const next = await person.subscribe()
  expect(next).toMatchObject({ status: 'open' })
  expect(next._id).not.toBe(_id)
})

it('LIF-04 gives no money back for what the provider of tests was paid', async () => {
  const { client, userId } = await server.signUp()
  const person = payer(client)
  const checkout = await person.buy(2000)
  stripe.account.pay(checkout._id)
  await person.look(checkout)
  await server.deps.db.update(payments).set({ provider: 'test' }).where(eq(payments.userId, userId))
  type Listed = { _id: string; withdrawableUntil: string | null; withdrawnAt: string | null }
  const listed = async () =>
    (await client.get<{ payments: Listed[] }>('/v1/payments')).body.payments[0]
  const before = await listed()
  expect(before).toMatchObject({ state: 'paid', withdrawableUntil: null })
  const answer = await client.post<{ error?: { code: string } }>(
    `/v1/payments/${before?._id}/withdraw`,
  )
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'payments/not-withdrawable'])
  expect(await listed()).toEqual(before)
  expect(await ledgerOf(userId)).toEqual([
    { kind: 'purchase', coinAmount: 2000 },
    { kind: 'trial-grant', coinAmount: 1000 },
  ])
})

/** A pseudo-random number between 0 and 1, the same for the same seed. */
function randomBy(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Three months of a person, whose events are told in this weather. */
async function liveThreeMonths(weather: Weather, seed: number) {
  const { client, userId } = await server.signUp()
  const { account } = stripe
  const random = randomBy(seed)
  let told = account.events.length
  const tell = async (): Promise<void> => {
    const news = account.events.slice(told)
    told = account.events.length
    for (const event of scattered(news, weather, random)) expect(await post(event)).toBe(200)
    await settleNotices(server)
  }
  const person = payer(client)
  const plan = await person.subscribe()
  account.pay(plan._id)
  const tokens = await person.buy(5000)
  account.pay(tokens._id)
  await tell()
  account.pass(5 * 60_000)
  await tickPayments(server.deps)
  account.setCard(plan._id, 'declines')
  account.pass(32 * DAY_MS)
  await tell()
  account.setCard(plan._id, 'pays')
  account.refundAll(tokens._id)
  await tell()
  account.pass(31 * DAY_MS)
  await tell()
  account.dispute(plan._id)
  await tell()
  account.decideDispute(plan._id, 'won')
  const { subscription } = account.objects.sessions.get(plan._id) ?? {}
  account.cancelInPortal(String(subscription))
  await tell()
  account.pass(40 * DAY_MS)
  await tell()
  await tickPayments(server.deps)
  return await ledgerOf(userId)
}

describe('three months whose events come in any order, twice, late, or never', () => {
  it(
    'end in the books of one whose events come in order',
    async () => {
      const inOrder = await liveThreeMonths({ dropped: 0, doubled: 0, delayed: 0 }, 1)
      expect(inOrder.map(({ kind }) => kind)).toContain('purchase-reversal')
      expect(inOrder.filter(({ kind }) => kind === 'subscription-grant')).toHaveLength(3)
      for (const seed of [2, 3, 4, 5, 6]) {
        const weather = { dropped: 0.3, doubled: 0.3, delayed: 0.3 }
        const books = await liveThreeMonths(weather, seed)
        // A dispute that was won before anybody heard of it leaves no trace.
        expect(books.filter(({ kind }) => !kind.startsWith('chargeback'))).toEqual(
          inOrder.filter(({ kind }) => !kind.startsWith('chargeback')),
        )
      }
    },
    LONG_MS,
  )
})
