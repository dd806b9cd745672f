import type { Shown } from '#src/hooks/sync/shown.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { wallets, type Wallet } from '#src/local/nouns/wallets.ts'

export type { Wallet }

/** All wallets, oldest first. */
export function useWallets(): Shown<readonly Wallet[]> {
  return useNounList(wallets)
}

/** What the user can spend: the sum over wallets; null while unknown. */
export function useWalletTotal(): number | null {
  return useWallets().data?.reduce((sum, wallet) => sum + wallet.spendableCoinAmount, 0) ?? null
}
