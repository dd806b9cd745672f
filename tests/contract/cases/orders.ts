import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { walletIdOf } from '#tests/contract/cases/wallets.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, payFor } from '#tests/setup/order.ts'

const newJob = async ({ server, me }: World): Promise<string> =>
  (await storeJob(server.deps, me.userId, ['still-pack'])).jobId
const newOrder = async (world: World): Promise<string> =>
  (
    await world.me.client.post<{ order: { _id: string } }>('/v1/orders', {
      order: { mediaJobId: await newJob(world), attestation },
    })
  ).body.order._id

export const orderCases: OperationCases = {
  createOrder: {
    valid: async (world) => ({
      body: { order: { mediaJobId: await newJob(world), attestation } },
      status: 201,
    }),
    isOwned: true,
    invalid: [
      { body: { order: { mediaJobId: 'x', attestation } }, field: 'order.mediaJobId' },
      { body: { order: {} }, field: 'order.mediaJobId' },
    ],
  },
  getOrder: {
    valid: async (world) => ({ params: { orderId: await newOrder(world) }, status: 200 }),
  },
  cancelOrder: { valid: async (world) => ({ params: { id: await newOrder(world) }, status: 200 }) },
  listMediaJobOrders: {
    valid: async (world) => ({ params: { id: await newJob(world) }, status: 200 }),
  },
  listOrderMediaJobs: {
    valid: async (world) => ({ params: { orderId: await newOrder(world) }, status: 200 }),
  },
  getOrderReceipt: {
    valid: async (world) => {
      const { client } = world.me
      const jobId = await newJob(world)
      await payFor(client, jobId)
      const { body } = await client.get<{ orders: { _id: string }[] }>(
        `/v1/media-jobs/${jobId}/orders`,
      )
      return { params: { id: body.orders[0]?._id ?? '' }, status: 200 }
    },
  },
  payOrderWithTokens: {
    valid: async (world) => ({
      params: { orderId: await newOrder(world) },
      body: {
        walletCoinTransaction: { walletId: await walletIdOf(world), coinAmount: 1 },
        idempotencyKey: crypto.randomUUID(),
      },
      status: 201,
    }),
    invalid: [
      {
        body: {
          walletCoinTransaction: { walletId: crypto.randomUUID(), coinAmount: 0 },
          idempotencyKey: 'key-of-a-payment',
        },
        field: 'walletCoinTransaction.coinAmount',
      },
      {
        body: {
          walletCoinTransaction: { walletId: crypto.randomUUID(), coinAmount: 1.5 },
          idempotencyKey: 'key-of-a-payment',
        },
        field: 'walletCoinTransaction.coinAmount',
      },
      {
        body: {
          walletCoinTransaction: { walletId: crypto.randomUUID(), coinAmount: 1 },
          idempotencyKey: 'short',
        },
        field: 'idempotencyKey',
      },
    ],
  },
}
