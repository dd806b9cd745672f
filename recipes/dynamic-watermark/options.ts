import { invalidOption, optionFields } from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionRules } from '#recipes/define-preset.ts'
import type { Size } from '#recipes/picture.ts'
import type { OptionsProblem } from '#recipes/types.ts'
import { watermarkGlyphRanges } from './glyphs.gen.ts'

/**
 * Longest watermark, as in the contract; longer ones cannot be read while they move. Counted in
 * characters as one sees them roughly: code points.
 */
const MAX_WATERMARK_CHARACTERS = 64

/** Of letters, as a share of the height of the picture. */
const USUAL_HEIGHT = 0.032

const MESSAGE = 'Please enter your Name or Social Tag'

/** The options of dynamic-watermark. */
export interface WatermarkOptions {
  readonly text: string
}

export const watermarkOptions: OptionRules<WatermarkOptions> = {
  parse: parseWatermarkOptions,
  typical: { text: '@someusername' },
}

/**
 * Checks `{ text }`: trimmed, 1 to 64 characters, at least one of them drawable. The text is kept
 * as typed.
 */
function parseWatermarkOptions(payload: unknown): Result<WatermarkOptions, OptionsProblem> {
  const text = optionFields(payload)?.get('text')
  if (typeof text !== 'string') return invalidOption('text', MESSAGE)
  const trimmed = text.trim()
  if (trimmed === '') return invalidOption('text', MESSAGE)
  if ([...trimmed].length > MAX_WATERMARK_CHARACTERS)
    return invalidOption('text', `Please use at most ${MAX_WATERMARK_CHARACTERS} characters`)
  if (drawableText(trimmed) === '')
    return invalidOption(
      'text',
      'None of these characters can be drawn. Please use letters or digits',
    )
  return ok({ text: trimmed })
}

/**
 * What is really drawn: one line, with decorated letters (𝓵𝓲𝓴𝓮 𝓽𝓱𝓲𝓼) turned into plain ones
 * and without characters that the font does not have, such as emoji, which would come out as empty
 * boxes.
 */
export function drawableText(text: string): string {
  const plain = [...text.normalize('NFKC')].map((character) =>
    /\s/u.test(character) ? ' ' : character,
  )
  return plain
    .filter((character) => hasGlyph(character.codePointAt(0) ?? 0))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/**
 * Upper bound of a text's width in font heights, so that the widest text still fits; measured from
 * the font with some air.
 */
function widthInEm(text: string): number {
  return [...text].reduce((sum, character) => sum + glyphWidth(character), 0)
}

/**
 * How high letters are drawn, in pixels: 3.2 % of the height of the picture, less when the text,
 * which is one line, would be wider than nine tenths of it. At least 2.
 * @param text as `drawableText` leaves it
 */
export function letterHeight(text: string, { width, height }: Size): number {
  const fitting = (width * 0.9) / widthInEm(text)
  return Math.max(2, Math.floor(Math.min(height * USUAL_HEIGHT, fitting)))
}

/**
 * How high letters are drawn as a share of their usual height, which short texts have: 0 to 1.
 * @param text as typed
 */
export function shareOfUsualHeight(text: string, size: Size): number {
  const drawn = drawableText(text)
  const usual = size.height * USUAL_HEIGHT
  return drawn === '' ? 1 : Math.min(1, letterHeight(drawn, size) / Math.max(2, Math.floor(usual)))
}

function glyphWidth(character: string): number {
  if (/\p{Mark}/u.test(character)) return 0.1
  if (/[ijlI.,:;'|! ]/u.test(character)) return 0.42
  if (/[ftr()[\]-]/u.test(character)) return 0.52
  if (/[a-zà-ÿ0-9_]/u.test(character)) return /[mw]/u.test(character) ? 1.08 : 0.75
  if (/[A-Z]/u.test(character)) return /[MW]/u.test(character) ? 1.13 : 0.88
  return 1.2
}

const glyphRanges = watermarkGlyphRanges.split(' ').map((range) => {
  const [from = '0', to = from] = range.split('-')
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
})

function hasGlyph(codePoint: number): boolean {
  return glyphRanges.some(({ from, to }) => codePoint >= from && codePoint <= to)
}
