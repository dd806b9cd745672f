import { noOptions, type OptionRules } from './define-preset.ts'
import {
  MOST_BANNED,
  MOST_SHOWN,
  overlap,
  wrongMoments,
  type ChosenMoment,
  type MomentOptions,
} from './moment-choice.ts'
import type { Stretch } from './stretch.ts'
import { optionFields } from './option-checks.ts'
import { ok, type Result } from './result.ts'
import type { OptionsProblem } from './types.ts'

/**
 * Adds the moments of a board to the options of a format; no form has to ask for them. A format
 * takes moments where it has this and `momentRule`.
 */
export function withMoments<O extends object>({
  parse,
  typical,
  propose,
  ...rules
}: OptionRules<O>): OptionRules<O & MomentOptions> {
  return {
    ...rules,
    typical: { ...typical, ...NO_CHOICE },
    ...(propose !== undefined && {
      propose: (sourceDurationMs) => ({ ...propose(sourceDurationMs), ...NO_CHOICE }),
    }),
    parse: (payload) => {
      const given = optionFields(payload)
      const { moments, ...others } = Object.fromEntries(given ?? [])
      const options = parse(given === null ? payload : others)
      if (!options.ok) return options
      const choice = parseChoice(moments)
      return choice.ok ? ok({ ...options.value, ...choice.value }) : choice
    },
  }
}

const NO_CHOICE: MomentOptions = {}

/** Options of a format that has none but its moments. */
export const onlyMoments: OptionRules<MomentOptions> = {
  ...withMoments<object>({ parse: noOptions.parse, typical: {} }),
  areOptional: true,
}

function parseChoice(value: unknown): Result<MomentOptions, OptionsProblem> {
  if (value === undefined || value === null) return ok(NO_CHOICE)
  const fields = optionFields(value)
  const shown = listOf(fields?.get('shown'), chosenMoment, MOST_SHOWN)
  const banned = listOf(fields?.get('banned'), stretch, MOST_BANNED)
  if (shown === null || shown.length === 0 || banned === null)
    return wrongMoments('These moments cannot be read. Please choose them again.')
  const isBanned = shown.some((each) => banned.some((other) => overlap(each, other)))
  if (isBanned) return wrongMoments('A moment that is to be shown is banned. Please take one back.')
  return ok({ moments: { shown, banned } })
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
