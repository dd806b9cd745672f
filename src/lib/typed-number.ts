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

/** Minutes as `DECIMAL`, or a length as '1:30', '1:02:03', '1 min 30 s' or '1h05'. */
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
 * A length that names its own units, as '1:30', '1:02:03', '1 min 30 s' or '1h05', in milliseconds;
 * null for anything else, also for a plain number, whose unit is that of its field.
 */
export function readLength(text: string): number | null {
  const plain = spaced(text)
  return plain === '' ? null : (readClock(plain) ?? readUnits(plain))
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

/** '1:23.4', '1:30 min' or '1:02:03' in milliseconds; null for anything else, as for '1:75'. */
function readClock(text: string): number | null {
  const found = CLOCK.exec(text.replace(/ ?min\.?$/i, ''))
  if (found === null) return null
  const [, hours, minutes, rest = ''] = found
  const seconds = decimal(`0${rest}`)
  if (seconds >= 60 || (hours !== undefined && Number(minutes) >= 60)) return null
  return Math.round(((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + seconds) * SECOND_MS)
}

// As units are written in English, German, French, Italian, Spanish, Japanese, Chinese and Arabic.
// The longest first. Primes count as `plainText` leaves them: the double one as two.
const HOUR_WORDS = String.raw`(?:(?:hours?|heures?|hrs?|h|stunden?|std|or[ae]|horas?)\.?|時間|小时|小時|ساعات|ساعة|س)`
const MINUTE_WORDS = String.raw`(?:(?:minut(?:es?|en?|i|os?)|mins?|mn|m)\.?|分钟|分鐘|分間|分|دقائق|دقيقة|د|['′])`
const SECOND_WORDS = String.raw`(?:(?:second(?:s|es?|i)?|sekunden?|segundos?|se[ck]s?|seg|s)\.?|秒間|秒|ثوان|ثواني|ثانية|ث|["”]|''|′′)`
const AMOUNT = String.raw`(\d{1,5}(?:[.,٫]\d{1,3})?) ?`
/** 'and' between two of them. */
const JOIN = String.raw` ?(?:(?:,|and|und|et|e|y|و) ?)?`
const UNITS = new RegExp(
  `^(?:${AMOUNT}${HOUR_WORDS})?(?:${JOIN}${AMOUNT}${MINUTE_WORDS})?(?:${JOIN}${AMOUNT}${SECOND_WORDS})?$`,
  'iu',
)
/** The smaller unit is often left out: '1h05', '1 min 30'. */
const BARE_MINUTES = new RegExp(`${HOUR_WORDS}${JOIN}[0-5]?\\d$`, 'iu')
const BARE_SECONDS = new RegExp(`${MINUTE_WORDS}${JOIN}[0-5]?\\d(?:[.,٫]\\d{1,3})?$`, 'iu')

function readUnits(text: string): number | null {
  const found = /^\d/.test(text) ? UNITS.exec(text + leftOut(text)) : null
  if (found === null) return null
  const [hours, minutes, seconds] = found
    .slice(1)
    .map((part: string | undefined) => decimal(part ?? '0'))
  return Math.round((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * SECOND_MS)
}

function leftOut(text: string): string {
  if (BARE_MINUTES.test(text)) return 'min'
  return BARE_SECONDS.test(text) ? 's' : ''
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
