const ELLIPSIS = '…'

/**
 * Cuts a text to at most `maxLength` characters, the ellipsis included. Counts what people see
 * (grapheme clusters), so that an emoji is never cut in half.
 */
export function truncate(text: string, maxLength: number): string {
  const characters = splitCharacters(text)
  if (characters.length <= maxLength) return text
  return maxLength < 1
    ? ''
    : characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd() + ELLIPSIS
}

/** A text as what people see as single characters. */
export function splitCharacters(text: string): readonly string[] {
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text),
    (part) => part.segment,
  )
}
