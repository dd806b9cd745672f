import { afterAll, beforeAll, expect, it } from 'vitest'
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

let server: E2eServer
let client: TestClient
let walletId: string
beforeAll(async () => {
  server = await startE2eServer()
  ;({ client } = await signUpAt(server))
  const { body } = await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')
  walletId = body.wallets[0]?._id ?? ''
})
afterAll(async () => {
  await server.dispose()
})

it.each([
  { seed: 6101, during: 'opening', withDatabase: false },
  { seed: 6102, during: 'opening', withDatabase: true },
  { seed: 6103, during: 'paying', withDatabase: false },
  { seed: 6104, during: 'paying', withDatabase: true },
  { seed: 6105, during: 'booking', withDatabase: false },
  { seed: 6106, during: 'booking', withDatabase: true },
] as const)(
  'ORD-06 a card pays an order once when the server is killed (seed $seed, during the $during, database too: $withDatabase)',
  async ({ seed, during, withDatabase }) => {
    const chance = createChance(seed)
    const order = await placeOrder()
    let killed = Promise.resolve()
    const strikeIn = (step: typeof during): void => {
      if (step === during) killed = strike(chance, withDatabase)
    }
    strikeIn('opening')
    const headers = { 'idempotency-key': `card-${seed}` }
    const body = {
      walletId,
      orderId: order._id,
      stripeCheckoutSession: { coinAmount: order.remainingPayableCoinAmount },
    }
    const opened = await answered(() =>
      client.post<{ stripeCheckoutSession: Checkout }>(SESSIONS, body, { headers }),
    )
    const session = opened.body.stripeCheckoutSession
    strikeIn('paying')
    const press = new URLSearchParams({ press: 'pay', delivery: 'twice' })
    await answered(() => client.post(session.payUrl, press))
    strikeIn('booking')
    await expect
      .poll(async () => (await look(session)).payment, { timeout: BOOKED_WITHIN_MS })
      .toBe('paid')
    await killed
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
  },
  90_000,
)
let bought = 0

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
    order: { mediaJobId: job.body.mediaJob._id },
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

async function strike(chance: Chance, withDatabase: boolean): Promise<void> {
  await chance.moment(30)
  await crash(server, { withDatabase })
  await server.start()
}
