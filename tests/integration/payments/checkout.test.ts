import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { checkoutSessions, mediaJobs, payments, uploadRequests } from '#server/db/schema.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { Problem } from '#server/problems.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, balance } from '#tests/setup/order.ts'
import { booked } from '#tests/setup/booked.ts'
import { payer, settleNotices, type Checkout } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Order = components['schemas']['Order']

const TOKENS = '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions'

let server: TestServer
let me: SignedUp
let person: ReturnType<typeof payer>
// An hour for each person, because all of them come from one address.
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop(AbortSignal.abort())
})
beforeEach(async () => {
  now += 3_700_000
  me = await server.signUp()
  person = payer(me.client)
})

async function history(): Promise<{ kind: string; coinAmount: number }[]> {
  return (await booked(me.client)).map(([kind, coinAmount]) => ({ kind, coinAmount }))
}

/** An open order of so many teasers of 300 tokens. */
async function placeOrder(teasers = 1): Promise<{ order: Order; jobId: string; uploadId: string }> {
  const slugs = Array.from({ length: teasers }, () => 'teaser-15s')
  const { jobId, uploadId } = await storeJob(server.deps, me.userId, slugs)
  const answer = await me.client.post<{ order: Order }>('/v1/orders', {
    order: { mediaJobId: jobId, attestation },
  })
  return { order: answer.body.order, jobId, uploadId }
}
const readOrder = async ({ _id }: Order): Promise<Order> =>
  (await me.client.get<{ order: Order }>(`/v1/orders/${_id}`)).body.order

async function paymentsOf(session: Checkout) {
  return await server.deps.db
    .select({ amountCents: payments.amountCents, coinAmount: payments.coinAmount })
    .from(payments)
    .innerJoin(checkoutSessions, eq(checkoutSessions.id, payments.checkoutSessionId))
    .where(eq(checkoutSessions.providerSessionId, session._id))
}

describe('buying tokens', () => {
  it('WAL-09 opens a session with a page to pay on, and credits it once it is paid', async () => {
    const session = await person.buy(5000)
    expect(session).toMatchObject({
      status: 'open',
      payment: 'unpaid',
      coinAmount: 5000,
      chargedCoinAmount: 5000,
      presentation: 'frame',
      payUrl: `/editors/pay/${session._id}`,
    })
    await person.press(session, 'pay')
    expect(await person.look(session)).toMatchObject({ status: 'complete', payment: 'paid' })
    expect(await history()).toEqual([
      { kind: 'trial-grant', coinAmount: 1000 },
      { kind: 'purchase', coinAmount: 5000 },
    ])
    expect(await paymentsOf(session)).toEqual([{ amountCents: 5000, coinAmount: 5000 }])
    const [row] = await server.deps.db
      .select()
      .from(checkoutSessions)
      .where(eq(checkoutSessions.providerSessionId, session._id))
    expect((await person.look({ ...session, _id: row?.id ?? '' }))._id).toBe(session._id)
  })

  it('WAL-10 bought tokens never expire', async () => {
    const session = await person.buy(2000)
    await person.press(session, 'pay')
    await person.look(session)
    now += 400 * 86_400_000
    const again = await server.signUp(me.email)
    expect(await balance(again.client)).toBe(2000)
  })

  it('books once, however many notices come and however often it is looked at', async () => {
    const session = await person.buy(2000)
    await person.press(session, 'pay', 'twice')
    await settleNotices(server)
    await settleNotices(server)
    await person.look(session)
    await Promise.all([person.look(session), settleNotices(server)])
    expect(await balance(me.client)).toBe(3000)
    expect(await paymentsOf(session)).toHaveLength(1)
  })

  it('ORD-06 pays an order by card: at least 50 is charged, and what is over stays in the wallet', async () => {
    const { order, jobId } = await placeOrder()
    const wallet = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
    await me.client.post(`/v1/payments/orders/${order._id}/wallet-coin-transactions`, {
      walletCoinTransaction: { walletId: wallet.wallets[0]?._id, coinAmount: 270 },
      idempotencyKey: crypto.randomUUID(),
    })
    const session = await person.buy(30, order._id)
    expect(session).toMatchObject({ coinAmount: 30, chargedCoinAmount: 50 })
    await person.press(session, 'pay')
    await person.look(session)
    expect(await readOrder(order)).toMatchObject({
      isFullyPaid: true,
      remainingPayableCoinAmount: 0,
      paidTotalCoinAmount: 300,
    })
    expect(await balance(me.client)).toBe(1000 - 270 + 50 - 30)
    const [job] = await server.deps.db.select().from(mediaJobs).where(eq(mediaJobs.id, jobId))
    expect(job?.workflowStartedAt).not.toBeNull()
  })

  it('WAY-03 ORD-06 tokens of the wallet and those of the card pay an order together, when the card has paid', async () => {
    const { order } = await placeOrder(4)
    const session = await person.buy(200, order._id, 1000)
    expect(await readOrder(order)).toMatchObject({ remainingPayableCoinAmount: 1200 })
    expect(await balance(me.client)).toBe(1000)
    await person.press(session, 'pay', 'twice')
    await Promise.all([person.look(session), settleNotices(server)])
    expect(await readOrder(order)).toMatchObject({ isFullyPaid: true, paidTotalCoinAmount: 1200 })
    expect(await balance(me.client)).toBe(0)
  })

  it('WAY-03 takes no more of the wallet than was agreed to, and not what was spent meanwhile', async () => {
    const { order } = await placeOrder()
    const session = await person.buy(100, order._id, 150)
    await person.press(session, 'pay')
    await person.look(session)
    expect(await readOrder(order)).toMatchObject({ remainingPayableCoinAmount: 50 })
    expect(await balance(me.client)).toBe(1000 - 150)
    await expect(person.buy(2000, null, 1)).rejects.toThrow('request/invalid')
  })

  it('leaves the tokens in the wallet when the order was paid, cancelled or lost its video meanwhile', async () => {
    for (const end of ['paid', 'canceled', 'failed']) {
      const { order, uploadId } = await placeOrder()
      const session = await person.buy(300, order._id)
      const before = await balance(me.client)
      if (end === 'paid') {
        const other = await person.buy(300, order._id)
        await person.press(other, 'pay')
        await person.look(other)
      }
      if (end === 'canceled') await me.client.post(`/v1/orders/${order._id}/cancel`)
      if (end === 'failed')
        await server.deps.db
          .update(uploadRequests)
          .set({ state: 'failed' })
          .where(eq(uploadRequests.id, uploadId))
      await person.press(session, 'pay')
      expect(await person.look(session)).toMatchObject({ payment: 'paid' })
      expect([end, await balance(me.client)]).toEqual([end, before + 300])
    }
  })

  it('begins no payment for an order that takes none', async () => {
    const { order } = await placeOrder()
    await me.client.post(`/v1/orders/${order._id}/cancel`)
    await expect(person.buy(300, order._id)).rejects.toThrow('orders/canceled')
    await expect(person.buy(300, crypto.randomUUID())).rejects.toThrow('orders/not-found')
  })

  it('gives the same session for the same key, and refuses another purchase under it', async () => {
    const { wallets } = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
    const buy = (coinAmount: number, key: string) =>
      me.client.post<{ stripeCheckoutSession: Checkout }>(
        TOKENS,
        { walletId: wallets[0]?._id, stripeCheckoutSession: { coinAmount } },
        { headers: { 'idempotency-key': key } },
      )
    const key = crypto.randomUUID()
    const first = await buy(2000, key)
    const second = await buy(2000, key)
    expect(second.body).toEqual(first.body)
    expect((await buy(2001, key)).status).toBe(409)
  })

  it('a provider that is away is said, and the same call goes on with the same session', async () => {
    const { payments: provider } = server.deps
    const away = vi
      .spyOn(provider, 'openSession')
      .mockRejectedValueOnce(new Problem('payments/provider-away', 'Please try again.'))
    const { wallets } = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
    const buy = () =>
      me.client.post<{ stripeCheckoutSession: Checkout }>(
        TOKENS,
        { walletId: wallets[0]?._id, stripeCheckoutSession: { coinAmount: 2000 } },
        { headers: { 'idempotency-key': 'a-key-of-this-purchase' } },
      )
    expect((await buy()).status).toBe(503)
    expect((await buy()).status).toBe(201)
    expect(new Set(away.mock.calls.map(([, key]) => key)).size).toBe(1)
    away.mockRestore()
  })

  it('bounds what one account may begin in an hour', async () => {
    for (let count = 0; count < 60; count += 1) await person.buy(2000)
    await expect(person.buy(2000)).rejects.toThrow('429')
    now += 3_700_000
    expect(await person.buy(2000)).toMatchObject({ status: 'open' })
  })
})

describe('reading the provider', () => {
  it('a payment whose notices were lost is booked by the page that waits, which reads at most every 5 s', async () => {
    const session = await person.buy(2000)
    const read = vi.spyOn(server.deps.payments, 'readSession')
    expect(await person.look(session)).toMatchObject({ payment: 'unpaid' })
    await person.press(session, 'pay', 'never')
    now += 4_000
    expect(await person.look(session)).toMatchObject({ payment: 'unpaid' })
    expect(read).toHaveBeenCalledTimes(1)
    now += 2_000
    expect(await person.look(session)).toMatchObject({ payment: 'paid' })
    await person.look(session)
    expect(read).toHaveBeenCalledTimes(2)
    read.mockRestore()
  })

  it('a payment whose notices were lost and whose browser went away is booked within 3 minutes', async () => {
    const session = await person.buy(2000)
    await person.press(session, 'pay', 'never')
    for (let minute = 0; minute < 3; minute += 1) {
      now += 60_000
      await tickPayments(server.deps)
    }
    expect(await balance(me.client)).toBe(3000)
  })

  it('a session is shown as last known while the provider is away', async () => {
    const session = await person.buy(2000)
    await person.press(session, 'pay', 'never')
    const read = vi
      .spyOn(server.deps.payments, 'readSession')
      .mockRejectedValue(new Problem('payments/provider-away', 'Please try again.'))
    expect(await person.look(session)).toMatchObject({ status: 'open', payment: 'unpaid' })
    read.mockRestore()
    now += 6_000
    expect(await person.look(session)).toMatchObject({ payment: 'paid' })
  })

  it('books nothing for a declined card, and a complete session that is not paid', async () => {
    const session = await person.buy(2000)
    await person.press(session, 'decline')
    expect(await person.look(session)).toMatchObject({ status: 'open', payment: 'unpaid' })
    await person.press(session, 'second-step')
    await person.press(session, 'pay-late')
    now += 6_000
    expect(await person.look(session)).toMatchObject({ status: 'complete', payment: 'pending' })
    expect(await balance(me.client)).toBe(1000)
    now += 10 * 60_000
    expect(await person.look(session)).toMatchObject({ status: 'complete', payment: 'paid' })
    expect(await balance(me.client)).toBe(3000)
  })

  it('a session that is left expires and is not read again', async () => {
    const session = await person.buy(2000)
    await person.press(session, 'abandon')
    expect(await person.look(session)).toMatchObject({ status: 'expired', payment: 'unpaid' })
    const read = vi.spyOn(server.deps.payments, 'readSession')
    now += 60_000
    await person.look(session)
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })
})

describe('the document that takes payments', () => {
  const documentOf = async (session: Checkout, client = me.client) =>
    await client.get(session.payUrl)

  it('may be framed by this origin only, and has a policy of its own', async () => {
    const answer = await documentOf(await person.buy(2000))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(new TextDecoder().decode(answer.bytes)).toContain('TEST - no money moves')
  })

  it('no other answer may be framed, and none names a foreign host', async () => {
    const session = await person.buy(2000)
    for (const path of ['/', '/dev/mail', '/v1/wallets', '/editors/ready', '/edits', '/sw.js']) {
      const { headers } = await me.client.get(path)
      expect([path, headers.get('x-frame-options') ?? 'DENY']).toEqual([path, 'DENY'])
      expect(headers.get('content-security-policy') ?? '').not.toMatch(/https?:/)
    }
    expect((await documentOf(session)).headers.get('content-security-policy')).not.toMatch(
      /https?:/,
    )
  })

  it('is 404 for another person, and 401 signed out', async () => {
    const session = await person.buy(2000)
    now += 3_700_000
    const other = await server.signUp()
    const press = new URLSearchParams({ press: 'pay' })
    expect((await documentOf(session, other.client)).status).toBe(404)
    expect((await other.client.post(session.payUrl, press)).status).toBe(404)
    expect((await documentOf(session, server.createClient())).status).toBe(401)
    expect((await me.client.get('/editors/pay/nothing')).status).toBe(404)
    expect(await person.look(session)).toMatchObject({ payment: 'unpaid' })
  })

  it('takes no press from another site', async () => {
    const session = await person.buy(2000)
    const answer = await me.client.post(session.payUrl, new URLSearchParams({ press: 'pay' }), {
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(403)
    expect(await person.look(session)).toMatchObject({ payment: 'unpaid' })
  })
})

describe('notices', () => {
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    server.createClient().call('POST', `/v1/payments/webhooks/${path}`, { body, headers })

  it('are refused with 400 when they are not signed, and 404 for another provider', async () => {
    expect((await post('test', '{}')).status).toBe(400)
    expect((await post('test', '{}', { 'onecut-test-signature': 't=1,v1=00' })).status).toBe(400)
    expect((await post('stripe', '{}')).status).toBe(404)
    expect((await post('test', ' '.repeat(256 * 1024 + 1))).status).toBe(413)
  })
})

it('no call of this suite ended in an unexpected failure', () => {
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})
