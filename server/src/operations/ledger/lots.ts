/**
 * Pure arithmetic of lots.
 *
 * [Note: lots] Every grant is a lot with an optional expiry. A lot counts while `expiresAt` lies in
 * the future; spending takes from the lot that expires first, from those that never expire last,
 * and from credit when no lot has anything left.
 */

/** What is left of one grant. */
export interface Lot {
  readonly id: string
  readonly remaining: number
  readonly expiresAt: Date | null
}

/** A share of a spend; the null lot is credit. */
export interface Share {
  readonly lotId: string | null
  readonly coinAmount: number
}

/** What a wallet holds at a time. `coinBalance` may be negative when credit was used. */
export interface WalletState {
  readonly coinBalance: number
  readonly spendableCoinAmount: number
  readonly expiringLots: readonly { readonly coinAmount: number; readonly expiresAt: Date }[]
}

/** Lots that count at `now`, in the order in which they are spent. */
export function spendableLots(lots: readonly Lot[], now: Date): readonly Lot[] {
  return lots
    .filter(
      (lot) =>
        lot.remaining > 0 && (lot.expiresAt === null || lot.expiresAt.getTime() > now.getTime()),
    )
    .toSorted(byExpiry)
}

/**
 * Divides a spend over lots in their given order; what no lot covers is credit. The caller has
 * checked that it is affordable.
 */
export function divideOverLots(lots: readonly Lot[], coinAmount: number): readonly Share[] {
  let open = coinAmount
  const shares: Share[] = []
  for (const lot of lots) {
    const taken = Math.min(open, lot.remaining)
    if (taken > 0) shares.push({ lotId: lot.id, coinAmount: taken })
    open -= taken
  }
  return open > 0 ? [...shares, { lotId: null, coinAmount: open }] : shares
}

/**
 * Sums of a wallet. `usedCredit` is what was spent beyond all lots and came back as a lot of its
 * own if it was refunded.
 */
export function walletState(
  lots: readonly Lot[],
  usedCredit: number,
  creditLimit: number,
  now: Date,
): WalletState {
  const counting = spendableLots(lots, now)
  const coinBalance = counting.reduce((sum, lot) => sum + lot.remaining, 0) - usedCredit
  const expiringLots = counting.flatMap((lot) =>
    lot.expiresAt === null ? [] : [{ coinAmount: lot.remaining, expiresAt: lot.expiresAt }],
  )
  return { coinBalance, spendableCoinAmount: Math.max(0, coinBalance + creditLimit), expiringLots }
}

/**
 * The shares to give back, last spent first, after `alreadyReturned` tokens of the same spends went
 * back before.
 * @param spent shares in the order in which they were spent
 */
export function sharesToReturn<S extends { readonly coinAmount: number }>(
  spent: readonly S[],
  alreadyReturned: number,
  coinAmount: number,
): readonly S[] {
  let skip = alreadyReturned
  let open = coinAmount
  const back: S[] = []
  for (const share of spent.toReversed()) {
    const left = Math.max(0, share.coinAmount - skip)
    skip = Math.max(0, skip - share.coinAmount)
    const taken = Math.min(left, open)
    if (taken > 0) back.push({ ...share, coinAmount: taken })
    open -= taken
  }
  return back
}

function byExpiry(a: Lot, b: Lot): number {
  const at = (lot: Lot): number => lot.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (at(a) !== at(b)) return at(a) < at(b) ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
