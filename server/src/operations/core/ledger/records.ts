/** How the ledger is stored: reading what entries are decided from, and recording them. */
import { and, asc, eq, gt, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { ReadCtx, TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { TransactionRow, WalletRow } from '#server/db/rows.ts'
import { lots, lotSpends, wallets, walletTransactions } from '#server/db/schema.ts'
import type { Entry, ShareChange, StoredShare } from './entries.ts'
import type { Lot } from './lots.ts'

/** What the ledger needs of a transaction's context; tests give it a clock of their own. */
export type LedgerCtx = Pick<TxCtx, 'db' | 'clock' | 'newId'>

/** The words of a transaction; its amounts are the entry's. */
interface Wording {
  readonly walletId: string
  readonly kind: TransactionRow['kind']
  readonly cause: string
  readonly description: string
  readonly orderId?: string
  readonly revertsId?: string
  readonly subscriptionId?: string
}

/** Lots of a wallet, and what it owes. */
interface Holding {
  readonly lots: readonly Lot[]
  readonly debt: number
}

export async function lockWallet(ctx: LedgerCtx, walletId: string): Promise<WalletRow> {
  return onlyRow(await ctx.db.select().from(wallets).where(eq(wallets.id, walletId)).for('update'))
}

export async function findByCause(
  ctx: LedgerCtx,
  { walletId, cause }: Pick<Wording, 'walletId' | 'cause'>,
): Promise<TransactionRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.walletId, walletId), eq(walletTransactions.cause, cause)))
  return row
}

/** Payments and refunds of an order, in all wallets. */
export async function readOrderBookings(
  ctx: LedgerCtx,
  orderId: string,
): Promise<readonly TransactionRow[]> {
  return await ctx.db
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.orderId, orderId))
}

/** Stores a transaction and its entry. The caller holds the lock of the wallet. */
export async function recordEntry(
  ctx: LedgerCtx,
  { walletId, kind, cause, description, orderId, revertsId, subscriptionId }: Wording,
  { coinAmount, expiresAt, originId, shares, changes }: Entry,
): Promise<TransactionRow> {
  if (!Number.isSafeInteger(coinAmount) || coinAmount === 0)
    throw new RangeError(`Not an amount of tokens: ${coinAmount}`)
  const row = onlyRow(
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
        revertsId,
        originId,
        subscriptionId,
        cause,
        createdAt: ctx.clock(),
      })
      .returning(),
  )
  if (shares.length > 0)
    await ctx.db.insert(lotSpends).values(shares.map((share) => ({ spendId: row.id, ...share })))
  for (const change of changes) await changeShare(ctx, change, row.id)
  return row
}

/** What counts of each wallet at the clock's time: no lot that is empty or has expired. */
export async function readHoldings(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  walletIds: readonly string[],
): Promise<ReadonlyMap<string, Holding>> {
  if (walletIds.length === 0) return new Map()
  const counting = and(
    gt(lots.remaining, 0),
    or(isNull(lots.expiresAt), gt(lots.expiresAt, ctx.clock())),
  )
  const found = await readLots(ctx, walletIds, counting)
  const debts = await readDebts(ctx, walletIds)
  return new Map(
    walletIds.map((walletId) => [
      walletId,
      {
        lots: found.filter((lot) => lot.walletId === walletId),
        debt: debts
          .filter((share) => share.walletId === walletId)
          .reduce((sum, share) => sum + share.coinAmount, 0),
      },
    ]),
  )
}

/** The lots of a wallet that something is left of, also those that have expired. */
export async function readLotsLeft(
  ctx: Pick<ReadCtx, 'db'>,
  walletId: string,
): Promise<readonly Lot[]> {
  return await readLots(ctx, [walletId], gt(lots.remaining, 0))
}

/** All lots that wallets ever had: what is unused of a purchase needs the empty ones as well. */
export async function readAllLots(
  ctx: Pick<ReadCtx, 'db'>,
  walletIds: readonly string[],
): Promise<readonly (Lot & { readonly walletId: string })[]> {
  return await readLots(ctx, walletIds)
}

async function readLots(
  ctx: Pick<ReadCtx, 'db'>,
  walletIds: readonly string[],
  which?: SQL,
): Promise<readonly (typeof lots.$inferSelect)[]> {
  return await ctx.db
    .select()
    .from(lots)
    .where(and(inArray(lots.walletId, [...walletIds]), which))
}

/** All debt of wallets, oldest first. */
export async function readDebts(
  ctx: Pick<ReadCtx, 'db'>,
  walletIds: readonly string[],
): Promise<readonly StoredShare[]> {
  if (walletIds.length === 0) return []
  return await selectShares(ctx)
    .where(and(isNull(lotSpends.lotId), inArray(walletTransactions.walletId, [...walletIds])))
    .orderBy(...oldestFirst)
}

/** The shares of spends that no refund gave back yet, oldest first. */
export async function readUnreturnedShares(
  ctx: Pick<ReadCtx, 'db'>,
  spendIds: readonly string[],
): Promise<readonly StoredShare[]> {
  if (spendIds.length === 0) return []
  return await selectShares(ctx)
    .where(and(isNull(lotSpends.returnId), inArray(lotSpends.spendId, [...spendIds])))
    .orderBy(...oldestFirst)
}

const lot = alias(walletTransactions, 'lot')
const oldestFirst = [
  asc(walletTransactions.createdAt),
  asc(walletTransactions.id),
  asc(lotSpends.id),
]

function selectShares(ctx: Pick<ReadCtx, 'db'>) {
  return ctx.db
    .select({
      id: lotSpends.id,
      walletId: walletTransactions.walletId,
      coinAmount: lotSpends.coinAmount,
      lotId: lotSpends.lotId,
      expiresAt: lot.coinsExpireAfterAt,
      originId: sql<string | null>`coalesce(${lot.originId}, ${lot.id})`,
    })
    .from(lotSpends)
    .innerJoin(walletTransactions, eq(walletTransactions.id, lotSpends.spendId))
    .leftJoin(lot, eq(lot.id, lotSpends.lotId))
}

/** Changes all of a share, or makes a share of its own of the part that changes. */
async function changeShare(
  ctx: LedgerCtx,
  { kind, shareId, coinAmount }: ShareChange,
  lotId: string,
): Promise<void> {
  const change = columnsOf(kind, lotId)
  const [rest] = await ctx.db
    .update(lotSpends)
    .set({ coinAmount: sql`${lotSpends.coinAmount} - ${coinAmount}` })
    .where(and(eq(lotSpends.id, shareId), gt(lotSpends.coinAmount, coinAmount)))
    .returning()
  if (rest === undefined)
    onlyRow(
      await ctx.db
        .update(lotSpends)
        .set(change)
        .where(and(eq(lotSpends.id, shareId), eq(lotSpends.coinAmount, coinAmount)))
        .returning(),
    )
  else {
    const { id: _id, ...copy } = rest
    await ctx.db.insert(lotSpends).values({ ...copy, coinAmount, ...change })
  }
}

function columnsOf(
  kind: ShareChange['kind'],
  lotId: string,
): Partial<Pick<typeof lotSpends.$inferInsert, 'lotId' | 'returnId'>> {
  switch (kind) {
    case 'settle':
      return { lotId }
    case 'return':
      return { returnId: lotId }
    case 'cancel':
      return { lotId, returnId: lotId }
  }
}
