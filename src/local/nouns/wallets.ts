import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, oldestFirst } from './define-noun.ts'
import { SECOND_MS } from '#src/lib/time.ts'

export type Wallet = components['schemas']['Wallet']

/** The user's wallets with their balances. */
export const wallets = defineNoun({
  table: 'wallets',
  since: 1,
  indexes: '',
  staleAfterMs: 30 * SECOND_MS,
  columns: (_wallet: Wallet) => ({}),
  sort: oldestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/wallets', init),
    pick: (body) => body.wallets,
  },
  one: {
    ask: (api, init, walletId) =>
      api.GET('/v1/wallets/{walletId}', { params: { path: { walletId } }, ...init }),
    pick: (body) => body.wallet,
  },
})
