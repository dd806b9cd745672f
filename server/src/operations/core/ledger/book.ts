/**
 * The token ledger: transactions never change, and balances are always sums (see [Note: lots] in
 * lots.ts). Everything that writes takes the wallet's row lock first, so that two spends of one
 * wallet never see the same tokens. Code that also needs an order's lock takes that one before.
 */
import type { ReadCtx } from '#server/context.ts'
import type { TransactionRow, WalletRow } from '#server/db/rows.ts'
import { Problem } from '#server/problems.ts'
import { grantEntry, returnEntries, spendEntry, type StoredShare } from './entries.ts'
import {
  reversibleLots,
  spendableLots,
  unusedOf,
  walletState,
  type Reward,
  type WalletState,
} from './lots.ts'
import {
  findByCause,
  lockWallet,
  readAllLots,
  readDebts,
  readHoldings,
  readOrderBookings,
  readUnreturnedShares,
  recordEntry,
  type LedgerCtx,
} from './records.ts'

export type { LedgerCtx } from './records.ts'

/**
 * Why tokens move. `cause` names the event, e.g. `signup` or `task:<id>`: one cause never books
 * twice in a wallet.
 */
interface Booking {
  readonly walletId: string
  readonly coinAmount: number
  readonly description: string
  readonly cause: string
}

/** A booking that adds a lot; null never expires. */
interface Grant extends Booking {
  readonly kind: TransactionRow['kind']
  readonly expiresAt: Date | null
  /** The subscription whose month it is. */
  readonly subscriptionId?: string
}

/** A booking that takes back what a purchase added: `purchaseId` is that transaction. */
interface Reversal extends Booking {
  readonly kind: 'purchase-reversal' | 'chargeback'
  readonly purchaseId: string
  /** A lot that gives what the purchase's own does not have, before bought tokens. */
  readonly nextLotId?: string
}

const EMPTY = { lots: [], debt: 0 } as const

/** A refund of tokens whose lot has expired meanwhile stays usable for this many days. */
export const EXPIRED_REFUND_DAYS = 7
/** The same for tokens that come back, maybe months later: a dispute was won, a refund failed. */
export const EXPIRED_REVERSAL_DAYS = 30

/** Adds a lot, which settles debt first. Repeating a cause returns the first transaction. */
export async function grant(ctx: LedgerCtx, booking: Grant): Promise<TransactionRow> {
  await lockWallet(ctx, booking.walletId)
  const earlier = await findByCause(ctx, booking)
  if (earlier !== undefined) return earlier
  const debts = await readDebts(ctx, [booking.walletId])
  return await recordEntry(ctx, booking, grantEntry(debts, booking, ctx.clock()))
}

/**
 * Takes tokens for an order, from the lots that expire first. Repeating a cause returns the first
 * transaction. Refuses with `payments/insufficient-tokens` and takes nothing when the wallet cannot
 * cover it.
 */
export async function spend(
  ctx: LedgerCtx,
  booking: Booking & { readonly orderId: string },
): Promise<TransactionRow> {
  const wallet = await lockWallet(ctx, booking.walletId)
  const earlier = await findByCause(ctx, booking)
  if (earlier !== undefined) return earlier
  const now = ctx.clock()
  const { lots, debt } = (await readHoldings(ctx, [wallet.id])).get(wallet.id) ?? EMPTY
  const { spendableCoinAmount } = walletState(lots, debt, wallet.creditLimitCoinAmount, now)
  if (booking.coinAmount > spendableCoinAmount) throw notEnoughTokens(spendableCoinAmount)
  const entry = spendEntry(spendableLots(lots, now), booking.coinAmount)
  return await recordEntry(ctx, { ...booking, kind: 'order-payment' }, entry)
}

/**
 * Takes back tokens whose money went back: from the purchase's own lot, then from the one that the
 * booking names, then from other purchased tokens; the rest becomes debt, which later lots settle.
 * Never refuses for want of tokens: this and the wallet's credit are the only ways to a negative
 * balance. Repeating a cause returns the first transaction.
 */
export async function reverse(ctx: LedgerCtx, booking: Reversal): Promise<TransactionRow> {
  const { walletId, coinAmount, purchaseId, nextLotId } = booking
  await lockWallet(ctx, walletId)
  const earlier = await findByCause(ctx, booking)
  if (earlier !== undefined) return earlier
  const lots = await readAllLots(ctx, [walletId])
  if (!lots.some((lot) => lot.id === purchaseId))
    throw new RangeError(`Not a purchase of wallet ${walletId}: ${purchaseId}`)
  const entry = spendEntry(reversibleLots(lots, purchaseId, nextLotId), coinAmount)
  return await recordEntry(ctx, { ...booking, revertsId: purchaseId }, entry)
}

/**
 * The same for what is unused of the purchase, and nothing else; returns how much that was, 0 when
 * nothing was left.
 */
export async function reverseUnused(
  ctx: LedgerCtx,
  booking: Omit<Reversal, 'coinAmount'> & { readonly reward: Reward | null },
): Promise<number> {
  const { walletId, purchaseId, reward } = booking
  await lockWallet(ctx, walletId)
  const earlier = await findByCause(ctx, booking)
  if (earlier !== undefined) return -earlier.coinAmount
  const lots = await readAllLots(ctx, [walletId])
  const coinAmount = unusedOf(lots, purchaseId, reward, ctx.clock())
  if (coinAmount > 0) await reverse(ctx, { ...booking, coinAmount })
  return coinAmount
}

/**
 * Gives back what a reversal took, because the dispute was won or the refund failed: each token
 * with the expiry of its lot, or for EXPIRED_REVERSAL_DAYS if that has passed; what became debt is
 * no longer owed. Repeating a cause, or a reversal that was never booked, books nothing and returns
 * an empty list.
 */
export async function returnReversal(
  ctx: LedgerCtx,
  booking: Omit<Booking, 'coinAmount'> & {
    readonly kind: 'chargeback-returned' | 'adjustment'
    readonly reversalCause: string
  },
): Promise<readonly TransactionRow[]> {
  const { walletId, kind, cause, reversalCause, description } = booking
  await lockWallet(ctx, walletId)
  const reversal = await findByCause(ctx, { walletId, cause: reversalCause })
  if (reversal === undefined || (await findByCause(ctx, { walletId, cause }))) return []
  return await giveBack(ctx, {
    taken: await readUnreturnedShares(ctx, [reversal.id]),
    coinAmount: -reversal.coinAmount,
    extraDays: EXPIRED_REVERSAL_DAYS,
    booking: { kind, cause, description, revertsId: reversal.id },
  })
}

/**
 * Gives tokens of an order back into the wallets they came from: what was paid with debt first,
 * then what lives longest. Each comes back with the expiry of the lot it was taken from; if that
 * lot has expired, it stays usable for EXPIRED_REFUND_DAYS more days. Never gives back more than
 * was paid and not yet refunded. Repeating a cause books nothing and returns an empty list. The
 * caller holds the lock of the order's row, so that no other wallet pays for it meanwhile.
 */
export async function refund(
  ctx: LedgerCtx,
  input: {
    readonly orderId: string
    readonly coinAmount: number
    readonly cause: string
    readonly description: string
  },
): Promise<readonly TransactionRow[]> {
  const { orderId, coinAmount, cause, description } = input
  const paid = await readOrderBookings(ctx, orderId)
  for (const walletId of [...new Set(paid.map((row) => row.walletId))].toSorted())
    await lockWallet(ctx, walletId)
  const booked = await readOrderBookings(ctx, orderId)
  if (booked.some((row) => row.cause === cause)) return []
  return await giveBack(ctx, {
    taken: await readUnreturnedShares(
      ctx,
      booked.map((row) => row.id),
    ),
    coinAmount,
    extraDays: EXPIRED_REFUND_DAYS,
    booking: { kind: 'order-refund', orderId, cause, description },
  })
}

/** What each wallet holds at the clock's time, by wallet id. */
export async function readWalletStates(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  { rows }: { readonly rows: readonly WalletRow[] },
): Promise<ReadonlyMap<string, WalletState>> {
  const byWallet = await readHoldings(
    ctx,
    rows.map((row) => row.id),
  )
  const now = ctx.clock()
  return new Map(
    rows.map((row) => {
      const { lots, debt } = byWallet.get(row.id) ?? EMPTY
      return [row.id, walletState(lots, debt, row.creditLimitCoinAmount, now)]
    }),
  )
}

/** Books what comes back: one transaction for each wallet and expiry; `cause`, `cause#2`, … */
async function giveBack(
  ctx: LedgerCtx,
  input: {
    readonly taken: readonly StoredShare[]
    readonly coinAmount: number
    readonly extraDays: number
    readonly booking: {
      readonly kind: TransactionRow['kind']
      readonly cause: string
      readonly description: string
      readonly orderId?: string
      readonly revertsId?: string
    }
  },
): Promise<readonly TransactionRow[]> {
  const { taken, coinAmount, extraDays, booking } = input
  const debts = await readDebts(ctx, [...new Set(taken.map((share) => share.walletId))])
  const entries = returnEntries(taken, debts, coinAmount, { now: ctx.clock(), extraDays })
  const rows: TransactionRow[] = []
  for (const [index, entry] of entries.entries()) {
    const cause = index === 0 ? booking.cause : `${booking.cause}#${index + 1}`
    rows.push(await recordEntry(ctx, { ...booking, cause, walletId: entry.walletId }, entry))
  }
  return rows
}

/** The message says what can be spent. */
function notEnoughTokens(spendableCoinAmount: number): Problem {
  return new Problem(
    'payments/insufficient-tokens',
    `This wallet has only ${spendableCoinAmount} tokens to spend right now.`,
  )
}
