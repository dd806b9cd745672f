import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type WalletSubscription = components['schemas']['WalletSubscription']

/** The user's subscriptions, ended ones included. */
export const walletSubscriptions = defineNoun({
  table: 'walletSubscriptions',
  since: 2,
  indexes: '',
  staleAfterMs: MINUTE_MS,
  columns: (_subscription: WalletSubscription) => ({}),
  sort: newestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/wallet-subscriptions', init),
    pick: (body) => body.walletSubscriptions,
  },
  one: {
    ask: (api, init, walletSubscriptionId) =>
      api.GET('/v1/wallet-subscriptions/{walletSubscriptionId}', {
        params: { path: { walletSubscriptionId } },
        ...init,
      }),
    pick: (body) => body.walletSubscription,
  },
})
