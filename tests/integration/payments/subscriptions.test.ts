import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeJwt } from 'jose'
import type { components } from '#openapi/schema.gen.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, balance } from '#tests/setup/order.ts'
import { payer, settleNotices, type Checkout, type Subscription } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Flags = components['schemas']['UserFlags']

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let server: TestServer
let me: SignedUp
let person: ReturnType<typeof payer>
// An hour for each person, because all of them come from one address.
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})
beforeEach(async () => {
  now += HOUR_MS + 100_000
  me = await server.signUp()
  person = payer(me.client)
})

async function subscribed(): Promise<{ session: Checkout; subscription: Subscription }> {
  const session = await person.subscribe()
  await person.press(session, 'pay')
  await person.look(session)
  return { session, subscription: (await person.subscriptions())[0]! }
}
const current = async (): Promise<Subscription> => (await person.subscriptions())[0]!
const change = (what: 'cancel' | 'resume', { _id }: Subscription) =>
  me.client.post<{ walletSubscription: Subscription }>(`/v1/wallet-subscriptions/${_id}/${what}`)
const flags = async (): Promise<Flags> =>
  (await me.client.get<{ flags: Flags }>('/v1/users/me')).body.flags
const passTo = async (date: string | null, more = 0): Promise<void> => {
  now = Date.parse(date ?? '') + more
  await tickPayments(server.deps)
}
const order = async () => {
  const { jobId } = await storeJob(server.deps, me.userId, ['teaser-15s'])
  return await me.client.post<{
    order?: { _id: string }
    error?: { message: string; code: string }
  }>('/v1/orders', { order: { mediaJobId: jobId, attestation } })
}
const shownPermissions = (): unknown =>
  decodeJwt<{ user: { permissions: unknown } }>(me.client.cookies.get('editorUserAuthJwt') ?? '')
    .user.permissions

describe('day 8', () => {
  it('APP-19 refuses with words, and the very next call after paying succeeds, with no new sign-in', async () => {
    now += 7 * DAY_MS
    const refused = await order()
    expect([refused.status, refused.body.error]).toEqual([
      403,
      {
        code: 'auth/permission-missing',
        message: 'Your trial or subscription has ended. Subscribe to order new edits.',
      },
    ])
    expect(shownPermissions()).not.toContain('create:orders')
    expect(shownPermissions()).toContain('create:walletSubscriptions')
    expect(await flags()).toMatchObject({ isInTrial: false, hasActiveSubscription: false })
    await subscribed()
    expect((await order()).status).toBe(201)
    expect(shownPermissions()).toEqual(
      expect.arrayContaining(['create:orders', 'read:walletSubscriptions']),
    )
    expect(await flags()).toMatchObject({ isInTrial: false, hasActiveSubscription: true })
  })
})

describe('tokens without a trial or a subscription', () => {
  it('WAL-10 WAL-05 those that were bought stay, and can be spent and added to from the next subscription on', async () => {
    const bought = await person.buy(2000)
    await person.press(bought, 'pay')
    await person.look(bought)
    const placed = await order()
    const { order: open } = placed.body
    const { wallets } = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
    const pay = async () =>
      await me.client.post<{ error?: { message: string; code: string } }>(
        `/v1/payments/orders/${open?._id}/wallet-coin-transactions`,
        {
          walletCoinTransaction: { walletId: wallets[0]?._id, coinAmount: 100 },
          idempotencyKey: crypto.randomUUID(),
        },
      )
    now += 8 * DAY_MS
    expect(await pay()).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'auth/permission-missing',
          message: 'Your trial or subscription has ended. Subscribe to add or spend tokens.',
        },
      },
    })
    await expect(person.buy(2000)).rejects.toThrow('auth/permission-missing')
    expect(await balance(me.client)).toBe(2000)
    await subscribed()
    expect((await pay()).status).toBe(201)
    expect((await person.buy(2000)).status).toBe('open')
    expect(await balance(me.client)).toBe(2000 + 1900 - 100)
  })
})

describe('subscribing', () => {
  it('SUB-02 opens one session of a person, shows it again, and refuses a second subscription', async () => {
    const session = await person.subscribe()
    expect(session).toMatchObject({ status: 'open', planSlug: 'standard', coinAmount: null })
    const both = await Promise.all([person.subscribe(), person.subscribe()])
    expect(both.map(({ _id }) => _id)).toEqual([session._id, session._id])
    await person.press(session, 'pay')
    now += 6_000
    await expect(person.subscribe()).rejects.toThrow('subscriptions/already-active')
  })

  it('two calls at once open one session', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => person.subscribe()))
    expect(new Set(sessions.map(({ _id }) => _id)).size).toBe(1)
  })

  it('begins again after a session was left, and not while a first payment is on its way', async () => {
    const left = await person.subscribe()
    await person.press(left, 'abandon')
    const next = await person.subscribe()
    expect(next._id).not.toBe(left._id)
    await person.press(next, 'pay-late')
    now += 6_000
    await expect(person.subscribe()).rejects.toThrow('on its way')
    now += 10 * 60_000
    await person.look(next)
    expect(await current()).toMatchObject({ status: 'active' })
  })

  it('SUB-03 credits 1,900 tokens for the month and a day, and lists the subscription', async () => {
    const { subscription } = await subscribed()
    expect(subscription).toMatchObject({
      planSlug: 'standard',
      status: 'active',
      cancelAtPeriodEnd: false,
      topUpCoinAmount: 1900,
      createdAt: new Date(now).toISOString(),
    })
    const { wallets } = (
      await me.client.get<{ wallets: components['schemas']['Wallet'][] }>('/v1/wallets')
    ).body
    expect(wallets[0]).toMatchObject({ kind: 'standard', spendableCoinAmount: 2900 })
    expect(wallets[0]?.expiringLots.map(({ coinAmount }) => coinAmount)).toEqual([1000, 1900])
    expect(Date.parse(wallets[0]?.expiringLots[1]?.expiresAt ?? '')).toBe(
      Date.parse(subscription.expiresAt ?? '') + DAY_MS,
    )
  })

  it('SUB-07 lists what is billed, to its owner only, until the subscription is over', async () => {
    const methods = async (): Promise<unknown> =>
      (await me.client.get<{ storedPaymentMethods: unknown }>('/v1/stored-payment-methods')).body
        .storedPaymentMethods
    expect(await methods()).toEqual([])
    const { subscription } = await subscribed()
    const shown = { provider: 'test', createdAt: subscription.createdAt }
    expect(await methods()).toEqual([{ _id: expect.any(String), ...shown, isActive: true }])
    await change('cancel', subscription)
    await passTo(subscription.expiresAt, 60_000)
    expect(await methods()).toEqual([{ _id: expect.any(String), ...shown, isActive: false }])
    now += HOUR_MS + 100_000
    me = await server.signUp()
    expect(await methods()).toEqual([])
  })

  it('SUB-06 shows one subscription to its owner only', async () => {
    const { subscription } = await subscribed()
    const path = `/v1/wallet-subscriptions/${subscription._id}`
    const shown = await me.client.get<{ walletSubscription: Subscription }>(path)
    expect(shown.body.walletSubscription).toEqual(subscription)
    now += HOUR_MS + 100_000
    expect((await (await server.signUp()).client.get(path)).status).toBe(404)
  })
})

describe('the months after the first', () => {
  it('WAL-10 each paid month brings 1,900 tokens, and those of the month before end', async () => {
    const { subscription } = await subscribed()
    await passTo(subscription.expiresAt, 60_000)
    expect(await balance(me.client)).toBe(3800)
    now += DAY_MS
    expect(await balance(me.client)).toBe(1900)
    expect(Date.parse((await current()).expiresAt ?? '')).toBeGreaterThan(now + 25 * DAY_MS)
  })

  it('a month paid 50 hours late keeps the permission, and the old tokens until a day after their month', async () => {
    const { session, subscription } = await subscribed()
    await person.press(session, 'renewals-fail')
    await passTo(subscription.expiresAt, 60_000)
    expect(await current()).toMatchObject({ status: 'payment-problem' })
    expect(await balance(me.client)).toBe(1900)
    await passTo(subscription.expiresAt, DAY_MS)
    expect(await balance(me.client)).toBe(0)
    await passTo(subscription.expiresAt, 50 * HOUR_MS)
    expect((await order()).status).toBe(201)
    await person.press(session, 'renewals-succeed')
    await passTo(subscription.expiresAt, 50 * HOUR_MS + 10 * 60_000)
    expect(await current()).toMatchObject({ status: 'active' })
    expect(await balance(me.client)).toBe(1900)
  })

  it('the permission ends three days after the last paid month, with words', async () => {
    const { session, subscription } = await subscribed()
    await person.press(session, 'renewals-fail')
    await passTo(subscription.expiresAt, 3 * DAY_MS - 1)
    expect((await order()).status).toBe(201)
    const { status, usableUntil } = await current()
    expect([status, Date.parse(usableUntil ?? '')]).toEqual(['payment-problem', now + 1])
    await passTo(subscription.expiresAt, 3 * DAY_MS)
    const refused = await order()
    expect([refused.status, refused.body.error?.message]).toEqual([
      403,
      'Your trial or subscription has ended. Subscribe to order new edits.',
    ])
    await passTo(subscription.expiresAt, 15 * DAY_MS)
    expect(await current()).toMatchObject({ status: 'expired', usableUntil: null })
    expect(shownPermissions()).toContain('read:walletSubscriptions')
    expect((await person.subscribe()).status).toBe('open')
  })
})

describe('cancelling', () => {
  it('SUB-05 ends at the end of the period; keeping it undoes that; both can be repeated', async () => {
    const { subscription } = await subscribed()
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await change('cancel', subscription)
      expect([status, body.walletSubscription]).toEqual([
        200,
        {
          ...subscription,
          status: 'canceling',
          cancelAtPeriodEnd: true,
          // Without the days of grace, in which a renewal may fail.
          usableUntil: subscription.expiresAt,
        },
      ])
    }
    expect((await order()).status).toBe(201)
    for (let times = 0; times < 2; times += 1)
      expect((await change('resume', subscription)).body.walletSubscription).toEqual(subscription)
    await change('cancel', subscription)
    await passTo(subscription.expiresAt, 60_000)
    expect(await current()).toMatchObject({ status: 'expired', expiresAt: subscription.expiresAt })
    expect(await flags()).toMatchObject({ hasActiveSubscription: false })
    for (const what of ['cancel', 'resume'] as const)
      expect((await change(what, subscription)).status).toBe(409)
  })

  it('is bounded in an hour, and waiting helps', async () => {
    const { subscription } = await subscribed()
    for (let changes = 0; changes < 60; changes += 1)
      expect((await change(changes % 2 === 0 ? 'cancel' : 'resume', subscription)).status).toBe(200)
    expect((await change('cancel', subscription)).status).toBe(429)
    expect(await current()).toMatchObject({ status: 'active' })
    now += HOUR_MS
    expect((await change('cancel', subscription)).status).toBe(200)
  })

  it('what was cancelled at the provider shows by its notice, and without one within a day', async () => {
    const { session } = await subscribed()
    const id = session._id.replace('test_cs_', 'test_sub_')
    // Its notices are never delivered.
    await server.deps.payments.cancelAtPeriodEnd(id)
    await settleNotices(server)
    expect(await current()).toMatchObject({ status: 'active' })
    now += DAY_MS + 60_000
    await tickPayments(server.deps)
    expect(await current()).toMatchObject({ status: 'canceling', cancelAtPeriodEnd: true })
  })

  it('a subscription can be made again after it ended, and both are listed', async () => {
    const { subscription } = await subscribed()
    await change('cancel', subscription)
    await passTo(subscription.expiresAt, 60_000)
    await subscribed()
    expect((await person.subscriptions()).map(({ status }) => status)).toEqual([
      'active',
      'expired',
    ])
    expect((await order()).status).toBe(201)
  })
})

it('no call of this suite ended in an unexpected failure', () => {
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})
