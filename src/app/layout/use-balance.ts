import { tokensLabel } from './navigation.ts'
import { paths } from '#src/config/paths.ts'
import { useWallets, useWalletTotal } from '#src/hooks/use-wallets.ts'

/** The balance of the menus (APP-12): the sum over wallets, and the first wallet or all of them. */
export function useBalance(): { readonly label: string; readonly path: string } {
  const first = useWallets().data?.[0]
  return {
    label: tokensLabel(useWalletTotal()),
    path: first === undefined ? paths.wallets : paths.wallet(first._id),
  }
}
