import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { listPresets } from '#server/operations/presets/list.ts'

/** The catalogue of edits. */
export function createPresetRoutes(deps: Deps) {
  return {
    listPresets: async () => ({
      status: 200,
      body: { mediaJobTaskPresets: await listPresets(deps) },
    }),
  } satisfies Partial<Handlers>
}
