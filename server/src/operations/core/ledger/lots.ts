/**
 * Pure arithmetic of lots.
 *
 * [Note: lots] Every grant is a lot with an optional expiry. A lot counts while `expiresAt` lies in
 * the future; spending takes from the lot that expires first, from those that never expire last,
 * and from credit when no lot has anything left.
 */

/** What is left of one grant, or of tokens that were given back. */
export interface Lot {
  readonly id: string
  /** The grant that its tokens came from first: its own id, but for tokens that came back. */
  readonly originId: string
  readonly remaining: number
  readonly expiresAt: Date | null
}

/** The part of a spend that one lot gave; the null lot is debt: tokens that were not there. */
export interface Share {
  readonly lotId: string | null
  readonly coinAmount: number
}

/** The lot of the referral reward that a purchase brought its own person, and what was granted. */
export interface Reward {
  readonly lotId: string
  readonly coinAmount: number
}

/** What a wallet holds at a time; `coinBalance` is negative when it owes more than it has. */
export interface WalletState {
  readonly coinBalance: number
  readonly spendableCoinAmount: number
  readonly expiringLots: readonly { readonly coinAmount: number; readonly expiresAt: Date }[]
}

/** A lot counts until the moment it expires, not at that moment. */
export function isLive({ expiresAt }: Pick<Lot, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || expiresAt.getTime() > now.getTime()
}

/** Lots that count at `now`, in the order in which they are spent. */
export function spendableLots(lots: readonly Lot[], now: Date): readonly Lot[] {
  return lots.filter((lot) => lot.remaining > 0 && isLive(lot, now)).toSorted(byExpiry)
}

/**
 * The unused tokens of a purchase: what counts of its own, also when it was spent and came back,
 * less what was spent of the reward that it brought. The reward expires first, so it is spent
 * first.
 */
export function unusedOf(
  lots: readonly Lot[],
  purchaseId: string,
  reward: Reward | null,
  now: Date,
): number {
  const own = lotsFrom(lots, purchaseId).filter((lot) => isLive(lot, now))
  const granted = reward?.coinAmount ?? 0
  const rewarded = reward === null ? [] : lotsFrom(lots, reward.lotId)
  const kept = rewarded.length === 0 ? granted : remainingOf(rewarded)
  return Math.max(0, remainingOf(own) - (granted - kept))
}

/** The lot of a grant, and those of its tokens that came back. */
function lotsFrom(lots: readonly Lot[], grantId: string): readonly Lot[] {
  return lots.filter((lot) => lot.originId === grantId).toSorted(byExpiry)
}

function remainingOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, lot) => sum + lot.remaining, 0)
}

/**
 * The lots that the reversal of a purchase takes from, in their order: the purchase's own, also
 * when they have expired, then those of the grant `next`, then those that never expire. Only
 * purchased tokens never expire, so a reversal takes no other tokens of the trial or of a
 * subscription.
 */
export function reversibleLots(
  lots: readonly Lot[],
  purchaseId: string,
  next?: string,
): readonly Lot[] {
  const named = [purchaseId, next].flatMap((id) => (id === undefined ? [] : lotsFrom(lots, id)))
  const others = lots.filter((lot) => !named.includes(lot) && lot.expiresAt === null)
  return [...named, ...others.toSorted(byExpiry)]
}

/**
 * Divides a spend over lots in their given order; what no lot covers is debt. The caller has
 * checked that it is affordable, or books a reversal.
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

/** Sums of a wallet; `debt` is what was taken beyond all lots. */
export function walletState(
  lots: readonly Lot[],
  debt: number,
  creditLimit: number,
  now: Date,
): WalletState {
  const counting = spendableLots(lots, now)
  const coinBalance = remainingOf(counting) - debt
  const expiringLots = counting.flatMap((lot) =>
    lot.expiresAt === null ? [] : [{ coinAmount: lot.remaining, expiresAt: lot.expiresAt }],
  )
  return { coinBalance, spendableCoinAmount: Math.max(0, coinBalance + creditLimit), expiringLots }
}

function byExpiry(a: Lot, b: Lot): number {
  const at = (lot: Lot): number => lot.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (at(a) !== at(b)) return at(a) < at(b) ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
