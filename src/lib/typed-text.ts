/** Marks of writing direction, joiners and the like: they come with a paste and are not seen. */
const UNSEEN = /\p{Cf}/gu
/** '½', '²' and '①' stay what they are: as digits they would make another number. */
const NO_DIGIT = /\p{No}/u
const DIGIT = /\p{Nd}/u

/** Marks that other scripts have for the same thing. */
const MARKS: Readonly<Record<string, string>> = {
  '،': ',',
  '。': '.',
  '’': "'",
  ʼ: "'",
  '−': '-',
  '–': '-',
  // The hyphen proper, which also the one is made of that breaks no line.
  '‐': '-',
}

/**
 * What was typed, in the characters that codes, numbers and addresses are written in: digits and
 * marks of every script and width in ASCII, without what cannot be seen and space at both ends.
 * Letters stay those of their script, so it is not for names and sentences.
 */
export function plainText(text: string): string {
  return Array.from(text.replaceAll(UNSEEN, ''), plainCharacter).join('').normalize().trim()
}

function plainCharacter(character: string): string {
  if (NO_DIGIT.test(character)) return character
  const plain = character.normalize('NFKC')
  return DIGIT.test(plain) ? String(digitOf(plain)) : (MARKS[plain] ?? plain)
}

/** Unicode has the digits of a script in order, ten by ten, without other digits before them. */
function digitOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0
  let before = 0
  while (DIGIT.test(String.fromCodePoint(point - before - 1))) before += 1
  return before % 10
}
