import type { components } from '#openapi/schema.gen.ts'
import { defineNoun } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type Preset = components['schemas']['MediaJobTaskPreset']

/** The edits on offer, in the server's order. */
export const presets = defineNoun({
  table: 'presets',
  since: 1,
  indexes: 'slug, position',
  staleAfterMs: 10 * MINUTE_MS,
  columns: ({ slug }: Preset, position) => ({ slug, position }),
  sort: (a, b) => a.position - b.position,
  list: {
    ask: (api, init) => api.GET('/v1/media-job-task-presets', init),
    pick: (body) => body.mediaJobTaskPresets,
  },
})
