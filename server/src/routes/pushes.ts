import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { markNoticesSeen } from '#server/operations/accounts/notices/seen.ts'
import {
  endPushSubscription,
  savePushSubscription,
} from '#server/operations/accounts/pushes/subscriptions.ts'
import { sessionOf } from './users.ts'

/** Messages to devices, and what was seen of them. */
export function createPushRoutes(deps: Deps) {
  return {
    savePushSubscription: async ({ body: { endpoint, keys }, context }) => {
      const sessionId = sessionOf(context)
      await savePushSubscription(asUser(deps, context), { sessionId, endpoint, ...keys })
      return { status: 204 }
    },
    endPushSubscription: async ({ context }) => {
      await endPushSubscription(asUser(deps, context), { sessionId: sessionOf(context) })
      return { status: 204 }
    },
    markNoticesSeen: async ({ context }) => {
      await markNoticesSeen(asUser(deps, context))
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
