import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestAnswer } from '#tests/setup/client.ts'
import { attestation, balance } from '#tests/setup/order.ts'
import {
  answered,
  placeOrder,
  requestEdit,
  startCardKills,
  transactionsOf,
  type CardKills,
  type Order,
} from './card-kills.ts'

let kills: CardKills
beforeAll(async () => {
  kills = await startCardKills()
})
afterAll(() => kills.dispose())

/** One intent of the page: the same key and body until there is an answer. */
function intent<T>(path: string, body: unknown): () => Promise<TestAnswer<T>> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  return async () => {
    const { client } = await kills.person()
    return await answered(() => client.post<T>(path, body, { headers }))
  }
}

it('ORD-05 an order that is placed and paid by two devices while the server is killed, once with its database, exists and is paid once', async () => {
  const { client, walletId } = await kills.person()
  const before = await balance(client)
  const mediaJobId = await requestEdit(client)
  const place = intent<{ order: Order }>('/v1/orders', { order: { mediaJobId, attestation } })
  const killed = await kills.dieAfter(/^insert into "orders"/, { withDatabase: true })
  const placed = await place()
  const { order } = placed.body
  await killed.revived
  const payments = [1, 2].map((device) =>
    intent<{ order: Order; error?: { code: string } }>(
      `/v1/payments/orders/${order._id}/wallet-coin-transactions`,
      {
        walletCoinTransaction: { walletId, coinAmount: order.remainingPayableCoinAmount },
        idempotencyKey: `device-${device}`,
      },
    ),
  )
  const killedAgain = await kills.dieAfter(/^insert into "wallet_transactions"/)
  const paid = await Promise.all(payments.map((pay) => pay()))
  await killedAgain.revived
  expect(paid.map(({ status }) => status < 300)).toContain(true)
  expect(paid.filter(({ status }) => status >= 300).map(({ body }) => body.error?.code)).toSatisfy(
    (codes: string[]) => codes.every((code) => code === 'orders/already-paid'),
  )

  const { orders } = (await client.get<{ orders: Order[] }>(`/v1/media-jobs/${mediaJobId}/orders`))
    .body
  expect(orders).toEqual([
    expect.objectContaining({
      _id: order._id,
      isFullyPaid: true,
      paidTotalCoinAmount: order.lineItemsTotalCoinAmount,
      remainingPayableCoinAmount: 0,
    }),
  ])
  const history = await transactionsOf(await kills.person())
  expect(history.filter((row) => row.orderId === order._id).map((row) => row.coinAmount)).toEqual([
    -order.lineItemsTotalCoinAmount,
  ])
  const after = await balance(client)
  expect(after).toBe(before - order.lineItemsTotalCoinAmount)
  expect(history.reduce((sum, row) => sum + row.coinAmount, 0)).toBe(after)
  // Asking again with the same key gets the first answer.
  const again = await place()
  expect([again.status, again.body]).toEqual([placed.status, placed.body])
  for (const [at, pay] of payments.entries()) {
    const { status, body } = paid[at] ?? {}
    if ((status ?? 0) >= 300) continue
    const sameAgain = await pay()
    expect([sameAgain.status, sameAgain.body]).toEqual([status, body])
  }
  expect(await balance(client)).toBe(after)
})

it.each([
  ["the provider's session, whose id we do not have yet", /^insert into "test_payments"/],
  ['the money at the provider, of which no notice came', /^update "test_payments"/],
])('ORD-06 a card pays an order once when the server dies after %s', async (_step, statement) => {
  const order = await placeOrder(await kills.person())
  const { revived } = await kills.dieAfter(statement)
  const session = await kills.payByCard(order)
  await revived
  await kills.expectPaidOnce(order, session)
})
