import { fullSeconds, spokenLength } from '#recipes/length-words.ts'
import { isCopy, proposedLength, shortestSource } from '#recipes/left-out.ts'
import {
  hasEnds,
  invalidOption,
  LONGEST_MS,
  optionFields,
  parseIntroAndOutro,
  type IntroAndOutro,
} from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionRefusal, OptionRules } from '#recipes/define-preset.ts'
import type { OptionsProblem } from '#recipes/types.ts'
import { TUBE_CUT_DEFAULT_MS, TUBE_CUT_MIN_LENGTH_MS } from '#spec/numbers.ts'

/** The options of tube-cut. `targetDuration` is in milliseconds; 0 keeps the full length. */
export interface TubeCutOptions extends IntroAndOutro {
  readonly targetDuration: number
}

/** The form counts in minutes with a decimal. */
const TENTH_OF_MINUTE_MS = 6_000

/** What the form proposes for a long video: six minutes. */
const DEFAULTS: TubeCutOptions = {
  targetDuration: TUBE_CUT_DEFAULT_MS,
  introMediaAssetIds: [],
  outroMediaAssetIds: [],
}

export const tubeCutOptions = {
  parse: parseTubeCutOptions,
  refuse: refuseTubeCut,
  typical: DEFAULTS,
  propose: (sourceDurationMs) => ({
    ...DEFAULTS,
    targetDuration: proposedLength(sourceDurationMs, {
      leastMs: TUBE_CUT_MIN_LENGTH_MS,
      mostMs: TUBE_CUT_DEFAULT_MS,
      stepMs: TENTH_OF_MINUTE_MS,
    }),
  }),
  full: { ...DEFAULTS, introMediaAssetIds: ['intro'], outroMediaAssetIds: ['outro'] },
  assetIds: (options) => [...options.introMediaAssetIds, ...options.outroMediaAssetIds],
} satisfies OptionRules<TubeCutOptions>

/**
 * Whether the cut shows all of a video: 0 asks for it, and a longer target than the video leaves
 * nothing to cut out. Both in milliseconds.
 */
export function isUncut(targetDuration: number, sourceDurationMs: number): boolean {
  return targetDuration === 0 || targetDuration >= sourceDurationMs
}

/**
 * Checks the payload; what is left out gets its default, an empty duration (null or '') keeps the
 * full length.
 */
function parseTubeCutOptions(payload: unknown): Result<TubeCutOptions, OptionsProblem> {
  const given = optionFields(payload)
  if (given === null) return invalidOption(null, 'Please enter required fields')
  const duration = given.has('targetDuration')
    ? (given.get('targetDuration') ?? 0)
    : DEFAULTS.targetDuration
  const targetDuration = duration === '' ? 0 : duration
  if (typeof targetDuration !== 'number' || !Number.isFinite(targetDuration))
    return invalidOption('targetDuration', 'Please enter required fields')
  if (targetDuration < 0)
    return invalidOption('targetDuration', 'Negative target duration is not allowed')
  if (targetDuration > LONGEST_MS)
    return invalidOption('targetDuration', 'Please enter at most 7 days')
  const ends = parseIntroAndOutro(given)
  return ends.ok ? ok({ targetDuration: Math.round(targetDuration), ...ends.value }) : ends
}

/** A cut has a length, and leaves something out unless an intro or outro makes it another video. */
function refuseTubeCut(
  { targetDuration, ...ends }: TubeCutOptions,
  sourceDurationMs: number | null,
): OptionRefusal | null {
  if (targetDuration > 0 && targetDuration < TUBE_CUT_MIN_LENGTH_MS) return refusal(TOO_SHORT)
  if (hasEnds(ends)) return null
  if (sourceDurationMs !== null && isCopy(TUBE_CUT_MIN_LENGTH_MS, sourceDurationMs))
    return refusal(
      `Your video is ${fullSeconds(sourceDurationMs)} long, and a tube cut needs ${spokenLength(shortestSource(TUBE_CUT_MIN_LENGTH_MS))}: please choose another edit, or add an intro or outro.`,
    )
  if (targetDuration === 0) return refusal(FULL_LENGTH)
  return sourceDurationMs !== null && isCopy(targetDuration, sourceDurationMs)
    ? refusal(
        `Your video is ${fullSeconds(sourceDurationMs)} long, so this would be all of it: please enter a shorter length, or add an intro or outro.`,
      )
    : null
}

const TOO_SHORT = `A tube cut is at least ${spokenLength(TUBE_CUT_MIN_LENGTH_MS)} long (${TUBE_CUT_MIN_LENGTH_MS / 60_000} minutes): please enter a longer length.`
const FULL_LENGTH =
  'The full length without an intro or outro would be your video again: please enter a length, or add one of them.'

function refusal(message: string): OptionRefusal {
  return { field: 'targetDuration', message }
}
