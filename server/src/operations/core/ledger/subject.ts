import type { TransactionRow } from '#server/db/rows.ts'

/** What tokens moved for, so that a screen can link to it. */
export interface Subject {
  readonly kind:
    | 'order'
    | 'checkout-session'
    | 'subscription'
    | 'referral-code-redemption'
    | 'wallet-coin-transaction'
  /** Null where only the kind is known. */
  readonly id: string | null
}

/**
 * The subject of a transaction, or null when it has none. A purchase has the cause
 * `checkout:<session>`, a reward `referral:<redemption>:<whose>`.
 */
export function subjectOf({
  kind,
  orderId,
  revertsId,
  subscriptionId,
  cause,
}: Pick<
  TransactionRow,
  'kind' | 'orderId' | 'revertsId' | 'subscriptionId' | 'cause'
>): Subject | null {
  if (revertsId !== null) return { kind: 'wallet-coin-transaction', id: revertsId }
  if (orderId !== null) return { kind: 'order', id: orderId }
  const id = ID_IN_CAUSE.exec(cause)?.[1] ?? null
  switch (kind) {
    case 'purchase':
      return id === null ? null : { kind: 'checkout-session', id }
    case 'referral-reward':
      return id === null ? null : { kind: 'referral-code-redemption', id }
    case 'subscription-grant':
      return { kind: 'subscription', id: subscriptionId }
    default:
      return null
  }
}

const ID_IN_CAUSE = /^(?:checkout|referral):([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?::|$)/
