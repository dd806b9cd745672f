import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { cancelOrder } from '#server/operations/commerce/orders/cancel.ts'
import { createOrder } from '#server/operations/commerce/orders/create.ts'
import {
  getOrder,
  getOrderedJob,
  listMediaJobOrders,
} from '#server/operations/commerce/orders/list.ts'
import { payOrderWithTokens } from '#server/operations/commerce/orders/pay.ts'
import { viewMediaJob } from '#server/views/media-job.ts'
import { viewOrder } from '#server/views/order.ts'
import { viewUploadRequest } from '#server/views/upload-request.ts'
import { viewWallet } from '#server/views/wallet.ts'

/** Orders, their payment in tokens and their cancellation. */
export function createOrderRoutes(deps: Deps) {
  return {
    createOrder: async ({ body, context }) => {
      const { isNew, ...order } = await createOrder(asUser(deps, context), body.order)
      return { status: isNew ? 201 : 200, body: { order: viewOrder(order) } }
    },
    getOrder: async ({ params, context }) => ({
      status: 200,
      body: { order: viewOrder(await getOrder(asUser(deps, context), params)) },
    }),
    cancelOrder: async ({ params, context }) => ({
      status: 200,
      body: {
        order: viewOrder(await cancelOrder(asUser(deps, context), { orderId: params.id })),
      },
    }),
    listMediaJobOrders: async ({ params, context }) => {
      const orders = await listMediaJobOrders(asUser(deps, context), { mediaJobId: params.id })
      return { status: 200, body: { orders: orders.map(viewOrder) } }
    },
    listOrderMediaJobs: async ({ params, context }) => {
      const { job, upload } = await getOrderedJob(asUser(deps, context), params)
      const mediaJob = { ...viewMediaJob(job), uploadRequest: viewUploadRequest(upload) }
      return { status: 200, body: { mediaJobs: [mediaJob] } }
    },
    payOrderWithTokens: async ({ params, body, context }) => {
      const { walletId, coinAmount } = body.walletCoinTransaction
      const { order, wallet, isNew } = await payOrderWithTokens(asUser(deps, context), {
        orderId: params.orderId,
        walletId,
        coinAmount,
        expectedRemaining: body.walletCoinTransaction.remainingPayableCoinAmount ?? null,
        idempotencyKey: body.idempotencyKey,
      })
      return {
        status: isNew ? 201 : 200,
        body: { order: viewOrder(order), wallet: viewWallet(wallet) },
      }
    },
  } satisfies Partial<Handlers>
}
