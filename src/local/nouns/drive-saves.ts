import type { components } from '#openapi/schema.gen.ts'
import { defineNoun } from './define-noun.ts'
import { SECOND_MS } from '#src/lib/time.ts'

export type DriveSave = components['schemas']['DriveSave']

/** How the results of one job are saved to drives, in the order of the edits. */
export const driveSaves = defineNoun({
  table: 'driveSaves',
  since: 8,
  indexes: 'mediaJobId',
  staleAfterMs: 10 * SECOND_MS,
  columns: ({ mediaJobId }: DriveSave, position) => ({ mediaJobId, position }),
  sort: (a, b) => a.position - b.position,
  parentColumn: 'mediaJobId',
  list: {
    ask: (api, init, id) =>
      api.GET('/v1/media-jobs/{id}/drive-saves', { params: { path: { id } }, ...init }),
    pick: (body) => body.driveSaves,
  },
})
