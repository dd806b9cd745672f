import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { listPresets } from '#server/operations/core/presets/list.ts'
import { viewPreset } from '#server/views/preset.ts'

/** The catalogue of edits. */
export function createPresetRoutes(deps: Deps) {
  return {
    listPresets: async () => {
      const presets = await listPresets(deps)
      return { status: 200, body: { mediaJobTaskPresets: presets.map(viewPreset) } }
    },
  } satisfies Partial<Handlers>
}
