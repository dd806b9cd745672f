import { attestation } from '#tests/setup/order.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { crash, createChance, untilAnswered, type Chance } from './crash-harness.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import type { Checkout } from '#tests/setup/payments.ts'
import { beginUpload } from '#tests/setup/upload.ts'

type Order = components['schemas']['Order']
type Transaction = components['schemas']['WalletCoinTransaction']

const SESSIONS = '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions'
/** The page that waits is answered from the provider at most every 5 s, on the server's clock. */
const BOOKED_WITHIN_MS = 30_000
/** An account may begin a few uploads and payments only. */
const ORDERS_OF_ONE = 12

let folder: string
let server: E2eServer
let client: TestClient
let walletId: string
/** Purchases of this account. */
let bought = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-card-'))
  server = await startE2eServer(
    { ONECUT_TEST_DIE_AT: join(folder, 'statement') },
    'tests/setup/dying-server.ts',
  )
})
beforeEach(async () => {
  if (bought % ORDERS_OF_ONE > 0) return
  ;({ client } = await signUpAt(server))
  const { body } = await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')
  walletId = body.wallets[0]?._id ?? ''
  bought = 0
})
afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** The steps of a card payment, each by the statement after which the server dies. */
const STEPS: readonly (readonly [string, RegExp])[] = [
  ['our row of the session', /^insert into "checkout_sessions"/],
  ["the provider's session", /^insert into "test_payments"/],
  ["the id of the provider's session", /^update "checkout_sessions" set "provider_session_id"/],
  ['the money at the provider', /^update "test_payments"/],
  ['the notice of it', /^insert into "payment_events"/],
  ['the tokens, uncommitted', /^insert into "wallet_transactions"/],
  ['the paid order, uncommitted', /^update "orders" set "status"/],
]
/** Others repeat each step: `ONECUT_CARD_KILLS=10`. */
const TIMES = Number(process.env['ONECUT_CARD_KILLS'] ?? 1)

it.each(
  STEPS.flatMap(([step, statement]) =>
    Array.from({ length: TIMES }, (_, time) => ({ step, statement, time })),
  ),
)(
  'ORD-06 a card pays an order once when the server dies after $step (time $time)',
  async ({ statement }) => {
    const order = await placeOrder()
    const pid = server.pid() ?? 0
    await writeFile(join(folder, 'statement'), statement.source)
    process.kill(pid, 'SIGUSR2')
    const revived = vi
      .waitUntil(() => isOver(pid), { timeout: 60_000, interval: 20 })
      .then(() => server.kill())
      .then(() => server.start())
    const session = await open(order, `step-${order._id}`)
    await press(session)
    await revived
    await expectPaidOnce(order, session)
  },
  120_000,
)

function isOver(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

it.each([
  { seed: 6102, during: 'opening' },
  { seed: 6104, during: 'paying' },
  { seed: 6106, during: 'booking' },
] as const)(
  'ORD-06 a card pays an order once when the server is killed (seed $seed, with its database, during the $during)',
  async ({ seed, during }) => {
    const chance = createChance(seed)
    const order = await placeOrder()
    let killed = Promise.resolve()
    const strikeIn = (step: typeof during): void => {
      if (step === during) killed = strike(chance)
    }
    strikeIn('opening')
    const session = await open(order, `card-${seed}`)
    strikeIn('paying')
    await press(session)
    strikeIn('booking')
    await killed
    await expectPaidOnce(order, session)
  },
  90_000,
)

async function open(order: Order, key: string): Promise<Checkout> {
  const body = {
    walletId,
    orderId: order._id,
    stripeCheckoutSession: { coinAmount: order.remainingPayableCoinAmount },
  }
  const headers = { 'idempotency-key': key }
  const opened = await answered(() =>
    client.post<{ stripeCheckoutSession: Checkout }>(SESSIONS, body, { headers }),
  )
  return opened.body.stripeCheckoutSession
}

async function press({ payUrl }: Checkout): Promise<void> {
  const form = new URLSearchParams({ press: 'pay', delivery: 'twice' })
  await answered(() => client.post(payUrl, form))
}

/** Of the wallet, one purchase; of the order, one payment. */
async function expectPaidOnce(order: Order, session: Checkout): Promise<void> {
  await expect
    .poll(async () => (await look(session)).payment, { timeout: BOOKED_WITHIN_MS })
    .toBe('paid')
  expect(await look(session)).toMatchObject({ status: 'complete', payment: 'paid' })
  const paid = await answered(() => client.get<{ order: Order }>(`/v1/orders/${order._id}`))
  expect(paid.body.order).toMatchObject({ isFullyPaid: true, remainingPayableCoinAmount: 0 })
  const { walletCoinTransactions: history } = (
    await client.get<{ walletCoinTransactions: Transaction[] }>(
      `/v1/wallets/${walletId}/wallet-coin-transactions`,
    )
  ).body
  expect(history.filter(({ orderId }) => orderId === order._id)).toHaveLength(1)
  bought += 1
  expect(history.filter(({ kind }) => kind === 'purchase')).toHaveLength(bought)
}

async function placeOrder(): Promise<Order> {
  // An upload that is still to come: nothing starts, so nothing but the order moves tokens.
  const upload = await beginUpload(client, 1000)
  const job = await client.post<{ mediaJob: { _id: string } }>('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: upload._id,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
    },
  })
  const placed = await client.post<{ order: Order }>('/v1/orders', {
    order: { mediaJobId: job.body.mediaJob._id, attestation },
  })
  return placed.body.order
}

async function look({ _id }: Checkout): Promise<Checkout> {
  const answer = await answered(() =>
    client.get<{ stripeCheckoutSession: Checkout }>(`${SESSIONS}/${_id}`),
  )
  return answer.body.stripeCheckoutSession
}

async function answered<T>(call: () => Promise<TestAnswer<T>>): Promise<TestAnswer<T>> {
  return await untilAnswered(call, ({ status }) => status < 500)
}

async function strike(chance: Chance): Promise<void> {
  await chance.moment(30)
  await crash(server, { withDatabase: true })
  await server.start()
}
