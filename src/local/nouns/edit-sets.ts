import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type EditSet = components['schemas']['EditSet']

/** Edits with their options that the user saved under a name. */
export const editSets = defineNoun({
  table: 'editSets',
  since: 6,
  indexes: '',
  staleAfterMs: MINUTE_MS,
  columns: (_set: EditSet) => ({}),
  sort: newestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/edit-sets', init),
    pick: (body) => body.editSets,
  },
})
