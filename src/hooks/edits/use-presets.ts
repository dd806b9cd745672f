import type { Shown } from '#src/hooks/sync/shown.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { presets, type Preset } from '#src/local/nouns/presets.ts'

export type { Preset }

/** All edits on offer, in the server's order. Empty only when the server has none. */
export function usePresets(): Shown<readonly Preset[]> {
  return useNounList(presets)
}
