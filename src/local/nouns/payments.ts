import type { components } from '#openapi/schema.gen.ts'
import { defineNoun } from './define-noun.ts'
import { SECOND_MS } from '#src/lib/time.ts'

export type Payment = components['schemas']['Payment']

/** What the user has paid, newest first, with what of it went back. */
export const payments = defineNoun({
  table: 'payments',
  since: 4,
  indexes: '',
  staleAfterMs: 30 * SECOND_MS,
  columns: (_payment: Payment) => ({}),
  sort: (a, b) => b.value.paidAt.localeCompare(a.value.paidAt) || b._id.localeCompare(a._id),
  list: {
    ask: (api, init) => api.GET('/v1/payments', init),
    pick: (body) => body.payments,
  },
})
