import type { components } from '#openapi/schema.gen.ts'
import { foundList, type Shown } from './shown.ts'
import { usePulled, usePulls } from './use-pull.ts'

export type Preset = components['schemas']['MediaJobTaskPreset']

/** All edits on offer, in the server's order. Empty only when the server has none. */
export function usePresets(): Shown<readonly Preset[]> {
  return usePulled(usePulls().presets(), {
    key: 'presets',
    find: async (db) => {
      const rows = await db.presets.orderBy('position').toArray()
      return foundList(
        rows,
        rows.map((row) => row.value),
      )
    },
    emptyData: [],
  })
}
