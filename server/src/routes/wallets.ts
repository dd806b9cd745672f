import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { listHistory } from '#server/operations/core/ledger/history.ts'
import { getWallet, listWallets } from '#server/operations/core/ledger/wallets.ts'
import { viewHistoryLine, viewWallet } from '#server/views/wallet.ts'

/** Wallets and their history. */
export function createWalletRoutes(deps: Deps) {
  return {
    listWallets: async ({ context }) => {
      const wallets = await listWallets(asUser(deps, context))
      return { status: 200, body: { wallets: wallets.map(viewWallet) } }
    },
    getWallet: async ({ params, context }) => ({
      status: 200,
      body: { wallet: viewWallet(await getWallet(asUser(deps, context), params)) },
    }),
    listWalletTransactions: async ({ params, context }) => {
      const lines = await listHistory(asUser(deps, context), params)
      return { status: 200, body: { walletCoinTransactions: lines.map(viewHistoryLine) } }
    },
  } satisfies Partial<Handlers>
}
