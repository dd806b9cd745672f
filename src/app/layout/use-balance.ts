import { tokensLabel } from './navigation.ts'
import { paths } from '#src/config/paths.ts'
import { useWallets, useWalletTotal } from '#src/hooks/pay/use-wallets.ts'

export interface Balance {
  /** '1,000 tokens' */
  readonly label: string
  /** '1,000' */
  readonly amount: string
  readonly path: string
}

/**
 * The balance of header and menus (APP-12): the sum over wallets, and the first wallet or all of
 * them.
 */
export function useBalance(): Balance {
  const first = useWallets().data?.[0]
  const total = useWalletTotal()
  return {
    label: tokensLabel(total),
    amount: total === null ? '…' : total.toLocaleString('en-US'),
    path: first === undefined ? paths.wallets : paths.wallet(first._id),
  }
}
