import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type ExternalAuth = components['schemas']['ExternalAuth']

/** The drives that a person connected, after the server has asked whether they let it in. */
export const externalAuths = defineNoun({
  table: 'externalAuths',
  since: 7,
  indexes: '',
  staleAfterMs: MINUTE_MS,
  columns: (_auth: ExternalAuth) => ({}),
  sort: newestFirst,
  list: {
    ask: (api, init) =>
      api.GET('/v1/external-auths', { ...init, params: { query: { withFreshTokens: true } } }),
    pick: (body) => body.externalAuths,
  },
})
