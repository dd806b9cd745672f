import { createDistinctTexts } from './distinct-texts.ts'
import { Problem } from '#server/problems.ts'

/** The most that the body of an operation may be. */
export interface BodyLimits {
  readonly bytes: number
  /** Objects, lists, texts, numbers and the like together. */
  readonly values: number
}

/** Where the contract says nothing: several times what a person fills in. */
export const SMALL_BODY: BodyLimits = { bytes: 16 * 1024, values: 200 }

/** Twice the deepest that any operation needs. */
export const DEEPEST = 16

/** Of one object: several times what any of the contract has. */
export const MOST_KEYS = 200

/** Different keys and short texts of one body: twice what the largest of the contract has. */
const MOST_TEXTS = 5_000

/**
 * Bytes of one text: twice the longest of the contract when every character is an escape. V8 copies
 * a text that turns out not to be Latin, which takes 30 ms of one that fills the largest body.
 */
const LONGEST_TEXT = 192 * 1024

/** Where the contract says that an operation needs more than `SMALL_BODY`. */
const EXTENSION = 'x-body-limits'

/** The limits of an operation of the contract. */
export function bodyLimitsOf(operation: object): BodyLimits {
  const declared: unknown = Object.entries(operation).find(([name]) => name === EXTENSION)?.[1]
  if (declared === undefined) return SMALL_BODY
  if (
    typeof declared === 'object' &&
    declared !== null &&
    'bytes' in declared &&
    'values' in declared &&
    typeof declared.bytes === 'number' &&
    typeof declared.values === 'number'
  )
    return { bytes: declared.bytes, values: declared.values }
  throw new Error(`${EXTENSION} of the contract must be { bytes, values }`)
}

/**
 * How many values JSON text has at most, found without parsing it: parsing 100,000 keys of one
 * object takes ten times as long as passing over them. Text that is no JSON gets some number.
 * Refuses with `request/too-large` as soon as there are more than `atMost`, and with
 * `request/invalid` more than `DEEPEST` levels, `MOST_KEYS` in one object, `MOST_TEXTS`
 * ([Note: cost of a text] in distinct-texts.ts), or a text longer than `LONGEST_TEXT`.
 */
export function countValues(json: Uint8Array, atMost: number): number {
  if (atMost < 1) throw tooManyValues(atMost)
  let values = 1
  let textsSoFar = 0
  /** How many keys each open object has; far below zero for a list. */
  const open: number[] = []
  const texts = createDistinctTexts()
  for (let at = 0; at < json.length; at += 1) {
    if (MEANT[json[at] ?? 0] === 0) continue
    switch (json[at]) {
      case QUOTE: {
        const end = endOfText(json, at)
        if (end - at > LONGEST_TEXT) throw tooLongText()
        if (texts.add(json, at, end) > MOST_TEXTS) throw tooManyTexts()
        textsSoFar += 1
        // Each is a value or the key of one: the parser gets no further than to here.
        if (textsSoFar > 2 * values) return values
        at = end
        break
      }
      case OPEN_LIST:
      case OPEN_OBJECT:
        // The first entry of it; an empty one is counted as if it had one.
        values += 1
        if (open.push(json[at] === OPEN_OBJECT ? 1 : -Infinity) > DEEPEST) throw tooDeep()
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        open.pop()
        break
      case COMMA:
        values += 1
        if (moreKeys(open) > MOST_KEYS) throw tooManyKeys()
        break
      default:
    }
    if (values > atMost) throw tooManyValues(atMost)
  }
  return values
}

/** One more entry of what is open; its number, where that is an object. */
function moreKeys(open: number[]): number {
  const entries = open.pop()
  if (entries === undefined) return 0
  open.push(entries + 1)
  return entries + 1
}

/** How many pairs a form has at most. Refuses more than `atMost` with `request/too-large`. */
export function countPairs(form: Uint8Array, atMost: number): number {
  let pairs = 1
  for (let at = form.indexOf(AMPERSAND); at >= 0; at = form.indexOf(AMPERSAND, at + 1)) {
    pairs += 1
    if (pairs > atMost) throw tooManyValues(atMost)
  }
  return pairs
}

/** Where the text that begins at `start` ends; the end of all for one without an end. */
function endOfText(json: Uint8Array, start: number): number {
  const quote = json.indexOf(QUOTE, start + 1)
  if (quote < 0) return json.length
  if (json[quote - 1] !== BACKSLASH) return quote
  // Not from one quote to the next: a text may be nothing but escaped ones.
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === QUOTE) return at
    if (json[at] === BACKSLASH) at += 1
  }
  return json.length
}

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [0x22, 0x5c, 0x2c, 0x26] as const
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/** 1 for each byte that `countValues` looks at: a number may have a million digits. */
const MEANT = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) MEANT[byte] = 1

const tooManyValues = (atMost: number): Problem =>
  new Problem(
    'request/too-large',
    `This request has more than ${atMost} values. Send fewer at a time.`,
  )
const tooManyKeys = (): Problem =>
  new Problem(
    'request/invalid',
    `This request has an object with more than ${MOST_KEYS} keys, and nothing here needs that.`,
    { fields: { body: `must have at most ${MOST_KEYS} keys in an object` } },
  )
const tooManyTexts = (): Problem =>
  new Problem(
    'request/invalid',
    `This request has more than ${MOST_TEXTS} different short texts. Send fewer at a time.`,
    { fields: { body: `must have at most ${MOST_TEXTS} different short texts` } },
  )
const tooLongText = (): Problem =>
  new Problem(
    'request/invalid',
    'This request has a text that is longer than any that is taken here.',
    { fields: { body: `must have no text of more than ${LONGEST_TEXT} bytes` } },
  )
const tooDeep = (): Problem =>
  new Problem(
    'request/invalid',
    `This request has lists and objects in one another more than ${DEEPEST} levels deep, and nothing here needs that.`,
    { fields: { body: `must be at most ${DEEPEST} levels deep` } },
  )
