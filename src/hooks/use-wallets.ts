import type { components } from '#openapi/schema.gen.ts'
import { foundList, type Shown } from './shown.ts'
import { usePulled, usePulls } from './use-pull.ts'

export type Wallet = components['schemas']['Wallet']
export type WalletTransaction = components['schemas']['WalletCoinTransaction']

/** All wallets, oldest first. */
export function useWallets(): Shown<readonly Wallet[]> {
  return usePulled(usePulls().wallets(), {
    key: 'wallets',
    find: async (db) => {
      const rows = await db.wallets.toArray()
      return foundList(
        rows,
        rows.map((row) => row.value).sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
      )
    },
    emptyData: [],
  })
}

/** What the user can spend: the sum over wallets; null while unknown. */
export function useWalletTotal(): number | null {
  return useWallets().data?.reduce((sum, wallet) => sum + wallet.spendableCoinAmount, 0) ?? null
}

/** One wallet; `data` null with a failure whose status is 404 when it is not the user's. */
export function useWallet(walletId: string): Shown<Wallet> {
  return usePulled(usePulls().wallet(walletId), {
    key: `wallet:${walletId}`,
    find: async (db) => {
      const row = await db.wallets.get(walletId)
      return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
    },
  })
}

/** The history of one wallet, newest first. */
export function useWalletTransactions(walletId: string): Shown<readonly WalletTransaction[]> {
  return usePulled(usePulls().walletTransactions(walletId), {
    key: `wallet-transactions:${walletId}`,
    find: async (db) => {
      const rows = await db.walletTransactions
        .where('walletId')
        .equals(walletId)
        .reverse()
        .sortBy('createdAt')
      return foundList(
        rows,
        rows.map((row) => row.value),
      )
    },
    emptyData: [],
  })
}
