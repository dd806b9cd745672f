import { findOptionsForm } from '#src/components/options/forms.tsx'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { plainRequest } from '#src/local/edits/task-requests.ts'

/** The presets that this server offers and whose options, if any, this app has a form for. */
export function offeredPresets(presets: readonly Preset[]): readonly Preset[] {
  return presets.filter(
    (preset) =>
      preset.isOffered &&
      (plainRequest(preset.slug) !== null || findOptionsForm(preset.slug) !== undefined),
  )
}
