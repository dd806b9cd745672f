import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { walletSubscriptions } from '#src/local/nouns/wallet-subscriptions.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** `cancel`: at the end of the period. `resume`: takes that back while the period runs. */
export type SubscriptionChange = 'cancel' | 'resume'

/**
 * Changes a subscription and stores it as it is then. Needs the network. Each change names the
 * state to reach, so repeating is harmless, also after a reload. 409 `subscriptions/not-cancelable`
 * or `subscriptions/not-resumable` once it is over.
 */
export async function changeSubscription(
  deps: CallDeps,
  change: SubscriptionChange,
  subscriptionId: string,
): Promise<Result<null, ApiFailure>> {
  const { api, db, clock, ids } = deps
  const params = { path: { id: subscriptionId }, header: { [IDEMPOTENCY_HEADER]: ids.uuid() } }
  const answer = await send(
    change === 'cancel'
      ? api.POST('/v1/wallet-subscriptions/{id}/cancel', { params })
      : api.POST('/v1/wallet-subscriptions/{id}/resume', { params }),
  )
  if (!answer.ok) return answer
  const row = walletSubscriptions.toRow(answer.value.walletSubscription, clock.now())
  await db.transaction('rw', db.walletSubscriptions, () =>
    putUnlessNewer(db.walletSubscriptions, [row]),
  )
  return ok(null)
}
