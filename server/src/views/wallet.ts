import type { components } from '#openapi/schema.gen.ts'
import type { TransactionRow } from '#server/db/rows.ts'
import type { WalletFacts } from '#server/operations/ledger/wallets.ts'

type WalletView = components['schemas']['Wallet']
type TransactionView = components['schemas']['WalletCoinTransaction']

/** A wallet as the contract shows it. */
export function viewWallet({ wallet, state }: WalletFacts): WalletView {
  return {
    _id: wallet.id,
    kind: wallet.kind,
    coinBalance: state.coinBalance,
    spendableCoinAmount: state.spendableCoinAmount,
    creditLimitCoinAmount: wallet.creditLimitCoinAmount,
    expiringLots: state.expiringLots.map((lot) => ({
      coinAmount: lot.coinAmount,
      expiresAt: lot.expiresAt.toISOString(),
    })),
    createdAt: wallet.createdAt.toISOString(),
  }
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
