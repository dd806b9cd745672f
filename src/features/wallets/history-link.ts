import type { components } from '#openapi/schema.gen.ts'
import { paths, tokenCheckoutPath } from '#src/config/paths.ts'

export type HistoryLine = components['schemas']['WalletCoinTransaction']
interface LineLink {
  readonly to: string
  readonly label: string
}

/** The id of a line's row in the document. */
export function lineAnchor(transactionId: string): string {
  return `transaction-${transactionId}`
}

/**
 * Where a line leads: to what its tokens moved for. Null where it names nothing, or another line
 * that is older than what the history holds.
 * @param lines all lines of the same wallet
 */
export function lineLink(
  line: HistoryLine,
  lines: readonly Pick<HistoryLine, '_id'>[],
): LineLink | null {
  const { subject, walletId } = line
  if (subject === null) return null
  const { kind, _id } = subject
  switch (kind) {
    case 'order':
      return _id === null ? null : { to: paths.uploadCheckout(_id), label: 'View order' }
    case 'checkout-session':
      return _id === null
        ? null
        : { to: tokenCheckoutPath({ walletId, sessionId: _id }), label: 'View purchase' }
    case 'subscription':
      return { to: paths.subscriptions, label: 'View subscription' }
    case 'wallet-coin-transaction':
      return lines.some((other) => other._id === _id)
        ? {
            to: `#${lineAnchor(_id ?? '')}`,
            label: line.kind === 'expiry' ? 'View grant' : 'View transaction',
          }
        : null
    case 'referral-code-redemption':
      return { to: paths.referralCodes, label: 'View referrals' }
  }
}
