import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type MediaAsset = components['schemas']['MediaAsset']

/** The user's pictures, sounds and videos for use in edits. */
export const mediaAssets = defineNoun({
  table: 'mediaAssets',
  since: 1,
  indexes: 'createdAt',
  staleAfterMs: MINUTE_MS,
  columns: ({ createdAt }: MediaAsset) => ({ createdAt }),
  sort: newestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/media-assets', init),
    pick: (body) => body.mediaAssets,
  },
})
