import type { components } from '#openapi/schema.gen.ts'
import type { PaymentMethodRow, SubscriptionRow } from '#server/db/rows.ts'
import { usableUntil } from '#server/policies/permissions.ts'

/** A subscription as the contract shows it. */
export function viewSubscription(
  row: SubscriptionRow,
): components['schemas']['WalletSubscription'] {
  return {
    _id: row.id,
    planSlug: row.planSlug,
    status: row.status,
    usableUntil: usableUntil(row)?.toISOString() ?? null,
    expiresAt: (row.endedAt ?? row.cancelsAt ?? row.periodEndsAt).toISOString(),
    cancelAtPeriodEnd: row.cancelsAt !== null,
    topUpCoinAmount: row.topUpCoinAmount,
    createdAt: row.createdAt.toISOString(),
  }
}

/** What a subscription is billed by, as the contract shows it. */
export function viewPaymentMethod({
  id,
  provider,
  isActive,
  createdAt,
}: PaymentMethodRow): components['schemas']['StoredPaymentMethod'] {
  return { _id: id, provider, isActive, createdAt: createdAt.toISOString() }
}
