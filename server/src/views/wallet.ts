import type { components } from '#openapi/schema.gen.ts'
import type { TransactionRow } from '#server/db/rows.ts'
import type { HistoryLine } from '#server/operations/core/ledger/history.ts'
import { subjectOf, type Subject } from '#server/operations/core/ledger/subject.ts'
import type { WalletFacts } from '#server/operations/core/ledger/wallets.ts'

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
    subject: viewSubject(subjectOf(row)),
    createdAt: row.createdAt.toISOString(),
  }
}

/** A line of a wallet's history as the contract shows it. */
export function viewHistoryLine(line: HistoryLine): TransactionView {
  if (line.kind === 'booked') return viewTransaction(line.row)
  const { id, walletId, lotId, coinAmount } = line.expiry
  return {
    _id: id,
    walletId,
    kind: 'expiry',
    coinAmount,
    description: 'Unused tokens expired',
    coinsExpireAfterAt: null,
    orderId: null,
    subject: viewSubject({ kind: 'wallet-coin-transaction', id: lotId }),
    createdAt: line.at.toISOString(),
  }
}

function viewSubject(subject: Subject | null): TransactionView['subject'] {
  return subject === null ? null : { kind: subject.kind, _id: subject.id }
}
