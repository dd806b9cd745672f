import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sql, type SQL } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { runOperator } from '#server/operator/commands.ts'
import {
  auditLedger,
  auditNightly,
  untilAudit,
  type Audit,
} from '#server/operations/core/ledger/audit.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { settlePayment } from '#server/operations/commerce/payments/settle-payment.ts'
import { Problem } from '#server/problems.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, balance } from '#tests/setup/order.ts'
import { booked } from '#tests/setup/booked.ts'
import { payer, settleNotices, type Checkout } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

type Payment = components['schemas']['Payment']
type Wallet = components['schemas']['Wallet']

const DAY_MS = 86_400_000

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
  now += 3_700_000
  me = await server.signUp()
  person = payer(me.client)
})

const payments = async (): Promise<Payment[]> =>
  (await me.client.get<{ payments: Payment[] }>('/v1/payments')).body.payments
const payment = async (): Promise<Payment> => (await payments())[0]!
const withdraw = ({ _id }: Pick<Payment, '_id'>) =>
  me.client.post<{ payment: Payment; error?: { code: string } }>(`/v1/payments/${_id}/withdraw`)

async function bought(coinAmount: number): Promise<Checkout> {
  const session = await person.buy(coinAmount)
  await person.press(session, 'pay')
  await person.look(session)
  return session
}

async function subscribed(): Promise<Checkout> {
  const session = await person.subscribe()
  await person.press(session, 'pay')
  await person.look(session)
  return session
}

async function wallet(): Promise<Pick<Wallet, '_id' | 'coinBalance'>> {
  const { wallets } = (await me.client.get<{ wallets: Wallet[] }>('/v1/wallets')).body
  return wallets[0]!
}

const history = () => booked(me.client)

async function rights(): Promise<readonly string[]> {
  return (await me.client.get<{ user: { permissions: string[] } }>('/v1/users/me')).body.user
    .permissions
}

/** Spends 300 tokens on an order, by default all that it costs; returns its id. */
async function spend300(slugs = ['teaser-15s']): Promise<string> {
  const { jobId } = await storeJob(server.deps, me.userId, slugs)
  const { order } = (
    await me.client.post<{ order: { _id: string } }>('/v1/orders', {
      order: { mediaJobId: jobId, attestation },
    })
  ).body
  const paid = await me.client.post(`/v1/payments/orders/${order._id}/wallet-coin-transactions`, {
    walletCoinTransaction: { walletId: (await wallet())._id, coinAmount: 300 },
    idempotencyKey: crypto.randomUUID(),
  })
  expect(paid.status).toBe(201)
  return order._id
}

/** Pays a part of an order that can be cancelled. */
const payPart = () => spend300(['teaser-15s', 'teaser-60s'])

const cancelOrder = async (orderId: string): Promise<void> => {
  expect((await me.client.post(`/v1/orders/${orderId}/cancel`)).status).toBe(200)
}

describe('the history of payments', () => {
  it('LIF-04 shows what was paid, newest first, with receipt numbers without gaps', async () => {
    expect(await payments()).toEqual([])
    await bought(5000)
    now += 1000
    await subscribed()
    const shown = await payments()
    expect(shown).toMatchObject([
      { kind: 'subscription', state: 'paid', amountCents: 1900, coinAmount: 1900 },
      { kind: 'tokens', state: 'paid', amountCents: 5000, refundedCents: 0, coinAmount: 5000 },
    ])
    const [second, first] = shown.map(({ receiptNumber }) => /^2026-(\d{6})$/.exec(receiptNumber))
    expect(Number(second?.[1]) - Number(first?.[1])).toBe(1)
  })

  it('LIF-04 each number is given once, to payments that are booked at the same time too', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => person.buy(2000)))
    for (const session of sessions) await person.press(session, 'pay', 'twice')
    await Promise.all([...sessions.map((session) => person.look(session)), settleNotices(server)])
    const numbers = (await payments())
      .map(({ receiptNumber }) => Number(receiptNumber.slice(5)))
      .toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 8 }, (_, nth) => numbers[0]! + nth))
  })
})

describe('money that went back', () => {
  it('takes the tokens of each refund once, however often it is heard of', async () => {
    const session = await bought(5000)
    await person.press(session, 'refund-half', 'twice')
    await settleNotices(server)
    await person.press(session, 'refund-all', 'twice')
    await settleNotices(server)
    await tickPayments(server.deps)
    expect(await history()).toEqual([
      ['trial-grant', 1000],
      ['purchase', 5000],
      ['purchase-reversal', -2500],
      ['purchase-reversal', -2500],
    ])
    expect(await payment()).toMatchObject({ state: 'refunded', refundedCents: 5000 })
  })

  it('returns the tokens of a refund that failed once, and takes them for the next', async () => {
    const session = await bought(5000)
    await person.press(session, 'refund-all', 'once')
    await settleNotices(server)
    expect(await balance(me.client)).toBe(1000)
    await person.press(session, 'refund-fails', 'twice')
    await settleNotices(server)
    expect(await balance(me.client)).toBe(6000)
    expect(await payment()).toMatchObject({ state: 'paid', refundedCents: 0 })
    await person.press(session, 'refund-half', 'twice')
    await settleNotices(server)
    expect(await payment()).toMatchObject({ state: 'partly-refunded', refundedCents: 2500 })
    expect(await history()).toEqual([
      ['trial-grant', 1000],
      ['purchase', 5000],
      ['purchase-reversal', -5000],
      ['adjustment', 5000],
      ['purchase-reversal', -2500],
    ])
  })

  it('books a refund whose notice was lost, or came before its payment', async () => {
    const lost = await bought(2000)
    await tickPayments(server.deps)
    await person.press(lost, 'refund-all', 'never')
    const early = await person.buy(3000)
    await person.press(early, 'pay', 'never')
    await person.press(early, 'refund-all', 'once')
    await settleNotices(server)
    expect(await balance(me.client)).toBe(3000)
    now += DAY_MS
    await tickPayments(server.deps)
    expect((await payments()).map(({ state }) => state)).toEqual(['refunded', 'refunded'])
    expect(await balance(me.client)).toBe(1000)
  })

  it('a refund of spent tokens takes other bought ones, then makes a debt that the next month settles', async () => {
    const first = await bought(2000)
    await bought(2000)
    // All of the trial, all of the first purchase and 900 of the second.
    for (let spent = 0; spent < 3900; spent += 300) await spend300()
    await person.press(first, 'refund-all', 'once')
    await settleNotices(server)
    expect((await wallet()).coinBalance).toBe(-900)
    const month = await subscribed()
    await person.press(month, 'renewals-fail')
    expect(await balance(me.client)).toBe(1000)
    now += 40 * DAY_MS
    me = await server.signUp(me.email)
    expect((await wallet()).coinBalance).toBe(0)
  })

  it('a dispute takes the tokens and stops new payments until it is decided', async () => {
    const session = await bought(2000)
    await spend300()
    await person.press(session, 'dispute', 'once')
    await settleNotices(server)
    expect(await payment()).toMatchObject({ state: 'disputed', withdrawableUntil: null })
    const taken = await balance(me.client)
    await expect(person.buy(2000)).rejects.toThrow('payments/disputed')
    await expect(person.subscribe()).rejects.toThrow('payments/disputed')
    await person.press(session, 'dispute-won', 'twice')
    await settleNotices(server)
    expect(await payment()).toMatchObject({ state: 'paid', refundedCents: 0 })
    expect([taken, await balance(me.client)]).toEqual([700, 2700])
    expect(await history()).toEqual([
      ['trial-grant', 1000],
      ['purchase', 2000],
      ['order-payment', -300],
      ['chargeback', -2000],
      ['chargeback-returned', 2000],
    ])
    await bought(2000)
  })

  it('a lost dispute keeps the tokens away, and a dispute of which no notice came ends with its reading', async () => {
    const session = await bought(2000)
    await person.press(session, 'dispute')
    await person.press(session, 'dispute-lost')
    await tickPayments(server.deps)
    expect([(await payment()).state, await balance(me.client)]).toEqual(['lost', 1000])
    const won = await bought(2000)
    await person.press(won, 'dispute')
    await person.press(won, 'dispute-won')
    await tickPayments(server.deps)
    expect([(await payment()).state, await balance(me.client)]).toEqual(['paid', 3000])
  })

  it('an older reading does not overwrite a newer one', async () => {
    const session = await bought(2000)
    const paymentId = session._id.replace('test_cs_', 'test_pay_')
    const { readPayment } = server.deps.payments
    const read = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const reading = vi
      .spyOn(server.deps.payments, 'readPayment')
      .mockImplementationOnce(async (id) => {
        const facts = await readPayment(id)
        read.resolve()
        await held.promise
        return facts
      })
    const older = settlePayment(server.deps, { paymentId })
    // Else the newer one could be the one that is held.
    await read.promise
    now += 1000
    await person.press(session, 'dispute', 'once')
    await settleNotices(server)
    held.resolve()
    await older
    reading.mockRestore()
    expect(await payment()).toMatchObject({ state: 'disputed' })
  })
})

describe('withdrawal', () => {
  it('LIF-04 takes the unused tokens of a purchase and refunds their price, once', async () => {
    await bought(2000)
    for (let spent = 0; spent < 1200; spent += 300) await spend300()
    const before = await payment()
    expect(before.withdrawableUntil).toBe(
      new Date(Date.parse(before.paidAt) + 14 * DAY_MS).toISOString(),
    )
    expect(before).toMatchObject({ withdrawableCoinAmount: 1800, withdrawableCents: 1800 })
    const [first, second] = await Promise.all([withdraw(before), withdraw(before)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await payment()).toMatchObject({
      state: 'partly-refunded',
      refundedCents: 1800,
      withdrawableUntil: null,
      withdrawableCoinAmount: 0,
      withdrawableCents: 0,
      withdrawnAt: new Date(now).toISOString(),
      withdrawnCents: 1800,
    })
    await tickPayments(server.deps)
    expect((await withdraw(before)).status).toBe(200)
    expect(await balance(me.client)).toBe(0)
    expect((await history()).filter(([kind]) => kind === 'purchase-reversal')).toEqual([
      ['purchase-reversal', -1800],
    ])
  })

  it('LIF-04 takes tokens that were spent and came back, for what they were bought for', async () => {
    await bought(2000)
    for (let spent = 0; spent < 900; spent += 300) await spend300()
    now += 1000
    await bought(2000)
    // A hundred of the trial, which expire first, then two hundred of what was bought.
    for (let time = 0; time < 2; time += 1) {
      const orderId = await payPart()
      expect((await payments()).map((each) => each.withdrawableCoinAmount)).toEqual([2000, 1800])
      await cancelOrder(orderId)
      expect((await payments()).map((each) => each.withdrawableCoinAmount)).toEqual([2000, 2000])
    }
    // Both purchases pay for one order, and come back into what each of them was.
    const all = await Promise.all(Array.from({ length: 13 }, payPart))
    const left = (await payments()).map((each) => each.withdrawableCoinAmount)
    expect(left[0]! + left[1]!).toBe(200)
    for (const orderId of all) await cancelOrder(orderId)
    const [second, first] = await payments()
    expect([second, first]).toMatchObject([
      { withdrawableCoinAmount: 2000, withdrawableCents: 2000 },
      { withdrawableCoinAmount: 2000, withdrawableCents: 2000 },
    ])
    await Promise.all([withdraw(first!), withdraw(first!), withdraw(second!)])
    expect(await payments()).toMatchObject([
      { state: 'refunded', refundedCents: 2000, withdrawableCoinAmount: 0 },
      { state: 'refunded', refundedCents: 2000, withdrawableCoinAmount: 0 },
    ])
    expect(await balance(me.client)).toBe(100)
    const taken = (await history()).filter(([kind]) => kind === 'purchase-reversal')
    expect(taken.map(([, coinAmount]) => coinAmount)).toEqual([-2000, -2000])
  })

  it('LIF-04 is refused after 14 days, when no token is left, and after a refund', async () => {
    const refusal = async (): Promise<unknown> => {
      const { status, body } = await withdraw(await payment())
      return [status, body.error?.code]
    }
    const refused = [409, 'payments/not-withdrawable']
    const session = await bought(2000)
    await person.press(session, 'refund-half', 'once')
    await settleNotices(server)
    expect(await refusal()).toEqual(refused)
    now += 1000
    await subscribed()
    for (let spent = 0; spent < 1900 + 2000; spent += 300) await spend300()
    expect(await refusal()).toEqual(refused)
    now += 1000
    await bought(2000)
    now += 14 * DAY_MS
    me = await server.signUp(me.email)
    expect(await refusal()).toEqual(refused)
  })

  it('LIF-04 is owed while the provider is away, and refunded with the next minute', async () => {
    await bought(2000)
    const away = vi
      .spyOn(server.deps.payments, 'refund')
      .mockRejectedValueOnce(new Problem('payments/provider-away', 'Away.'))
    const { body } = await withdraw(await payment())
    expect(body.payment).toMatchObject({ state: 'paid', withdrawnAt: new Date(now).toISOString() })
    expect(await balance(me.client)).toBe(1000)
    await tickPayments(server.deps)
    away.mockRestore()
    expect(await payment()).toMatchObject({ state: 'refunded', refundedCents: 2000 })
    expect(await balance(me.client)).toBe(1000)
  })

  /** Gives the tokens back while the provider is away, so that the money is owed. */
  async function withdrawOwed(): Promise<void> {
    const refund = vi
      .spyOn(server.deps.payments, 'refund')
      .mockRejectedValueOnce(new Problem('payments/provider-away', 'Away.'))
    expect((await withdraw(await payment())).status).toBe(200)
    refund.mockRestore()
  }

  it('LIF-04 that a dispute comes before is refunded when the dispute was won', async () => {
    const session = await bought(2000)
    await withdrawOwed()
    await person.press(session, 'dispute')
    await tickPayments(server.deps)
    expect([(await payment()).state, await balance(me.client)]).toEqual(['disputed', 1000])
    const asked = vi.spyOn(server.deps.payments, 'readPayment')
    await tickPayments(server.deps)
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
    await person.press(session, 'dispute-won')
    now += DAY_MS
    await tickPayments(server.deps)
    expect(await payment()).toMatchObject({ state: 'refunded', refundedCents: 2000 })
    expect(await history()).toEqual([
      ['trial-grant', 1000],
      ['purchase', 2000],
      ['purchase-reversal', -2000],
    ])
  })

  it('LIF-04 that a refund of all comes before takes no token twice', async () => {
    const session = await bought(2000)
    for (let spent = 0; spent < 1200; spent += 300) await spend300()
    await withdrawOwed()
    await person.press(session, 'refund-all')
    await tickPayments(server.deps)
    expect(await payment()).toMatchObject({ state: 'refunded', refundedCents: 2000 })
    expect((await history()).filter(([kind]) => kind === 'purchase-reversal')).toEqual([
      ['purchase-reversal', -1800],
      ['purchase-reversal', -200],
    ])
    expect((await wallet()).coinBalance).toBe(-200)
  })

  it('LIF-04 is refunded again when its refund failed, and keeps the tokens away', async () => {
    const session = await bought(2000)
    await withdraw(await payment())
    await person.press(session, 'refund-fails', 'once')
    await settleNotices(server)
    expect(await payment()).toMatchObject({ state: 'refunded', refundedCents: 2000 })
    expect(await balance(me.client)).toBe(1000)
  })

  it('LIF-04 is refused after a refund that was not heard of yet', async () => {
    const session = await bought(2000)
    await person.press(session, 'refund-half')
    const { status, body } = await withdraw(await payment())
    expect([status, body.error?.code]).toEqual([409, 'payments/not-withdrawable'])
    expect(await balance(me.client)).toBe(2000)
  })
})
describe('a month that its person takes back', () => {
  it('LIF-04 of a month ends its subscription and its rights, and another one can begin', async () => {
    await subscribed()
    now += 8 * DAY_MS
    expect(await rights()).toContain('create:orders')
    const { status, body } = await withdraw(await payment())
    expect([status, body.payment.state]).toEqual([200, 'refunded'])
    expect((await person.subscriptions())[0]).toMatchObject({ status: 'expired' })
    expect(await rights()).not.toContain('create:orders')
    const other = await subscribed()
    expect(other.planSlug).toBe('standard')
    expect(await rights()).toContain('create:orders')
    // Read again, the month that was given back brings nothing, and ends nothing of the other one.
    now += DAY_MS
    await tickPayments(server.deps)
    expect((await person.subscriptions()).map((each) => each.status)).toEqual(['active', 'expired'])
    expect(await balance(me.client)).toBe(1900)
  })

  it('LIF-04 the rights of a month end with its tokens, also while the provider is away', async () => {
    await subscribed()
    now += 8 * DAY_MS
    const away = vi
      .spyOn(server.deps.payments, 'endNow')
      .mockRejectedValue(new Problem('payments/provider-away', 'Away.'))
    expect((await withdraw(await payment())).status).toBe(200)
    expect(await rights()).not.toContain('create:orders')
    // The money went back all the same; the end follows.
    expect(await payment()).toMatchObject({ state: 'refunded' })
    expect((await person.subscriptions())[0]).toMatchObject({ status: 'active' })
    away.mockRestore()
    await tickPayments(server.deps)
    expect((await person.subscriptions())[0]).toMatchObject({ status: 'expired' })
    expect(await balance(me.client)).toBe(0)
  })

  it('LIF-04 a lost dispute ends the month as well, a refund of the seller leaves its rights', async () => {
    const session = await subscribed()
    now += 8 * DAY_MS
    await person.press(session, 'refund-all', 'once')
    await settleNotices(server)
    expect(await rights()).toContain('create:orders')
    me = await server.signUp()
    person = payer(me.client)
    const disputed = await subscribed()
    now += 8 * DAY_MS
    await person.press(disputed, 'dispute', 'once')
    await settleNotices(server)
    expect(await rights()).toContain('create:orders')
    await person.press(disputed, 'dispute-lost', 'once')
    await settleNotices(server)
    expect(await rights()).not.toContain('create:orders')
    expect((await person.subscriptions())[0]).toMatchObject({ status: 'expired' })
  })
})

/** A redemption whose reward is marked and was never booked. */
function plantRedemption(reversedAt: SQL): SQL {
  return sql`with person as (select id from users limit 1), code as (
      insert into referral_codes (id, user_id, code, created_at)
      select gen_random_uuid(), id, 'PLANTED', now() from person returning id, user_id)
    insert into referral_redemptions
      (id, code_id, referee_user_id, referee_mailbox_hash, claimed_at, rewarded_at, reversed_at)
    select gen_random_uuid(), id, user_id, 'planted', now(), now(), ${reversedAt} from code`
}

describe('the nightly audit', () => {
  it('LIF-10 finds nothing in the books of all that this suite has booked', async () => {
    const { transactions, differences } = await auditLedger(server.deps)
    expect(differences).toEqual([])
    expect(transactions).toBeGreaterThan(100)
    await auditNightly(server.deps)
    const told = server.logged.filter(({ event }) => event.startsWith('ledger/'))
    expect(told.map(({ level, event }) => [level, event])).toEqual([['info', 'ledger/audited']])
  })

  // Each book with a change that only it, or others with it, can see.
  it.each([
    ['shares of a spend', sql`delete from lot_spends where id = (select min(id) from lot_spends)`],
    [
      'what is left of a lot',
      sql`update lots set remaining_coin_amount = remaining_coin_amount + 1`,
    ],
    ['what is left of a lot', sql`delete from lots`],
    ['wallet, end and origin of a lot', sql`update lots set coins_expire_after_at = now()`],
    [
      'balance of a wallet against its lots',
      sql`update wallet_transactions set coin_amount = coin_amount - 1
        where id = (select id from wallet_transactions where kind = 'order-payment' limit 1)`,
    ],
    [
      'shares that came back',
      sql`update wallet_transactions set coin_amount = coin_amount + 1 where kind = 'order-refund'`,
    ],
    [
      'lots of another wallet',
      sql`update wallet_transactions t set cause = 'planted',
        wallet_id = (select w.id from wallets w where w.id <> t.wallet_id limit 1)
        where t.id = (select lot_id from lot_spends where lot_id is not null limit 1)`,
    ],
    ['tokens of a payment', sql`update payments set coin_amount = coin_amount + 1`],
    [
      'payments of a grant',
      sql`update payments set wallet_transaction_id = (select min(wallet_transaction_id::text)::uuid from payments)`,
    ],
    [
      'tokens of a paid checkout',
      sql`update checkout_sessions set charged_coin_amount = charged_coin_amount + 1`,
    ],
    [
      'tokens taken back with money',
      sql`update wallet_transactions set reverts_id = null where cause like 'refund:%'`,
    ],
    ['money of a withdrawal', sql`update payments set withdrawn_cents = withdrawn_cents + 1`],
    ['tokens of an order', sql`update orders set status = 'canceled' where status = 'paid'`],
    ['refunds of an edit', sql`update order_line_items set coin_amount = coin_amount - 1`],
    ['rewards of a redemption', plantRedemption(sql`null`)],
    ['rewards that went back', plantRedemption(sql`now()`)],
    [
      'receipt numbers of a year',
      sql`update receipt_counters set last = last + 1 where series = 'payment'`,
    ],
  ] as const)('LIF-10 %s: a planted difference is found', async (book, change) => {
    const planted = await server.deps.db
      .transaction(async (tx) => {
        const { rowCount } = await tx.execute(change)
        const found = await auditLedger({ db: tx })
        throw new Planted({ rowCount: rowCount ?? 0, found })
      })
      .catch((error: unknown) => {
        if (error instanceof Planted) return error.seen
        throw error
      })
    expect(planted.rowCount).toBeGreaterThan(0)
    expect(planted.found.differences.map((one) => one.book)).toContain(book)
    expect((await auditLedger(server.deps)).differenceCount).toBe(0)
  })

  it('LIF-10 a difference is an error in the log and a mail, and the operator sees it again', async () => {
    const { operatorMail } = server.deps.settings
    await server.deps.db.execute(sql`update payments set coin_amount = coin_amount + 1`)
    await auditNightly(server.deps)
    const [line] = server.logged.filter(({ event }) => event === 'ledger/differs')
    expect(line).toMatchObject({ level: 'error' })
    const mail = await server.lastMail(operatorMail ?? '')
    expect(mail?.subject).toBe('The books of tokens and money do not agree')
    expect(mail?.text).toMatch(/tokens of a payment: [\da-f-]{36} has 2000, and should have 2001/)
    // However many differ, the mail and the line stay short.
    expect(mail?.text.split('\n').length).toBeLessThan(100)
    const answer = await runOperator(operator(), ['audit'])
    expect([answer.isDone, answer.lines[0]]).toEqual([
      false,
      expect.stringMatching(/^The books do not agree/) as string,
    ])
    await server.deps.db.execute(sql`update payments set coin_amount = coin_amount - 1`)
    expect((await runOperator(operator(), ['audit'])).lines[0]).toMatch(/^The books agree: \d+ /)
  })

  it('LIF-10 runs at 3 in the night, UTC', () => {
    expect(untilAudit(new Date('2026-11-28T02:59:00Z'))).toBe(60)
    expect(untilAudit(new Date('2026-11-28T03:00:00Z'))).toBe(24 * 3600)
    expect(untilAudit(new Date('2026-12-31T23:00:00Z'))).toBe(4 * 3600)
  })
})

/** Takes a planted change back with its transaction, and what was seen of it out. */
class Planted extends Error {
  readonly seen: { readonly rowCount: number; readonly found: Audit }
  constructor(seen: { readonly rowCount: number; readonly found: Audit }) {
    super('Taken back')
    this.seen = seen
  }
}

const operator = () => ({ ...server.deps, actor: 'operator:test' })
