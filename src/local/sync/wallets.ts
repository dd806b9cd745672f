import { definePull, keepList, keepRows } from './pull.ts'
import { walletToRow, walletTransactionToRow } from '#src/local/db/to-rows.ts'

/** All wallets of the user with their balances. */
export const pullWallets = definePull({
  ask: (api, init) => api.GET('/v1/wallets', init),
  keep: ({ db }, { wallets }, pulledAtEpochMs) => {
    const rows = wallets.map((wallet) => walletToRow(wallet, pulledAtEpochMs))
    return keepList(db, db.wallets, rows, pulledAtEpochMs)
  },
})

/** One wallet. A 404 removes its row. */
export const pullWallet = definePull({
  ask: (api, init, walletId: string) =>
    api.GET('/v1/wallets/{walletId}', { params: { path: { walletId } }, ...init }),
  keep: ({ db }, { wallet }, pulledAtEpochMs) =>
    keepRows(db, db.wallets, [walletToRow(wallet, pulledAtEpochMs)]),
  forget: ({ db }, walletId) => db.wallets.delete(walletId),
})

/** The whole history of one wallet. */
export const pullWalletTransactions = definePull({
  ask: (api, init, walletId: string) =>
    api.GET('/v1/wallets/{walletId}/wallet-coin-transactions', {
      params: { path: { walletId } },
      ...init,
    }),
  keep: ({ db }, { walletCoinTransactions }, pulledAtEpochMs, walletId) => {
    const rows = walletCoinTransactions.map((transaction) =>
      walletTransactionToRow(transaction, pulledAtEpochMs),
    )
    return keepList(db, db.walletTransactions, rows, pulledAtEpochMs, () =>
      db.walletTransactions.where('walletId').equals(walletId).toArray(),
    )
  },
})
