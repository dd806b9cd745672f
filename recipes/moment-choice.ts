import type { OptionRules } from './define-preset.ts'
import { invalidOption, optionFields } from './option-checks.ts'
import { ok, type Result } from './result.ts'
import type { OptionsProblem } from './types.ts'

/** From one point of the source to another, in whole milliseconds. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** A moment that an edit shows; a locked one stays while others are replaced. */
export interface ChosenMoment extends Stretch {
  readonly isLocked: boolean
}

/**
 * What the creator decided on the moment board: exactly these moments are shown, in this order. The
 * locks and what was banned change nothing in the edit: the board opens with them again.
 */
export interface MomentChoice {
  readonly shown: readonly ChosenMoment[]
  readonly banned: readonly Stretch[]
}

/** Without `moments` the edit shows what the search of the server found best. */
export type MomentOptions = { readonly moments?: MomentChoice }

/** What moments that are chosen by hand must add up to. */
export interface MomentRule {
  /** Of the edit. */
  readonly lengthMs: number
  /** By how much neighbours fade into each other. */
  readonly overlapMs: number
  /** A shorter moment would be nothing but fades. */
  readonly minMs: number
}

/** More would be shorter than anything can be seen. */
export const MOST_SHOWN = 24
export const MOST_BANNED = 60
/** Whole milliseconds of many moments may miss the length by so much; frames even it out. */
const TOLERANCE_MS = 40

/** Options that no form has to ask for: the moment board offers them. */
export const momentOptions: OptionRules<MomentOptions> = {
  areOptional: true,
  parse: parseMomentOptions,
  typical: {},
}

function parseMomentOptions(payload: unknown): Result<MomentOptions, OptionsProblem> {
  const given = optionFields(payload)
  const unknownField = [...(given?.keys() ?? [''])].find((field) => field !== 'moments')
  if (given === null || unknownField !== undefined)
    return invalidOption(unknownField || null, 'The only option of this format is its moments.')
  const value = given.get('moments')
  if (value === undefined || value === null) return ok({})
  const fields = optionFields(value)
  const shown = listOf(fields?.get('shown'), chosenMoment, MOST_SHOWN)
  const banned = listOf(fields?.get('banned'), stretch, MOST_BANNED)
  if (shown === null || shown.length === 0 || banned === null)
    return wrongMoments('These moments cannot be read. Please choose them again.')
  const isBanned = shown.some((each) => banned.some((other) => overlap(each, other)))
  if (isBanned) return wrongMoments('A moment that is to be shown is banned. Please take one back.')
  return ok({ moments: { shown, banned } })
}

/**
 * Whether chosen moments make the edit that the rule describes, or what to do about it, for the
 * creator.
 */
export function checkChoice(
  { shown }: Pick<MomentChoice, 'shown'>,
  rule: MomentRule,
  sourceDurationMs: number,
): Result<null, OptionsProblem> {
  const late = shown.find(({ endMs }) => endMs > sourceDurationMs)
  if (late !== undefined)
    return wrongMoments(
      `Your video ends at ${pointWords(sourceDurationMs)}. Please let every moment end before that.`,
    )
  if (shown.some((each) => lengthOf(each) < rule.minMs))
    return wrongMoments(`Each moment needs at least ${secondsWords(rule.minMs)}.`)
  const overMs = lengthTogether(shown, rule) - rule.lengthMs
  if (overMs > TOLERANCE_MS)
    return wrongMoments(
      `These moments are ${secondsWords(overMs)} too long for ${secondsWords(rule.lengthMs)}. Shorten one, or unlock some so that they can give way.`,
    )
  if (overMs < -TOLERANCE_MS)
    return wrongMoments(
      `These moments leave ${secondsWords(-overMs)} of ${secondsWords(rule.lengthMs)} open. Make one longer, or unlock some so that they can fill it.`,
    )
  return ok(null)
}

/** How long an edit of these moments is. */
export function lengthTogether(shown: readonly Stretch[], { overlapMs }: MomentRule): number {
  return (
    shown.reduce((sum, each) => sum + lengthOf(each), 0) - Math.max(0, shown.length - 1) * overlapMs
  )
}

export function lengthOf({ startMs, endMs }: Stretch): number {
  return endMs - startMs
}

export function overlap(a: Stretch, b: Stretch): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs
}

/** A refusal of the field `moments`. */
export function wrongMoments(message: string): Result<never, OptionsProblem> {
  return invalidOption('moments', message)
}

/** 83456 -> 1:23.5 */
export function pointWords(ms: number): string {
  const tenths = Math.round(ms / 100)
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0')
  return `${Math.floor(tenths / 600)}:${seconds}`
}

/** At least a tenth, so that nothing is called 0 s that is refused. */
function secondsWords(ms: number): string {
  return `${String(Math.max(1, Math.round(ms / 100)) / 10)} s`
}

function listOf<T>(
  value: unknown,
  read: (item: unknown) => T | null,
  most: number,
): readonly T[] | null {
  if (!Array.isArray(value) || value.length > most) return null
  const items = value.map(read)
  return items.every((item) => item !== null) ? items : null
}

function stretch(value: unknown): Stretch | null {
  const fields = optionFields(value)
  const [startMs, endMs] = [fields?.get('startMs'), fields?.get('endMs')]
  const isInOrder =
    Number.isSafeInteger(startMs) &&
    Number.isSafeInteger(endMs) &&
    0 <= Number(startMs) &&
    Number(startMs) < Number(endMs)
  return isInOrder ? { startMs: Number(startMs), endMs: Number(endMs) } : null
}

function chosenMoment(value: unknown): ChosenMoment | null {
  const read = stretch(value)
  const isLocked = optionFields(value)?.get('isLocked')
  return read === null || typeof isLocked !== 'boolean' ? null : { ...read, isLocked }
}
