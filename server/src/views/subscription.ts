import type { components } from '#openapi/schema.gen.ts'
import type { SubscriptionRow } from '#server/db/rows.ts'

/** A subscription as the contract shows it. */
export function viewSubscription(
  row: SubscriptionRow,
): components['schemas']['WalletSubscription'] {
  return {
    _id: row.id,
    planSlug: row.planSlug,
    status: row.status,
    expiresAt: (row.endedAt ?? row.cancelsAt ?? row.periodEndsAt).toISOString(),
    cancelAtPeriodEnd: row.cancelsAt !== null,
    topUpCoinAmount: row.topUpCoinAmount,
    createdAt: row.createdAt.toISOString(),
  }
}
