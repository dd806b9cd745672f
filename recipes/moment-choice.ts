import { invalidOption } from './option-checks.ts'
import { ok, type Result } from './result.ts'
import type { Stretch } from './stretch.ts'
import type { OptionsProblem } from './types.ts'

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

/** Whether the creator chose the moments, so that the edit shows just those. */
export function namesMoments(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'moments' in payload
}

/**
 * What moments that are chosen by hand must be: one for each slot, or any number that make up one
 * length together.
 */
export type MomentRule = SlotRule | LengthRule

/** One moment for each place of the edit. */
interface SlotRule {
  readonly slots: readonly MomentSlot[]
}

export interface MomentSlot {
  /** What the slot is in the edit, as people read it: 'Square GIF'. */
  readonly name: string
  /** `PICTURE_MS` for a still. */
  readonly lengthMs: number
  /** How short it may be, where that is not the same. */
  readonly leastMs?: number
  /** No moment begins before this: the edit also shows what leads to the moment. */
  readonly earliestMs: number
}

/** The length of the moment of a still, which is the picture at its start. */
export const PICTURE_MS = 1

export interface LengthRule {
  readonly slots: null
  /** Of the edit. */
  readonly lengthMs: number
  /** By how much neighbours fade into each other. */
  readonly overlapMs: number
  /** A shorter moment would be nothing but fades, or a flash. */
  readonly minMs: number
}

/** As many as a tube cut of any length has by itself. */
export const MOST_SHOWN = 40
export const MOST_BANNED = 60
/** Moments in whole milliseconds may miss the length by this much together; frames even it out. */
const TOLERANCE_MS = 40

/**
 * Checks that chosen moments make the edit that the rule describes; else says to the creator what
 * to do.
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
  return rule.slots === null ? checkLength(shown, rule) : checkSlots(shown, rule)
}

function checkSlots(shown: readonly Stretch[], { slots }: SlotRule): Result<null, OptionsProblem> {
  if (shown.length !== slots.length)
    return wrongMoments(
      `This edit shows ${slots.length} moments, not ${shown.length}. Please choose them again.`,
    )
  for (const [index, { name, lengthMs, leastMs = lengthMs, earliestMs }] of slots.entries()) {
    const one = shown[index]
    if (one === undefined) continue
    if (one.startMs < earliestMs)
      return wrongMoments(
        `${name} can begin at ${pointWords(earliestMs)} at the earliest. Please choose a later moment.`,
      )
    if (lengthOf(one) < leastMs - TOLERANCE_MS || lengthOf(one) > lengthMs + TOLERANCE_MS)
      return wrongMoments(
        `${name} needs a moment of ${secondsWords(lengthMs)}. Please choose it again.`,
      )
  }
  return ok(null)
}

function checkLength(shown: readonly Stretch[], rule: LengthRule): Result<null, OptionsProblem> {
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
export function lengthTogether(shown: readonly Stretch[], { overlapMs }: LengthRule): number {
  return (
    shown.reduce((sum, each) => sum + lengthOf(each), 0) - Math.max(0, shown.length - 1) * overlapMs
  )
}

/** What a moment is in the edit, as people read it: 'Moment 3', 'Square GIF'. */
export function placeName({ slots }: MomentRule, index: number): string {
  return slots?.[index]?.name ?? `Moment ${index + 1}`
}

/** The same within a sentence: 'moment 3', 'square GIF'. */
export function placeWords(rule: MomentRule, index: number): string {
  const name = placeName(rule, index)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** '0:12.0 to 0:15.5'; of a still, its one time. */
export function stretchWords(stretch: Stretch, between = ' to '): string {
  const start = pointWords(stretch.startMs)
  return lengthOf(stretch) <= PICTURE_MS ? start : `${start}${between}${pointWords(stretch.endMs)}`
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
