import { and, eq, isNull, like, not, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { paymentEvents, payments } from '#server/db/schema.ts'
import { tickPayments } from '#server/operations/commerce/payments/tick.ts'
import { Problem } from '#server/problems.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const LONG_MS = 60_000

let server: TestServer
let now = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) })
})
afterAll(async () => {
  await server.stop()
})

/** Of each kind, more than one minute reads; all are due for longer than the person's. */
async function storeBroken(userId: string): Promise<void> {
  const { db } = server.deps
  const long = sql`timestamptz '2026-01-01'`
  const many = sql`generate_series(1, 150) as n`
  await db.execute(sql`
    insert into payment_events (provider, event_id, type, object_kind, object_id, occurred_at, received_at)
    select 'test', 'broken-' || n, 'session.completed', 'session', 'broken-' || n, ${long}, ${long} from ${many}`)
  await db.execute(sql`
    insert into payments (id, user_id, provider, provider_payment_id, checkout_session_id,
      wallet_transaction_id, amount_cents, tax_cents, currency, coin_amount, paid_at, receipt_number,
      state, refunded_cents, read_due_at)
    select gen_random_uuid(), user_id, provider, 'broken-' || n, checkout_session_id,
      wallet_transaction_id, amount_cents, 0, currency, coin_amount, paid_at, 'broken-' || n,
      'paid', 0, ${long}
    from payments, ${many} where user_id = ${userId} and wallet_subscription_id is null`)
  await db.execute(sql`
    insert into wallet_subscriptions (id, user_id, wallet_id, plan_slug, provider,
      provider_subscription_id, status, period_ends_at, top_up_coin_amount, created_at, read_at,
      read_due_at)
    select gen_random_uuid(), user_id, wallet_id, plan_slug, provider, 'broken-' || n, status,
      period_ends_at, 1900, created_at, read_at, ${long}
    from wallet_subscriptions, ${many} where user_id = ${userId}`)
}

it(
  'what fails in every minute lets the rest pass',
  async () => {
    const { client, userId } = await server.signUp()
    const person = payer(client)
    const tokens = await person.buy(2000)
    await person.press(tokens, 'pay', 'once')
    await person.look(tokens)
    now += MINUTE_MS
    const plan = await person.subscribe()
    await person.press(plan, 'pay')
    await person.look(plan)
    await storeBroken(userId)
    const { readSession } = server.deps.payments
    const reading = vi.spyOn(server.deps.payments, 'readSession').mockImplementation(async (id) => {
      if (id.startsWith('broken-')) throw new Problem('payments/provider-away', 'Away.')
      return await readSession(id)
    })
    await person.press(tokens, 'refund-all')
    now += 40 * DAY_MS
    for (let minute = 0; minute < 3; minute += 1) {
      await tickPayments(server.deps)
      now += MINUTE_MS
    }
    reading.mockRestore()
    const { db } = server.deps
    const waiting = await db
      .select()
      .from(paymentEvents)
      .where(and(isNull(paymentEvents.settledAt), not(like(paymentEvents.eventId, 'broken-%'))))
    expect(waiting).toEqual([])
    const read = await db
      .select({ state: payments.state, coinAmount: payments.coinAmount })
      .from(payments)
      .where(and(eq(payments.userId, userId), not(like(payments.providerPaymentId, 'broken-%'))))
      .orderBy(payments.paidAt)
    expect(read).toEqual([
      { state: 'refunded', coinAmount: 2000 },
      { state: 'paid', coinAmount: 1900 },
      { state: 'paid', coinAmount: 1900 },
    ])
  },
  LONG_MS,
)
