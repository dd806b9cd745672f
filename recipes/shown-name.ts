/** ALM, LRM, RLM, and all that embeds, overrides or isolates a direction (Unicode, UAX 9). */
const DIRECTIONS = /\p{Bidi_Control}/gu

/**
 * A name as it is kept and shown: without invisible marks of writing direction, by which `gpj.exe`
 * reads as `exe.jpg`. Letters of all scripts show their direction without them.
 */
export function shownName(name: string): string {
  return name.replace(DIRECTIONS, '')
}
