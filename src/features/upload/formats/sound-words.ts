import { spokenLength } from '#recipes/length-words.ts'
import type { SoundToChoose } from '#src/hooks/uploads/use-upload-sounds.ts'

/** 'Sound 2' or 'Sound 2: Mic', as the file calls it. */
export function soundName({ number, title }: Pick<SoundToChoose, 'number' | 'title'>): string {
  return title === null ? `Sound ${number}` : `Sound ${number}: ${title}`
}

/** What is known of a sound: '10 min, German, quiet (-31 LUFS)'; null where nothing is. */
export function soundFacts({
  duration,
  language,
  loudness,
}: Pick<SoundToChoose, 'duration' | 'language' | 'loudness'>): string | null {
  const facts = [
    duration === null ? null : spokenLength(duration),
    language === null ? null : languageWords(language),
    loudness === null ? null : `${loudnessWords(loudness)} (${Math.round(loudness)}\u00A0LUFS)`,
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? null : facts.join(', ')
}

/** From these LUFS on, the loudest first; networks play at -14 to -16. */
const LOUDNESS: readonly (readonly [leastLufs: number, words: string])[] = [
  [-12, 'very loud'],
  [-24, 'well audible'],
  [-38, 'quiet'],
]

function loudnessWords(lufs: number): string {
  return LOUDNESS.find(([least]) => lufs >= least)?.[1] ?? 'very quiet'
}

/** 'German' of 'ger', 'deu' or 'de'; the code itself where it is none. */
function languageWords(code: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
