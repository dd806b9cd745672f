import { invalidOption, optionFields } from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionRules } from '#recipes/define-preset.ts'
import type { OptionsProblem } from '#recipes/types.ts'
import { watermarkGlyphRanges } from './glyphs.gen.ts'
import { logoFactsOf, refuseLogo } from './logo.ts'
import { MARK_SIZES, MARK_STRENGTHS, type MarkSize, type MarkStrength } from './mark.ts'

/**
 * Longest watermark, as in the contract; longer ones cannot be read while they move. Counted in
 * characters as one sees them roughly: code points.
 */
const MAX_WATERMARK_CHARACTERS = 64

const MESSAGE = 'Please enter your Name or Social Tag'

/** What the mark shows: letters, or a picture of the media assets. */
type MarkShown =
  | { readonly text: string; readonly logoMediaAssetId?: never }
  | { readonly logoMediaAssetId: string; readonly text?: never }

/** The options of dynamic-watermark. */
export type WatermarkOptions = MarkShown & {
  readonly size: MarkSize
  readonly strength: MarkStrength
}

const MEDIUM = { size: 'medium', strength: 'medium' } as const

export const watermarkOptions: OptionRules<WatermarkOptions> = {
  parse: parseWatermarkOptions,
  typical: { text: '@someusername', ...MEDIUM },
  full: { logoMediaAssetId: 'logo', ...MEDIUM },
  assetIds: ({ logoMediaAssetId }) => (logoMediaAssetId === undefined ? [] : [logoMediaAssetId]),
  assetKinds: ['image'],
  refuseAsset: (probe) => {
    const message = refuseLogo(logoFactsOf(probe))
    return message === null ? null : { field: 'logoMediaAssetId', message }
  },
}

/**
 * Checks `{ text, logoMediaAssetId, size, strength }`: either a logo, or a text that is trimmed,
 * has 1 to 64 characters, at least one of them drawable, and is kept as typed. What else is left
 * out is medium.
 */
function parseWatermarkOptions(payload: unknown): Result<WatermarkOptions, OptionsProblem> {
  const given = optionFields(payload)
  const shown = parseShown(given?.get('text'), given?.get('logoMediaAssetId') ?? null)
  if (!shown.ok) return shown
  const size = oneOf(MARK_SIZES, given?.get('size'))
  if (size === null) return invalidOption('size', 'Please choose small, medium or large')
  const strength = oneOf(MARK_STRENGTHS, given?.get('strength'))
  if (strength === null) return invalidOption('strength', 'Please choose light, medium or strong')
  return ok({ ...shown.value, size, strength })
}

function parseShown(text: unknown, logo: unknown): Result<MarkShown, OptionsProblem> {
  if (logo === null) return parseText(text)
  if (typeof logo !== 'string' || logo.trim() === '')
    return invalidOption('logoMediaAssetId', 'Please choose a logo from your media assets')
  return text === undefined || text === null
    ? ok({ logoMediaAssetId: logo })
    : invalidOption('logoMediaAssetId', 'Please choose letters or a logo, not both')
}

function parseText(text: unknown): Result<MarkShown, OptionsProblem> {
  if (typeof text !== 'string') return invalidOption('text', MESSAGE)
  const trimmed = text.trim()
  if (trimmed === '') return invalidOption('text', MESSAGE)
  if ([...trimmed].length > MAX_WATERMARK_CHARACTERS)
    return invalidOption('text', `Please use at most ${MAX_WATERMARK_CHARACTERS} characters`)
  const strange = undrawableLetters(trimmed)
  if (strange !== '')
    return invalidOption(
      'text',
      `We cannot draw ${strange}. Please write it in Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew or Arabic letters`,
    )
  if (drawableText(trimmed) === '')
    return invalidOption(
      'text',
      'None of these characters can be drawn. Please use letters or digits',
    )
  return ok({ text: trimmed })
}

/** A value of a closed list, medium where it is left out; null for anything else. */
function oneOf<T extends string>(list: readonly T[], value: unknown = 'medium'): T | null {
  return list.find((each) => each === value) ?? null
}

/**
 * What is really drawn: one line, with decorated letters (𝓵𝓲𝓴𝓮 𝓽𝓱𝓲𝓼) turned into plain ones
 * and without characters that the font does not have, such as emoji, which would come out as empty
 * boxes. Points of vowels on Hebrew and Arabic letters go as well, because ffmpeg puts them beside
 * their letters; so does what only tells other programs how to draw.
 */
export function drawableText(text: string): string {
  const plain = [...text.normalize('NFKC').replace(POINTS, '$1')].map((character) =>
    /\s/u.test(character) ? ' ' : character,
  )
  return plain
    .filter((character) => hasGlyph(character) && !UNSEEN.test(character))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

const POINTS = /([\p{Script=Hebrew}\p{Script=Arabic}])\p{Mn}+/gu
/**
 * Persian words need what holds two letters apart (U+200C), and texts of two directions the marks
 * of a direction (U+200E, U+200F); embeddings and overrides would turn all that follows.
 */
const UNSEEN = /(?![\u200c\u200e\u200f])[\p{Default_Ignorable_Code_Point}\p{Cf}]/u

/**
 * The letters and digits that the font does not have, with their marks. Without them a name would
 * be another one, so they are refused, while a heart may go. Empty where all can be drawn.
 */
function undrawableLetters(text: string): string {
  const letters = text.normalize('NFKC').matchAll(/([\p{L}\p{N}])\p{M}*/gu)
  return [...letters].map(([all, letter = '']) => (hasGlyph(letter) ? '' : all)).join('')
}

const glyphRanges = watermarkGlyphRanges.split(' ').map((range) => {
  const [from = '0', to = from] = range.split('-')
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
})

function hasGlyph(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0
  return glyphRanges.some(({ from, to }) => codePoint >= from && codePoint <= to)
}
