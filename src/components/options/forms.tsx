import { isUncut } from '#recipes/tube-cut/options.ts'
import { isOnePiece, restOf } from '#recipes/uniform-sampling/options.ts'
import { endsWords } from '#src/components/assets/ends.ts'
import { spokenLength } from '#recipes/length-words.ts'
import { lengthWords } from '#src/lib/time-words.ts'
import { chosenMoments } from '#src/local/edits/moment-boards.ts'
import type { PayloadOf, PresetSlug, TaskRequest } from '#src/local/edits/task-requests.ts'
import { IncognitoOptionsForm } from './IncognitoOptionsForm.tsx'
import { optionsForm, type OptionsForm } from './options-form.tsx'
import { SamplingOptionsForm } from './SamplingOptionsForm.tsx'
import { ShortTrailerGifOptionsForm } from './ShortTrailerGifOptionsForm.tsx'
import { TeamSkeetTrailerOptionsForm } from './TeamSkeetTrailerOptionsForm.tsx'
import { TubeCutOptionsForm } from './TubeCutOptionsForm.tsx'
import { WatermarkOptionsForm } from './WatermarkOptionsForm.tsx'

/**
 * The form of each preset whose options can be asked for, and the words for what was chosen. A
 * preset with options that has no form here is not shown.
 */
const forms: readonly OptionsForm[] = [
  optionsForm('dynamic-watermark', WatermarkOptionsForm, markWords),
  optionsForm('tube-cut', TubeCutOptionsForm, ({ targetDuration, ...ends }, sourceDurationMs) =>
    joined(
      isUncut(targetDuration, sourceDurationMs ?? Infinity)
        ? 'Full length'
        : `Up to ${spokenLength(targetDuration)}`,
      endsWords(ends),
    ),
  ),
  optionsForm('uniform-sampling', SamplingOptionsForm, (payload, sourceDurationMs) =>
    joined(samplingWords(payload, sourceDurationMs), endsWords(payload)),
  ),
  optionsForm('short-trailer-gif', ShortTrailerGifOptionsForm, finaleWords),
  optionsForm('team-skeet-trailer', TeamSkeetTrailerOptionsForm, trailerWords),
  optionsForm('incognito-full-scene', IncognitoOptionsForm, incognitoWords),
]

/** What comes out of a video of this length; while that is not known, what was asked for. */
function samplingWords(
  payload: PayloadOf<'uniform-sampling'>,
  sourceDurationMs: number | null,
): string {
  const { segmentCount, maximumDuration } = payload
  if (sourceDurationMs === null)
    return `${segmentCount} moments, up to ${spokenLength(maximumDuration)}`
  return isOnePiece(payload, sourceDurationMs)
    ? `${spokenLength(Math.max(0, restOf(payload, sourceDurationMs)))} in one piece`
    : `${segmentCount} moments, ${spokenLength(maximumDuration)}`
}

/** The text or that it is a logo, and what of its look is not medium. */
function markWords({ text, size, strength }: PayloadOf<'dynamic-watermark'>): string {
  const look = [size, strength].filter((each) => each !== undefined && each !== 'medium')
  return joined(text ?? 'With your logo', look.length === 0 ? null : look.join(', '))
}

function finaleWords({ includeKumshot, momentMs }: PayloadOf<'short-trailer-gif'>): string {
  if (!includeKumshot) return 'Without the finale'
  return typeof momentMs === 'number' ? `Finale at ${lengthWords(momentMs)}` : 'With the finale'
}

function trailerWords({ musicTrackId, ...videos }: PayloadOf<'team-skeet-trailer'>): string {
  const count = Object.values(videos).filter((id) => id !== null).length
  return `${count} videos of your brand, ${typeof musicTrackId === 'string' ? 'with' : 'without'} music`
}

function incognitoWords(payload: PayloadOf<'incognito-full-scene'>): string {
  const voices = payload.obfuscateVoice ? 'Voices changed' : 'Voices as they are'
  return payload.denoiseAudio ? `${voices}, noise taken off` : voices
}

function joined(words: string, more: string | null): string {
  return more === null ? words : `${words} · ${more}`
}

/** The option form of a preset, or undefined when the preset has none. */
export function findOptionsForm(slug: PresetSlug): OptionsForm | undefined {
  return forms.find((form) => form.slug === slug)
}

/**
 * The chosen options of one request in a few words, or null when it has none to show.
 * @param sourceDurationMs of the video that it is for; null while unknown
 */
export function optionsWords(request: TaskRequest, sourceDurationMs: number | null): string | null {
  const form = findOptionsForm(request.mediaJobTaskPresetSlug)
  const words = form?.words(request, sourceDurationMs) ?? null
  const moments = chosenMoments(request)
  if (moments === null) return words
  const chosen = `${moments.shown.length} moments chosen by you`
  return words === null ? chosen : joined(chosen, words)
}
