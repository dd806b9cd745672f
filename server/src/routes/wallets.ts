import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { requireUser } from '#server/http/request-context.ts'
import {
  getWallet,
  listWallets,
  listWalletTransactions,
} from '#server/operations/ledger/wallets.ts'

/** Wallets and their history. */
export function createWalletRoutes(deps: Deps) {
  return {
    listWallets: async ({ context }) => ({
      status: 200,
      body: { wallets: await listWallets(deps, requireUser(context).id) },
    }),
    getWallet: async ({ params, context }) => ({
      status: 200,
      body: { wallet: await getWallet(deps.db, deps, requireUser(context).id, params.walletId) },
    }),
    listWalletTransactions: async ({ params, context }) => ({
      status: 200,
      body: {
        walletCoinTransactions: await listWalletTransactions(
          deps,
          requireUser(context).id,
          params.walletId,
        ),
      },
    }),
  } satisfies Partial<Handlers>
}
