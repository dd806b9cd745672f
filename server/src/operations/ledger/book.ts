/**
 * The token ledger: transactions never change, and balances are always sums (see [Note: lots] in
 * lots.ts). Everything that writes takes the wallet's row lock first, so that two spends of one
 * wallet never see the same tokens. Code that also needs an order's lock takes that one before.
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { ReadCtx, TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { TransactionRow, WalletRow } from '#server/db/rows.ts'
import { lotSpends, wallets, walletTransactions } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import {
  divideOverLots,
  sharesToReturn,
  spendableLots,
  walletState,
  type Lot,
  type WalletState,
} from './lots.ts'

/** What the ledger needs of a transaction's context; tests give it a clock of their own. */
export type LedgerCtx = Pick<TxCtx, 'db' | 'clock' | 'newId'>

/**
 * Why tokens move. `cause` names the event, e.g. `signup` or `task:<id>`: one cause never books
 * twice in a wallet.
 */
interface Booking {
  readonly walletId: string
  readonly coinAmount: number
  readonly description: string
  readonly cause: string
  readonly orderId?: string
}

/** A booking that adds a lot; null never expires. */
interface LotBooking extends Booking {
  readonly kind: TransactionRow['kind']
  readonly expiresAt: Date | null
}

/** A refund of tokens whose lot has expired meanwhile stays usable for this many days. */
export const EXPIRED_REFUND_DAYS = 7

/** Adds a lot. Repeating a cause returns the first transaction. */
export async function grant(ctx: LedgerCtx, booking: LotBooking): Promise<TransactionRow> {
  await lockWallet(ctx, booking.walletId)
  const earlier = await findByCause(ctx, booking)
  return earlier ?? (await insertTransaction(ctx, booking))
}

/**
 * Takes tokens for an order, from the lots that expire first. Repeating a cause returns the first
 * transaction. Refuses with `payments/insufficient-tokens` and takes nothing when the wallet cannot
 * cover it.
 */
export async function spend(ctx: LedgerCtx, booking: Booking): Promise<TransactionRow> {
  const wallet = await lockWallet(ctx, booking.walletId)
  const earlier = await findByCause(ctx, booking)
  if (earlier !== undefined) return earlier
  const now = ctx.clock()
  const { lots, usedCredit } = lotsOf(await readLots(ctx, [wallet.id]), wallet.id)
  const { spendableCoinAmount } = walletState(lots, usedCredit, wallet.creditLimitCoinAmount, now)
  if (booking.coinAmount > spendableCoinAmount) throw notEnoughTokens(spendableCoinAmount)
  const row = await insertTransaction(ctx, {
    ...booking,
    kind: 'order-payment',
    coinAmount: -booking.coinAmount,
    expiresAt: null,
  })
  await ctx.db.insert(lotSpends).values(
    divideOverLots(spendableLots(lots, now), booking.coinAmount).map((share) => ({
      spendId: row.id,
      ...share,
    })),
  )
  return row
}

/**
 * Gives tokens of an order back, last spent first, into the wallets they came from. Each comes back
 * with the expiry of the lot it was taken from; if that lot has expired, it stays usable for
 * EXPIRED_REFUND_DAYS more days. Never gives back more than was paid and not yet refunded.
 * Repeating a cause books nothing and returns an empty list. The caller holds the lock of the
 * order's row.
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
  const { orderId, cause, description } = input
  const booked = await ctx.db
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.orderId, orderId))
  if (booked.some((row) => row.cause === cause)) return []
  const returned = booked
    .filter((row) => row.coinAmount > 0)
    .reduce((sum, row) => sum + row.coinAmount, 0)
  const back = sharesToReturn(await spentShares(ctx, orderId), returned, input.coinAmount)
  const refunds = groupByWalletAndExpiry(back, ctx.clock())
  for (const walletId of new Set(refunds.map((one) => one.walletId).toSorted()))
    await lockWallet(ctx, walletId)
  const rows: TransactionRow[] = []
  for (const [index, one] of refunds.entries())
    rows.push(
      await insertTransaction(ctx, {
        ...one,
        orderId,
        kind: 'order-refund',
        cause: index === 0 ? cause : `${cause}#${index + 1}`,
        description,
      }),
    )
  return rows
}

/** What each wallet holds at the clock's time, by wallet id. */
export async function readWalletStates(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  { rows }: { readonly rows: readonly WalletRow[] },
): Promise<ReadonlyMap<string, WalletState>> {
  const byWallet = await readLots(
    ctx,
    rows.map((row) => row.id),
  )
  const now = ctx.clock()
  return new Map(
    rows.map((row) => {
      const { lots, usedCredit } = lotsOf(byWallet, row.id)
      return [row.id, walletState(lots, usedCredit, row.creditLimitCoinAmount, now)]
    }),
  )
}

/** The message says what can be spent. */
function notEnoughTokens(spendableCoinAmount: number): Problem {
  return new Problem(
    'payments/insufficient-tokens',
    `This wallet has only ${spendableCoinAmount} tokens to spend right now.`,
  )
}

async function lockWallet(ctx: LedgerCtx, walletId: string): Promise<WalletRow> {
  return onlyRow(await ctx.db.select().from(wallets).where(eq(wallets.id, walletId)).for('update'))
}

async function findByCause(
  ctx: LedgerCtx,
  { walletId, cause }: Pick<Booking, 'walletId' | 'cause'>,
): Promise<TransactionRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.walletId, walletId), eq(walletTransactions.cause, cause)))
  return row
}

/** `coinAmount` as it is booked: positive adds, negative takes. */
async function insertTransaction(ctx: LedgerCtx, booking: LotBooking): Promise<TransactionRow> {
  const { walletId, kind, coinAmount, description, cause, expiresAt, orderId = null } = booking
  if (!Number.isSafeInteger(coinAmount) || coinAmount === 0)
    throw new RangeError(`Not an amount of tokens: ${coinAmount}`)
  return onlyRow(
    await ctx.db
      .insert(walletTransactions)
      .values({
        id: ctx.newId(),
        walletId,
        kind,
        coinAmount,
        description,
        coinsExpireAfterAt: expiresAt,
        orderId,
        cause,
        createdAt: ctx.clock(),
      })
      .returning(),
  )
}

type LotsByWallet = ReadonlyMap<
  string,
  { readonly lots: readonly Lot[]; readonly usedCredit: number }
>

async function readLots(
  ctx: Pick<ReadCtx, 'db'>,
  walletIds: readonly string[],
): Promise<LotsByWallet> {
  if (walletIds.length === 0) return new Map()
  const grants = await ctx.db
    .select({
      id: walletTransactions.id,
      walletId: walletTransactions.walletId,
      coinAmount: walletTransactions.coinAmount,
      expiresAt: walletTransactions.coinsExpireAfterAt,
      spent: sql<number>`coalesce(sum(${lotSpends.coinAmount}), 0)::int`,
    })
    .from(walletTransactions)
    .leftJoin(lotSpends, eq(lotSpends.lotId, walletTransactions.id))
    .where(
      and(
        inArray(walletTransactions.walletId, [...walletIds]),
        sql`${walletTransactions.coinAmount} > 0`,
      ),
    )
    .groupBy(walletTransactions.id)
  const credits = await ctx.db
    .select({
      walletId: walletTransactions.walletId,
      used: sql<number>`sum(${lotSpends.coinAmount})::int`,
    })
    .from(lotSpends)
    .innerJoin(walletTransactions, eq(walletTransactions.id, lotSpends.spendId))
    .where(and(isNull(lotSpends.lotId), inArray(walletTransactions.walletId, [...walletIds])))
    .groupBy(walletTransactions.walletId)
  return new Map(
    walletIds.map((walletId) => [
      walletId,
      {
        lots: grants
          .filter((row) => row.walletId === walletId)
          .map((row) => ({
            id: row.id,
            remaining: row.coinAmount - row.spent,
            expiresAt: row.expiresAt,
          })),
        usedCredit: credits.find((row) => row.walletId === walletId)?.used ?? 0,
      },
    ]),
  )
}

function lotsOf(
  byWallet: LotsByWallet,
  walletId: string,
): { readonly lots: readonly Lot[]; readonly usedCredit: number } {
  return byWallet.get(walletId) ?? { lots: [], usedCredit: 0 }
}

interface SpentShare {
  readonly walletId: string
  readonly coinAmount: number
  readonly expiresAt: Date | null
}

async function spentShares(ctx: LedgerCtx, orderId: string): Promise<readonly SpentShare[]> {
  const spends = await ctx.db
    .select({
      shareId: lotSpends.id,
      walletId: walletTransactions.walletId,
      coinAmount: lotSpends.coinAmount,
      lotId: lotSpends.lotId,
    })
    .from(lotSpends)
    .innerJoin(walletTransactions, eq(walletTransactions.id, lotSpends.spendId))
    .where(eq(walletTransactions.orderId, orderId))
    .orderBy(asc(lotSpends.id))
  const lotIds = spends.flatMap((share) => (share.lotId === null ? [] : [share.lotId]))
  const lots =
    lotIds.length === 0
      ? []
      : await ctx.db
          .select({ id: walletTransactions.id, expiresAt: walletTransactions.coinsExpireAfterAt })
          .from(walletTransactions)
          .where(inArray(walletTransactions.id, lotIds))
  const expiryByLotId = new Map(lots.map((lot) => [lot.id, lot.expiresAt]))
  return spends.map(({ walletId, coinAmount, lotId }) => ({
    walletId,
    coinAmount,
    expiresAt: lotId === null ? null : (expiryByLotId.get(lotId) ?? null),
  }))
}

function groupByWalletAndExpiry(
  shares: readonly SpentShare[],
  now: Date,
): readonly { walletId: string; coinAmount: number; expiresAt: Date | null }[] {
  const extended = new Date(now.getTime() + EXPIRED_REFUND_DAYS * 86_400_000)
  const groups = new Map<string, { walletId: string; coinAmount: number; expiresAt: Date | null }>()
  for (const share of shares) {
    const expiresAt =
      share.expiresAt !== null && share.expiresAt.getTime() <= now.getTime()
        ? extended
        : share.expiresAt
    const key = `${share.walletId} ${expiresAt?.toISOString() ?? 'never'}`
    groups.set(key, {
      walletId: share.walletId,
      expiresAt,
      coinAmount: (groups.get(key)?.coinAmount ?? 0) + share.coinAmount,
    })
  }
  return [...groups.values()]
}
