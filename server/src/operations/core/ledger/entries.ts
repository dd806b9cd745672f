/**
 * Decides, without a database, what a booking does to the shares of earlier spends. book.ts reads
 * the facts under the wallet's lock and records the entry that comes from here.
 *
 * [Note: shares] A spend is stored as shares. A share says which lot gave it (null: debt) and which
 * refund gave it back (null: none yet). Only these two facts of a share ever change; where a change
 * concerns a part of a share, that part becomes a share of its own.
 */
import { divideOverLots, isLive, type Lot, type Share } from './lots.ts'

/**
 * A share as it is stored, until when its lot counts (null: for ever, or it is debt), and the grant
 * that its tokens came from first (null: it is debt).
 */
export interface StoredShare extends Share {
  readonly id: number
  readonly walletId: string
  readonly expiresAt: Date | null
  readonly originId: string | null
}

/**
 * What becomes of tokens of a stored share. `settle`: the new lot pays this debt. `return`: the new
 * lot gives these tokens back. `cancel`: both, for debt that comes back: nothing is owed for it.
 */
export interface ShareChange {
  readonly kind: 'settle' | 'return' | 'cancel'
  readonly shareId: number
  readonly coinAmount: number
}

/** A transaction and the shares that it makes (a negative one) or changes (a positive one). */
export interface Entry {
  readonly coinAmount: number
  readonly expiresAt: Date | null
  /** Of tokens that are given back; null for others, and for debt that is cancelled. */
  readonly originId: string | null
  readonly shares: readonly Share[]
  readonly changes: readonly ShareChange[]
}

/** An entry of a refund, which may return tokens to several wallets. */
interface ReturnEntry extends Entry {
  readonly walletId: string
}

/**
 * A lot settles debt before it can be spent, so that its expiry never brings the debt back. The
 * balance at `now` is the sum of both either way.
 * @param debts the wallet's debt, oldest first
 */
export function grantEntry(
  debts: readonly StoredShare[],
  lot: { readonly coinAmount: number; readonly expiresAt: Date | null },
  now: Date,
): Entry {
  const settled = isLive(lot, now) ? takeFrom(debts, lot.coinAmount) : []
  return { ...lot, originId: null, shares: [], changes: settled.map(changeOf('settle')) }
}

/** Takes tokens from lots in their given order; what they do not cover is debt. */
export function spendEntry(lots: readonly Lot[], coinAmount: number): Entry {
  return {
    coinAmount: -coinAmount,
    expiresAt: null,
    originId: null,
    shares: divideOverLots(lots, coinAmount),
    changes: [],
  }
}

/**
 * Gives tokens back: debt first, then what lives longest. One entry for each wallet, expiry and
 * origin, so that it stays known what of a purchase is unused. A lot that has expired comes back
 * for `extraDays`. What comes back settles other debt of its wallet like every lot.
 * @param taken shares that no refund gave back yet, of one order or one reversal
 * @param debts all debt of their wallets, oldest first
 */
export function returnEntries(
  taken: readonly StoredShare[],
  debts: readonly StoredShare[],
  coinAmount: number,
  { now, extraDays }: { readonly now: Date; readonly extraDays: number },
): readonly ReturnEntry[] {
  const extended = new Date(now.getTime() + extraDays * 86_400_000)
  const back = takeFrom(taken.toSorted(longestLivedFirst), coinAmount)
    .map((share) => (isLive(share, now) ? share : { ...share, expiresAt: extended }))
    .toSorted(longestLivedFirst)
  const cancelled = back.filter((share) => share.lotId === null)
  let owed = without(debts, cancelled)
  return groupAlike(back).map((group) => {
    const { walletId, expiresAt, originId } = group[0]
    const given = group.filter((share) => share.lotId !== null)
    const settled = takeFrom(
      owed.filter((share) => share.walletId === walletId),
      sumOf(given),
    )
    owed = without(owed, settled)
    return {
      walletId,
      expiresAt,
      originId,
      coinAmount: sumOf(group),
      shares: [],
      changes: [
        ...group.filter((share) => share.lotId === null).map(changeOf('cancel')),
        ...given.map(changeOf('return')),
        ...settled.map(changeOf('settle')),
      ],
    }
  })
}

/** The first `coinAmount` tokens of shares, as shares with fewer tokens. */
function takeFrom(shares: readonly StoredShare[], coinAmount: number): readonly StoredShare[] {
  let open = coinAmount
  const taken: StoredShare[] = []
  for (const share of shares) {
    const part = Math.min(open, share.coinAmount)
    if (part > 0) taken.push({ ...share, coinAmount: part })
    open -= part
  }
  return taken
}

function without(
  shares: readonly StoredShare[],
  taken: readonly StoredShare[],
): readonly StoredShare[] {
  return shares
    .map((share) => ({
      ...share,
      coinAmount: share.coinAmount - sumOf(taken.filter((one) => one.id === share.id)),
    }))
    .filter((share) => share.coinAmount > 0)
}

type Group = [StoredShare, ...StoredShare[]]

function groupAlike(shares: readonly StoredShare[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const share of shares) {
    const { walletId, expiresAt, originId } = share
    const key = `${walletId} ${expiresAt?.toISOString() ?? 'never'} ${originId ?? 'debt'}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [share])
    else group.push(share)
  }
  return [...groups.values()]
}

function changeOf(kind: ShareChange['kind']): (share: StoredShare) => ShareChange {
  return ({ id, coinAmount }) => ({ kind, shareId: id, coinAmount })
}

function sumOf(shares: readonly StoredShare[]): number {
  return shares.reduce((sum, share) => sum + share.coinAmount, 0)
}

/** Of tokens that live equally long, those of the older grant first. */
function longestLivedFirst(a: StoredShare, b: StoredShare): number {
  if ((a.lotId === null) !== (b.lotId === null)) return a.lotId === null ? -1 : 1
  const at = (share: StoredShare): number => share.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (at(a) !== at(b)) return at(a) > at(b) ? -1 : 1
  const [one, other] = [a.originId ?? '', b.originId ?? '']
  return one === other ? a.id - b.id : one < other ? -1 : 1
}
