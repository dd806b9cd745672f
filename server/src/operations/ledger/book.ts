/**
 * The token ledger: immutable transactions, balances are always sums (see [Note: lots] in
 * ledger-lots.ts). Everything that writes takes the wallet's row lock first, so that two spends of
 * one wallet never see the same tokens. Who also holds an order's lock takes that one before.
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Db, Tx } from '#server/db/client.ts'
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

/** What the ledger needs of the server. */
export type LedgerDeps = Pick<Deps, 'clock' | 'newId'>
export type WalletRow = typeof wallets.$inferSelect
export type TransactionRow = typeof walletTransactions.$inferSelect

/**
 * Why tokens move. `cause` names the event, e.g. `signup` or `task:<id>`: one cause never books
 * twice in a wallet.
 */
export interface Booking {
  readonly walletId: string
  readonly coinAmount: number
  readonly description: string
  readonly cause: string
  readonly orderId?: string
}

/** A refund of tokens whose lot has expired meanwhile stays usable for this many days. */
export const EXPIRED_REFUND_DAYS = 7

/** Adds a lot. The same cause again returns the first transaction. */
export async function grant(
  tx: Tx,
  deps: LedgerDeps,
  booking: Booking & { kind: TransactionRow['kind']; expiresAt: Date | null },
): Promise<TransactionRow> {
  await lockWallet(tx, booking.walletId)
  const earlier = await findByCause(tx, booking.walletId, booking.cause)
  return (
    earlier ??
    insertTransaction(tx, deps, booking, booking.kind, booking.coinAmount, booking.expiresAt)
  )
}

/**
 * Takes tokens for an order, from the lots that expire first. The same cause again returns the
 * first transaction. Refuses with 402 `payments/insufficient-tokens` and takes nothing when the
 * wallet cannot cover it.
 */
export async function spend(tx: Tx, deps: LedgerDeps, booking: Booking): Promise<TransactionRow> {
  const wallet = await lockWallet(tx, booking.walletId)
  const earlier = await findByCause(tx, booking.walletId, booking.cause)
  if (earlier !== undefined) return earlier
  const now = deps.clock()
  const { lots, usedCredit } = await readLots(tx, [wallet.id]).then((byWallet) =>
    lotsOf(byWallet, wallet.id),
  )
  const { spendableCoinAmount } = walletState(lots, usedCredit, wallet.creditLimitCoinAmount, now)
  if (booking.coinAmount > spendableCoinAmount) throw notEnoughTokens(spendableCoinAmount)
  const row = await insertTransaction(tx, deps, booking, 'order-payment', -booking.coinAmount, null)
  await tx.insert(lotSpends).values(
    divideOverLots(spendableLots(lots, now), booking.coinAmount).map((share) => ({
      spendId: row.id,
      ...share,
    })),
  )
  return row
}

/**
 * Gives tokens of an order back, last spent first, into the wallets they came from. Each comes back
 * with the expiry of the lot it was taken from; if that lot has expired meanwhile, it stays usable
 * for EXPIRED_REFUND_DAYS more days. Never gives back more than was paid and not yet refunded. The
 * same cause again returns nothing and books nothing. The caller holds the lock of the order's row.
 */
export async function refund(
  tx: Tx,
  deps: LedgerDeps,
  what: { orderId: string; coinAmount: number; cause: string; description: string },
): Promise<readonly TransactionRow[]> {
  const booked = await tx
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.orderId, what.orderId))
  if (booked.some((row) => row.cause === what.cause)) return []
  const returned = booked
    .filter((row) => row.coinAmount > 0)
    .reduce((sum, row) => sum + row.coinAmount, 0)
  const back = sharesToReturn(await spentShares(tx, what.orderId), returned, what.coinAmount)
  const refunds = groupByWalletAndExpiry(back, deps.clock())
  for (const walletId of new Set(refunds.map((one) => one.walletId).toSorted()))
    await lockWallet(tx, walletId)
  const rows: TransactionRow[] = []
  for (const [index, one] of refunds.entries()) {
    const cause = index === 0 ? what.cause : `${what.cause}#${index + 1}`
    rows.push(
      await insertTransaction(
        tx,
        deps,
        { ...one, orderId: what.orderId, cause, description: what.description },
        'order-refund',
        one.coinAmount,
        one.expiresAt,
      ),
    )
  }
  return rows
}

/** What each wallet holds at the clock's time, by wallet id. */
export async function readWalletStates(
  tx: Tx | Db,
  deps: Pick<Deps, 'clock'>,
  rows: readonly WalletRow[],
): Promise<ReadonlyMap<string, WalletState>> {
  const byWallet = await readLots(
    tx,
    rows.map((row) => row.id),
  )
  const now = deps.clock()
  return new Map(
    rows.map((row) => {
      const { lots, usedCredit } = lotsOf(byWallet, row.id)
      return [row.id, walletState(lots, usedCredit, row.creditLimitCoinAmount, now)]
    }),
  )
}

/** 402: the message says what can be spent. */
export function notEnoughTokens(spendableCoinAmount: number): Problem {
  return new Problem(
    'payments/insufficient-tokens',
    `This wallet has only ${spendableCoinAmount} tokens to spend right now.`,
  )
}

async function lockWallet(tx: Tx, walletId: string): Promise<WalletRow> {
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.id, walletId)).for('update')
  if (wallet === undefined)
    throw new Error(`No wallet ${walletId}: it was read in this transaction before`)
  return wallet
}

async function findByCause(
  tx: Tx,
  walletId: string,
  cause: string,
): Promise<TransactionRow | undefined> {
  const [row] = await tx
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.walletId, walletId), eq(walletTransactions.cause, cause)))
  return row
}

async function insertTransaction(
  tx: Tx,
  deps: LedgerDeps,
  booking: Booking,
  kind: TransactionRow['kind'],
  coinAmount: number,
  expiresAt: Date | null,
): Promise<TransactionRow> {
  if (!Number.isSafeInteger(coinAmount) || coinAmount === 0)
    throw new RangeError(`Not an amount of tokens: ${coinAmount}`)
  const { walletId, description, cause, orderId = null } = booking
  const [row] = await tx
    .insert(walletTransactions)
    .values({
      id: deps.newId(),
      walletId,
      kind,
      coinAmount,
      description,
      coinsExpireAfterAt: expiresAt,
      orderId,
      cause,
      createdAt: deps.clock(),
    })
    .returning()
  return row! // an insert without `on conflict` returns its row or throws
}

type LotsByWallet = ReadonlyMap<
  string,
  { readonly lots: readonly Lot[]; readonly usedCredit: number }
>

async function readLots(tx: Tx | Db, walletIds: readonly string[]): Promise<LotsByWallet> {
  if (walletIds.length === 0) return new Map()
  const grants = await tx
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
  const credits = await tx
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

async function spentShares(tx: Tx, orderId: string): Promise<readonly SpentShare[]> {
  const spends = await tx
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
      : await tx
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
