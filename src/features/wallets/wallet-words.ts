import { WALLET_ENDING_CHARACTERS } from '#spec/numbers.ts'
import type { BadgeTone } from '#src/ui/Badge.tsx'

/** 'Wallet ending in 0f3a2b'. */
export function walletName(walletId: string): string {
  return `Wallet ending in ${walletId.slice(-WALLET_ENDING_CHARACTERS)}`
}

interface WalletBadge {
  readonly label: 'Negative Balance' | 'Empty' | 'Active'
  readonly tone: BadgeTone
}

/** How a balance stands, in the list of wallets (WAL-01). Whole tokens. */
export function walletBadge(coinBalance: number): WalletBadge {
  if (coinBalance < 0) return { label: 'Negative Balance', tone: 'bad' }
  if (coinBalance === 0) return { label: 'Empty', tone: 'neutral' }
  return { label: 'Active', tone: 'good' }
}

export type WalletStatus = 'Ready to Get Started' | 'Ready to Use' | 'Subscription Needed'

/**
 * What a person can do with a wallet (WAL-04).
 * @param maySpend holds create:fundSourceWalletCoinTransactions
 */
export function walletStatus(coinBalance: number, maySpend: boolean): WalletStatus {
  if (coinBalance <= 0) return 'Ready to Get Started'
  return maySpend ? 'Ready to Use' : 'Subscription Needed'
}
