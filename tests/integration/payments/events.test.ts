import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { asc, eq } from 'drizzle-orm'
import { inTransaction, type UserCtx } from '#server/context.ts'
import {
  checkoutSessions,
  payments,
  wallets,
  walletSubscriptions,
  walletTransactions,
} from '#server/db/schema.ts'
import { findOrCreateAccount } from '#server/operations/accounts/auth/account.ts'
import { receiveEvent, settleEvent } from '#server/operations/commerce/payments/events.ts'
import { subscribe } from '#server/operations/commerce/payments/subscribe.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import {
  cancelSubscription,
  resumeSubscription,
} from '#server/operations/commerce/subscriptions/manage.ts'
import type { ProviderObject } from '#server/payments/port.ts'
import { runs } from '#tests/seeds.ts'
import { balance } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONG_MS = 180_000

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

/** A subscription of a new person that the provider has taken the money for and told no one of. */
interface Life {
  readonly ctx: UserCtx
  readonly sessionId: string
  readonly subscriptionId: string
}

async function beginLife(): Promise<Life> {
  const email = `life-${crypto.randomUUID()}@example.com`
  const { id } = await inTransaction(server.deps, (ctx) =>
    findOrCreateAccount(ctx, { email, referralCode: null, hasTrial: true }, async () => {}),
  )
  const user = { id, email, permissions: ['create:walletSubscriptions' as const] }
  const ctx = { ...server.deps, user }
  const { row } = await subscribe(ctx, { planSlug: 'standard' })
  const sessionId = row.providerSessionId ?? ''
  await press(sessionId, 'pay')
  return { ctx, sessionId, subscriptionId: sessionId.replace('test_cs_', 'test_sub_') }
}

async function press(sessionId: string, name: string): Promise<void> {
  const fields = new URLSearchParams({ press: name, delivery: 'never' })
  await server.deps.payments.inner?.press(sessionId, fields)
}

/** What the queue does with one notice, which comes twice. */
async function deliver(about: ProviderObject, type: string): Promise<void> {
  const eventId = crypto.randomUUID()
  const event = { eventId, type, about, occurredAt: new Date(now) }
  for (let copy = 0; copy < 2; copy += 1) await receiveEvent(server.deps, { event })
  await settleEvent(server.deps, { provider: 'test', eventId })
  await settleEvent({ ...server.deps, payments: unreadable() }, { provider: 'test', eventId })
}

/** Of a notice that is settled, nothing is asked again. */
function unreadable(): UserCtx['payments'] {
  const refuse = () => Promise.reject(new Error('A settled notice was read again'))
  const { payments: provider } = server.deps
  return { ...provider, readSession: refuse, readSubscription: refuse, readPayment: refuse }
}

async function readBooks({ ctx }: Life) {
  const { db, user } = ctx
  const [session] = await db
    .select()
    .from(checkoutSessions)
    .where(eq(checkoutSessions.userId, user.id))
  const subscriptions = await db
    .select()
    .from(walletSubscriptions)
    .where(eq(walletSubscriptions.userId, user.id))
  const ledger = await db
    .select({
      kind: walletTransactions.kind,
      coinAmount: walletTransactions.coinAmount,
      cause: walletTransactions.cause,
      expiresAt: walletTransactions.coinsExpireAfterAt,
    })
    .from(walletTransactions)
    .innerJoin(wallets, eq(wallets.id, walletTransactions.walletId))
    .where(eq(wallets.userId, user.id))
    .orderBy(asc(walletTransactions.coinsExpireAfterAt))
  const paid = await db.select().from(payments).where(eq(payments.userId, user.id))
  return { session, subscriptions, ledger, paid }
}

/** The books that the provider's own state asks for. */
async function expectBooksToMatch(life: Life): Promise<void> {
  const facts = await server.deps.payments.readSubscription(life.subscriptionId)
  const months = facts.invoices.filter(({ isPaid }) => isPaid)
  const { session, subscriptions, ledger, paid } = await readBooks(life)
  expect(session).toMatchObject({ status: 'complete', payment: 'paid' })
  expect(session?.settledAt).not.toBeNull()
  expect(ledger.filter(({ kind }) => kind !== 'trial-grant')).toEqual(
    months.map(({ invoiceId, periodEndsAt }) => ({
      kind: 'subscription-grant',
      coinAmount: 1900,
      cause: `invoice:${invoiceId}`,
      expiresAt: new Date(periodEndsAt.getTime() + DAY_MS),
    })),
  )
  expect(paid.map(({ providerPaymentId }) => providerPaymentId).toSorted()).toEqual(
    months.map((month) => month.paid?.paymentId ?? '').toSorted(),
  )
  const status = {
    'not-begun': 'none',
    ended: 'expired',
    'past-due': 'payment-problem',
    active: 'active',
  }[facts.state]
  expect(subscriptions).toMatchObject([
    {
      status: status === 'active' && facts.cancelsAt !== null ? 'canceling' : status,
      paidThrough: months.at(-1)?.periodEndsAt,
      periodEndsAt: facts.periodEndsAt,
      cancelsAt: facts.cancelsAt,
      endedAt: facts.endedAt,
    },
  ])
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) =>
    permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  )
}

// These end their subscriptions, so they come first: each minute reads those that run.
describe('three months of a subscription', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }).map((days) => ({ do: 'pass', days })) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        { do: 'tick', days: 0 },
        { do: 'session', days: 0 },
        { do: 'subscription', days: 0 },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        { do: 'cancel', days: 0 },
        { do: 'resume', days: 0 },
        { do: 'renewals-fail', days: 0 },
        { do: 'renewals-succeed', days: 0 },
      ),
    },
  )

  async function live(life: Life, what: string, days: number): Promise<void> {
    const { ctx, sessionId, subscriptionId } = life
    switch (what) {
      case 'pass':
        now += days * DAY_MS
        return
      case 'tick':
        await tickPayments(server.deps)
        return
      case 'session':
        await deliver({ kind: 'session', id: sessionId }, 'session.completed')
        return
      case 'subscription':
        await deliver({ kind: 'subscription', id: subscriptionId }, 'invoice.paid')
        return
      case 'cancel':
      case 'resume': {
        const [row] = (await readBooks(life)).subscriptions
        const change = what === 'cancel' ? cancelSubscription : resumeSubscription
        if (row !== undefined && row.status !== 'expired') await change(ctx, { id: row.id })
        return
      }
      default:
        await press(sessionId, what)
    }
  }

  it(
    'book each paid month once, whatever comes when, at the latest by the next reading',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
          const life = await beginLife()
          for (const { do: what, days } of steps) await live(life, what, days)
          now += DAY_MS + 60_000
          await tickPayments(server.deps)
          await expectBooksToMatch(life)
          // It ends here, so that later lives do not read it again.
          await server.deps.payments.cancelAtPeriodEnd(life.subscriptionId)
          now += 40 * DAY_MS
          await tickPayments(server.deps)
        }),
        { numRuns: runs(12) },
      )
    },
    LONG_MS,
  )
})

describe('notices of one purchase', () => {
  const notices = [
    ['session', 'session.completed'],
    ['session', 'payment.succeeded'],
    ['subscription', 'subscription.created'],
    ['subscription', 'invoice.created'],
    ['subscription', 'invoice.paid'],
    ['subscription', 'subscription.updated'],
  ] as const

  it(
    'book the same in every order, each twice and some never, at the latest by the next minute',
    async () => {
      // What is read of a notice is what it is about: of orders that differ in types alone, one.
      const orders = new Map(
        permutations(notices).map((order) => [order.map(([kind]) => kind).join(), order]),
      )
      expect(orders.size).toBe(15)
      // Of each order some of its first ones are missing, 0 to 6 in turn; in the soak each number.
      const told = [...orders.values()].flatMap((order, at) =>
        Array.from({ length: Math.min(7, runs(1)) }, (_, more) => order.slice((at + more) % 7)),
      )
      const atOnce = 8
      for (let first = 0; first < told.length; first += atOnce) {
        const lives = await Promise.all(
          told.slice(first, first + atOnce).map(async (order) => {
            const life = await beginLife()
            for (const [kind, type] of order) await deliver({ kind, id: life[`${kind}Id`] }, type)
            return life
          }),
        )
        now += 3 * 60_000
        await tickPayments(server.deps)
        for (const life of lives) await expectBooksToMatch(life)
      }
    },
    LONG_MS,
  )
})

it('a notice that arrives is read by the worker of the server', async () => {
  const worker = await startTestServer({ isWorker: true })
  const { client } = await worker.signUp()
  const person = payer(client)
  const session = await person.buy(2000)
  await person.press(session, 'pay', 'twice')
  await expect.poll(() => balance(client), { timeout: patience(20) }).toBe(3000)
  await worker.stop()
})
