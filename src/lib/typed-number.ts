import { plainText } from './typed-text.ts'
import { MINUTE_MS, SECOND_MS } from './time.ts'

/**
 * What a field for a number holds. NaN: nothing is typed. Null: what is typed is no number, and
 * nothing may be made of it.
 */
export type TypedNumber = number | null

/** How a field reads a number. It is the same in every language of the browser. */
export interface NumberRule {
  readonly read: (text: string) => TypedNumber
  /** What to do where it is not read. */
  readonly refusal: string
  /** The keys that a phone shows. */
  readonly keys: 'numeric' | 'decimal'
}

/**
 * A whole number. A comma, point, space or apostrophe counts only before groups of exactly three
 * digits, so that what was meant as a decimal is never read as a hundred times as much.
 */
export const WHOLE: NumberRule = {
  read: readWhole,
  refusal: 'Please enter a whole number, for example 10.',
  keys: 'numeric',
}

/** A number with decimals: a comma and a point are both the decimal mark, and nothing groups. */
export const DECIMAL: NumberRule = {
  read: readDecimal,
  refusal: 'Please enter a number in digits, for example 2 or 1.5.',
  keys: 'decimal',
}

/** Minutes as `DECIMAL`, or a length as '1:30', '1:02:03' or '1 min 30 s'. */
export const MINUTES: NumberRule = {
  read: readMinutes,
  refusal: 'Please enter minutes, for example 1.5 or 1:30.',
  keys: 'decimal',
}

// Arabic has a mark that only groups, '٬', and one that only begins decimals, '٫': neither may be
// taken for the other, as a comma and a point may.
const PLAIN = /^-?\d+$/
const GROUPED = /^-?[1-9]\d{0,2}([.,'٬ ])\d{3}(?:\1\d{3})*$/

function readWhole(text: string): TypedNumber {
  const plain = spaced(text)
  if (plain === '') return Number.NaN
  return PLAIN.test(plain) || GROUPED.test(plain) ? Number(plain.replaceAll(/[.,'٬ ]/g, '')) : null
}

const WITH_DECIMALS = /^-?(?:\d{1,15}[.,٫]?\d{0,15}|[.,٫]\d{1,15})$/

function readDecimal(text: string): TypedNumber {
  const plain = spaced(text)
  if (plain === '') return Number.NaN
  return WITH_DECIMALS.test(plain) ? decimal(plain) : null
}

function readMinutes(text: string): TypedNumber {
  const ms = readLength(text)
  return ms === null ? readDecimal(text) : ms / MINUTE_MS
}

/**
 * A length that names its own units, as '1:30', '1:02:03' or '1 min 30 s', in milliseconds; null
 * for anything else, also for a plain number, whose unit is that of its field.
 */
export function readLength(text: string): number | null {
  const plain = spaced(text)
  return plain === '' ? null : (readClock(text) ?? readUnits(plain))
}

/**
 * A point of a video in milliseconds: seconds as `DECIMAL`, '1:23.4', '1:02:03' or '1 min 23 s';
 * null for anything else.
 */
export function readPoint(text: string): number | null {
  const seconds = readDecimal(text)
  if (seconds === null) return readLength(text)
  return seconds >= 0 ? Math.round(seconds * SECOND_MS) : null
}

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,4}):(\d{0,2}(?:[.,٫]\d{0,3})?)$/

/** '1:23.4' or '1:02:03' in milliseconds; null for anything else, as for '1:75'. */
function readClock(text: string): number | null {
  const found = CLOCK.exec(spaced(text))
  if (found === null) return null
  const [, hours, minutes, rest = ''] = found
  const seconds = decimal(`0${rest}`)
  if (seconds >= 60 || (hours !== undefined && Number(minutes) >= 60)) return null
  return Math.round(((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + seconds) * SECOND_MS)
}

const AMOUNT = String.raw`(\d{1,5}(?:[.,٫]\d{1,3})?) ?`
// As they are written in English, German, French and Japanese.
const HOURS = String.raw`(?:h(?:ours?|eures?)?|std|時間)\.?`
const MINUTES_WORD = String.raw`(?:m(?:in(?:ut(?:es?|en?))?)?|分)\.?`
const SECONDS = String.raw`(?:s(?:e[ck](?:onds?|ondes?|unden?)?)?|秒)\.?`
const UNITS = new RegExp(
  `^(?:${AMOUNT}${HOURS})? ?(?:${AMOUNT}${MINUTES_WORD})? ?(?:${AMOUNT}${SECONDS})?$`,
  'i',
)

function readUnits(text: string): number | null {
  const found = UNITS.exec(text)
  if (found === null) return null
  const [hours, minutes, seconds] = found
    .slice(1)
    .map((part: string | undefined) => decimal(part ?? '0'))
  return Math.round((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * SECOND_MS)
}

/** A number whose decimals, if it has any, begin with one of the marks. */
function decimal(plain: string): number {
  return Number(plain.replace(/[,٫]/, '.'))
}

function spaced(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ')
}

/** A number as a field shows it, with five decimals at most: '1.5'; of none ''. */
export function writeNumber(value: TypedNumber): string {
  return value === null || Number.isNaN(value) ? '' : String(Number(value.toFixed(5)))
}
