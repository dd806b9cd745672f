import { spokenLength } from '#src/components/time-words.ts'
import type { PresetSlug, TaskRequest } from '#src/local/edits/task-requests.ts'
import { optionsForm, type OptionsForm } from './options-form.tsx'
import { SamplingOptionsForm } from './SamplingOptionsForm.tsx'
import { TubeCutOptionsForm } from './TubeCutOptionsForm.tsx'
import { WatermarkOptionsForm } from './WatermarkOptionsForm.tsx'

/**
 * The form of each preset whose options can be asked for, and the words for what was chosen. A
 * preset with options that has no form here is not shown.
 */
const forms: readonly OptionsForm[] = [
  optionsForm('dynamic-watermark', WatermarkOptionsForm, ({ text }) => text),
  optionsForm('tube-cut', TubeCutOptionsForm, ({ targetDuration }) =>
    targetDuration === 0 ? 'Full length' : `Up to ${spokenLength(targetDuration)}`,
  ),
  optionsForm(
    'uniform-sampling',
    SamplingOptionsForm,
    ({ segmentCount, maximumDuration }) =>
      `${segmentCount} moments, ${spokenLength(maximumDuration)}`,
  ),
]

/** The option form of a preset, or undefined when the preset has none. */
export function findOptionsForm(slug: PresetSlug): OptionsForm | undefined {
  return forms.find((form) => form.slug === slug)
}

/** The chosen options of one request in a few words, or null when it has none to show. */
export function optionsWords(request: TaskRequest): string | null {
  return findOptionsForm(request.mediaJobTaskPresetSlug)?.words(request) ?? null
}
