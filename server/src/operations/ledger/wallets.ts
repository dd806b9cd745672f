import { and, asc, desc, eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { wallets, walletTransactions } from '#server/db/schema.ts'
import { notFound } from '#server/problems.ts'
import { readWalletStates, type TransactionRow, type WalletRow } from './book.ts'

type WalletView = components['schemas']['Wallet']
type TransactionView = components['schemas']['WalletCoinTransaction']

/** The history shows this many transactions, the newest. */
const HISTORY_LIMIT = 1000

/** The wallets of a person, oldest first. */
export async function listWallets(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string,
): Promise<WalletView[]> {
  const rows = await deps.db
    .select()
    .from(wallets)
    .where(eq(wallets.userId, userId))
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
  return viewWallets(deps.db, deps, rows)
}

/** One wallet; somebody else's is 404 `wallets/not-found`. */
export async function getWallet(
  tx: Tx | Db,
  deps: Pick<Deps, 'clock'>,
  userId: string,
  walletId: string,
): Promise<WalletView> {
  const [view] = await viewWallets(tx, deps, [await findWallet(tx, userId, walletId)])
  return view! // one row in, one view out
}

/** The history of a wallet, newest first, with expired lots; somebody else's is 404. */
export async function listWalletTransactions(
  deps: Pick<Deps, 'db'>,
  userId: string,
  walletId: string,
): Promise<TransactionView[]> {
  const wallet = await findWallet(deps.db, userId, walletId)
  const rows = await deps.db
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.walletId, wallet.id))
    .orderBy(desc(walletTransactions.createdAt), desc(walletTransactions.id))
    .limit(HISTORY_LIMIT)
  return rows.map(viewTransaction)
}

/** The row of an own wallet; refuses with 404 `wallets/not-found`. */
export async function findWallet(
  tx: Tx | Db,
  userId: string,
  walletId: string,
): Promise<WalletRow> {
  const [row] = await tx
    .select()
    .from(wallets)
    .where(and(eq(wallets.id, walletId), eq(wallets.userId, userId)))
  if (row === undefined) throw notFound('wallets/not-found')
  return row
}

/** A transaction as the contract shows it. */
export function viewTransaction(row: TransactionRow): TransactionView {
  return {
    _id: row.id,
    walletId: row.walletId,
    kind: row.kind,
    coinAmount: row.coinAmount,
    description: row.description === '' ? null : row.description,
    coinsExpireAfterAt: row.coinsExpireAfterAt?.toISOString() ?? null,
    orderId: row.orderId,
    createdAt: row.createdAt.toISOString(),
  }
}

async function viewWallets(
  tx: Tx | Db,
  deps: Pick<Deps, 'clock'>,
  rows: readonly WalletRow[],
): Promise<WalletView[]> {
  const states = await readWalletStates(tx, deps, rows)
  return rows.map((row) => {
    const state = states.get(row.id)! // read for exactly these rows
    return {
      _id: row.id,
      kind: row.kind,
      coinBalance: state.coinBalance,
      spendableCoinAmount: state.spendableCoinAmount,
      creditLimitCoinAmount: row.creditLimitCoinAmount,
      expiringLots: state.expiringLots.map((lot) => ({
        coinAmount: lot.coinAmount,
        expiresAt: lot.expiresAt.toISOString(),
      })),
      createdAt: row.createdAt.toISOString(),
    }
  })
}
