import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type StoredPaymentMethod = components['schemas']['StoredPaymentMethod']

/** What the payment provider keeps to bill the user by; no numbers. */
export const storedPaymentMethods = defineNoun({
  table: 'storedPaymentMethods',
  since: 3,
  indexes: '',
  staleAfterMs: MINUTE_MS,
  columns: (_method: StoredPaymentMethod) => ({}),
  sort: newestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/stored-payment-methods', init),
    pick: (body) => body.storedPaymentMethods,
  },
})
