import { attestation } from '#tests/setup/order.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { beginUpload } from '#tests/setup/upload.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import { crash, createChance, untilAnswered, type Chance } from './crash-harness.ts'

type Order = components['schemas']['Order']
type Wallet = components['schemas']['Wallet']
type Transaction = components['schemas']['WalletCoinTransaction']

let server: E2eServer
let client: TestClient
let walletId: string
beforeAll(async () => {
  server = await startE2eServer()
  ;({ client } = await signUpAt(server))
  walletId = (await client.get<{ wallets: Wallet[] }>('/v1/wallets')).body.wallets[0]?._id ?? ''
})
afterAll(async () => {
  await server.dispose()
})

/**
 * One intent of the page: the same key and body until there is an answer, and the answer it then
 * got.
 */
interface Intent<T> {
  send(): Promise<TestAnswer<T>>
  readonly answered: TestAnswer<T>[]
}

function intent<T>(path: string, body: unknown): Intent<T> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answered: TestAnswer<T>[] = []
  return {
    answered,
    async send() {
      const answer = await untilAnswered(
        () => client.post<T>(path, body, { headers }),
        ({ status }) => status < 500,
      )
      answered.push(answer)
      return answer
    },
  }
}

it.each([
  { seed: 5201, during: 'job', withDatabase: false },
  { seed: 5202, during: 'order', withDatabase: true },
  { seed: 5203, during: 'payment', withDatabase: false },
  { seed: 5204, during: 'payment', withDatabase: true },
] as const)(
  'ORD-05 an order that is placed and paid by two devices while the server is killed exists and is paid once (seed $seed, during the $during, database too: $withDatabase)',
  async ({ seed, during, withDatabase }) => {
    const chance = createChance(seed)
    const before = await spendable()
    // An upload that is still to come: nothing starts, so nothing but the order moves tokens.
    const upload = await beginUpload(client, 1000)
    let killed = Promise.resolve()
    const strikeIn = (step: typeof during): void => {
      if (step === during) killed = strike(chance, withDatabase)
    }
    strikeIn('job')
    const job = intent<{ mediaJob: { _id: string } }>('/v2/media-jobs', {
      mediaJob: {
        uploadRequestId: upload._id,
        mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
      },
    })
    const {
      body: { mediaJob },
    } = await job.send()
    strikeIn('order')
    const placing = intent<{ order: Order }>('/v1/orders', {
      order: { mediaJobId: mediaJob._id, attestation },
    })
    const {
      body: { order },
    } = await placing.send()
    const payments = [1, 2].map((device) =>
      intent<{ order: Order; error?: { code: string } }>(
        `/v1/payments/orders/${order._id}/wallet-coin-transactions`,
        {
          walletCoinTransaction: { walletId, coinAmount: order.remainingPayableCoinAmount },
          idempotencyKey: `device-${device}-${seed}`,
        },
      ),
    )
    strikeIn('payment')
    const paid = await Promise.all(payments.map((payment) => payment.send()))
    await killed
    expect(paid.map(({ status }) => status < 300)).toContain(true)
    expect(
      paid.filter(({ status }) => status >= 300).map(({ body }) => body.error?.code),
    ).toSatisfy((codes: string[]) => codes.every((code) => code === 'orders/already-paid'))

    const orders = (await client.get<{ orders: Order[] }>(`/v1/media-jobs/${mediaJob._id}/orders`))
      .body.orders
    expect(orders).toEqual([
      expect.objectContaining({
        _id: order._id,
        isFullyPaid: true,
        paidTotalCoinAmount: order.lineItemsTotalCoinAmount,
        remainingPayableCoinAmount: 0,
      }),
    ])
    const history = (
      await client.get<{ walletCoinTransactions: Transaction[] }>(
        `/v1/wallets/${walletId}/wallet-coin-transactions`,
      )
    ).body.walletCoinTransactions
    expect(history.filter((row) => row.orderId === order._id).map((row) => row.coinAmount)).toEqual(
      [-order.lineItemsTotalCoinAmount],
    )
    expect(await spendable()).toBe(before - order.lineItemsTotalCoinAmount)
    expect(history.reduce((sum, row) => sum + row.coinAmount, 0)).toBe(await spendable())
    // Asking again with the same key gets the first answer.
    for (const done of [
      job,
      placing,
      ...payments.filter((_, index) => (paid[index]?.status ?? 0) < 300),
    ]) {
      const [first] = done.answered
      const again = await done.send()
      expect([again.status, again.body]).toEqual([first?.status, first?.body])
    }
    expect(await spendable()).toBe(before - order.lineItemsTotalCoinAmount)
  },
  90_000,
)

async function strike(chance: Chance, withDatabase: boolean): Promise<void> {
  await chance.moment(30)
  await crash(server, { withDatabase })
  await server.start()
}

async function spendable(): Promise<number> {
  return (await client.get<{ wallets: Wallet[] }>('/v1/wallets')).body.wallets.reduce(
    (sum, wallet) => sum + wallet.spendableCoinAmount,
    0,
  )
}
