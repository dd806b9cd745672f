import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { requireUser } from '#server/http/request-context.ts'
import { cancelOrder } from '#server/operations/orders/cancel.ts'
import {
  createOrder,
  getOrder,
  getOrderedJob,
  listMediaJobOrders,
} from '#server/operations/orders/create.ts'
import { payOrderWithTokens } from '#server/operations/orders/pay.ts'
import { viewMediaJobs } from './media-job-view.ts'
import { viewUploadRequests } from './upload-request-view.ts'

/** Orders, their payment in tokens and their cancellation. */
export function createOrderRoutes(deps: Deps) {
  return {
    createOrder: async ({ body, context }) => {
      const { order, isNew } = await createOrder(deps, requireUser(context), body.order.mediaJobId)
      return { status: isNew ? 201 : 200, body: { order } }
    },
    getOrder: async ({ params, context }) => ({
      status: 200,
      body: { order: await getOrder(deps, requireUser(context), params.orderId) },
    }),
    cancelOrder: async ({ params, context }) => ({
      status: 200,
      body: { order: await cancelOrder(deps, requireUser(context), params.id) },
    }),
    listMediaJobOrders: async ({ params, context }) => ({
      status: 200,
      body: { orders: await listMediaJobOrders(deps, requireUser(context), params.id) },
    }),
    listOrderMediaJobs: async ({ params, context }) => {
      const { job, upload } = await getOrderedJob(deps, requireUser(context), params.orderId)
      const [mediaJob] = await viewMediaJobs(deps, [job])
      const [uploadRequest] = await viewUploadRequests(deps, [upload])
      return { status: 200, body: { mediaJobs: [{ ...mediaJob!, uploadRequest: uploadRequest! }] } } // one row in, one view out
    },
    payOrderWithTokens: async ({ params, body, context }) => {
      const { walletId, coinAmount } = body.walletCoinTransaction
      const { order, wallet, isNew } = await payOrderWithTokens(
        deps,
        requireUser(context),
        params.orderId,
        { walletId, coinAmount, idempotencyKey: body.idempotencyKey },
      )
      return { status: isNew ? 201 : 200, body: { order, wallet } }
    },
  } satisfies Partial<Handlers>
}
