import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import {
  cancelSubscription,
  getSubscription,
  listSubscriptions,
  resumeSubscription,
} from '#server/operations/commerce/subscriptions/manage.ts'
import { viewSubscription } from '#server/views/subscription.ts'

/** Subscriptions, their cancellation and its withdrawal. */
export function createSubscriptionRoutes(deps: Deps) {
  return {
    listWalletSubscriptions: async ({ context }) => {
      const rows = await listSubscriptions(asUser(deps, context))
      return { status: 200, body: { walletSubscriptions: rows.map(viewSubscription) } }
    },
    getWalletSubscription: async ({ params, context }) => {
      const name = { id: params.walletSubscriptionId }
      const row = await getSubscription(asUser(deps, context), name)
      return { status: 200, body: { walletSubscription: viewSubscription(row) } }
    },
    cancelWalletSubscription: async ({ params, context }) => {
      const row = await cancelSubscription(asUser(deps, context), params)
      return { status: 200, body: { walletSubscription: viewSubscription(row) } }
    },
    resumeWalletSubscription: async ({ params, context }) => {
      const row = await resumeSubscription(asUser(deps, context), params)
      return { status: 200, body: { walletSubscription: viewSubscription(row) } }
    },
  } satisfies Partial<Handlers>
}
