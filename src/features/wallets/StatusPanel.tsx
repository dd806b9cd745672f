import { tokens } from '#src/components/tokens/token-words.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { walletStatus, type WalletStatus } from './wallet-words.ts'

/** Says what a person can do with this wallet now. */
export function StatusPanel({
  wallet: { coinBalance, spendableCoinAmount },
  maySpend,
}: {
  readonly wallet: Wallet
  readonly maySpend: boolean
}) {
  const status = walletStatus(coinBalance, maySpend)
  return (
    <Notice kind={KINDS[status]} title={status}>
      {wordsOf(status, coinBalance)}
      {!maySpend && spendableCoinAmount > 0 ? (
        <p>Subscription required to use these tokens</p>
      ) : null}
    </Notice>
  )
}

const KINDS = {
  'Ready to Get Started': 'info',
  'Ready to Use': 'success',
  'Subscription Needed': 'warning',
} as const satisfies Record<WalletStatus, string>

function wordsOf(status: WalletStatus, coinBalance: number): string {
  switch (status) {
    case 'Ready to Get Started':
      return coinBalance < 0
        ? `${tokens(-coinBalance)} are owed. The next tokens that you add settle them first.`
        : 'Add tokens to order edits.'
    case 'Ready to Use':
      return 'Order edits with these tokens. Failed edits are refunded automatically.'
    case 'Subscription Needed':
      return 'Your tokens are kept.'
  }
}
