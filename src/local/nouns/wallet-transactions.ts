import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** The whole history of one wallet. */
export const walletTransactions = defineNoun({
  table: 'walletTransactions',
  since: 1,
  indexes: 'walletId, createdAt',
  staleAfterMs: 30 * SECOND_MS,
  columns: ({ walletId, createdAt }: components['schemas']['WalletCoinTransaction']) => ({
    walletId,
    createdAt,
  }),
  sort: newestFirst,
  parentColumn: 'walletId',
  list: {
    ask: (api, init, walletId) =>
      api.GET('/v1/wallets/{walletId}/wallet-coin-transactions', {
        params: { path: { walletId } },
        ...init,
      }),
    pick: (body) => body.walletCoinTransactions,
  },
})
