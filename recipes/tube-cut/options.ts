import {
  invalidOption,
  optionFields,
  parseIntroAndOutro,
  type IntroAndOutro,
} from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionRules } from '#recipes/define-preset.ts'
import type { OptionsProblem } from '#recipes/types.ts'
import { TUBE_CUT_DEFAULT_MS } from '#spec/numbers.ts'

/** The options of tube-cut. `targetDuration` is in milliseconds; 0 keeps the full length. */
export interface TubeCutOptions extends IntroAndOutro {
  readonly targetDuration: number
}

/** What the form proposes: six minutes. */
const DEFAULTS: TubeCutOptions = {
  targetDuration: TUBE_CUT_DEFAULT_MS,
  introMediaAssetIds: [],
  outroMediaAssetIds: [],
}

export const tubeCutOptions: OptionRules<TubeCutOptions> = {
  parse: parseTubeCutOptions,
  typical: DEFAULTS,
  full: { ...DEFAULTS, introMediaAssetIds: ['intro'], outroMediaAssetIds: ['outro'] },
  assetIds: (options) => [...options.introMediaAssetIds, ...options.outroMediaAssetIds],
}

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
  const ends = parseIntroAndOutro(given)
  return ends.ok ? ok({ targetDuration: Math.round(targetDuration), ...ends.value }) : ends
}
