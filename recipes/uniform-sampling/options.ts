import {
  invalidOption,
  optionFields,
  parseIntroAndOutro,
  type IntroAndOutro,
} from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionRules } from '#recipes/define-preset.ts'
import type { OptionsProblem } from '#recipes/types.ts'
import {
  SAMPLING_MAX_MOMENTS,
  SAMPLING_MIN_LENGTH_MS,
  SAMPLING_MIN_MOMENTS,
} from '#spec/numbers.ts'

/**
 * The options of uniform-sampling; lengths in milliseconds. `maximumDuration` is the length without
 * intro and outro.
 */
export interface UniformSamplingOptions extends IntroAndOutro {
  readonly maximumDuration: number
  readonly segmentCount: number
  /** Left out at the start of the source. */
  readonly offsetStartMs: number
  /** Left out at the end of the source. */
  readonly offsetEndMs: number
}

/** What the form proposes: five minutes of ten moments, nothing left out. */
const DEFAULTS: UniformSamplingOptions = {
  maximumDuration: 300_000,
  segmentCount: 10,
  offsetStartMs: 0,
  offsetEndMs: 0,
  introMediaAssetIds: [],
  outroMediaAssetIds: [],
}

/** Seven days: longer is a slip of the finger. */
const MAX_MS = 604_800_000

export const uniformSamplingOptions: OptionRules<UniformSamplingOptions> = {
  parse: parseUniformSamplingOptions,
  typical: DEFAULTS,
  full: { ...DEFAULTS, introMediaAssetIds: ['intro'], outroMediaAssetIds: ['outro'] },
  assetIds: (options) => [...options.introMediaAssetIds, ...options.outroMediaAssetIds],
}

/** Checks the payload; what is left out gets its default. */
function parseUniformSamplingOptions(
  payload: unknown,
): Result<UniformSamplingOptions, OptionsProblem> {
  const given = optionFields(payload)
  if (given === null) return invalidOption(null, 'Please enter required fields')
  const numbers = { ...NO_NUMBERS }
  for (const field of NUMBER_FIELDS) {
    const value = given.get(field) ?? DEFAULTS[field]
    if (typeof value !== 'number' || !Number.isFinite(value))
      return invalidOption(field, 'Please enter required fields')
    if (value < 0) return invalidOption(field, 'Negative values are not allowed')
    if (value > MAX_MS) return invalidOption(field, 'Please enter at most 7 days')
    numbers[field] = Math.round(value)
  }
  if (numbers.maximumDuration < SAMPLING_MIN_LENGTH_MS)
    return invalidOption('maximumDuration', 'The final length must be at least 10 seconds')
  if (
    !Number.isInteger(given.get('segmentCount') ?? 0) ||
    numbers.segmentCount < SAMPLING_MIN_MOMENTS ||
    numbers.segmentCount > SAMPLING_MAX_MOMENTS
  ) {
    return invalidOption(
      'segmentCount',
      `Please choose ${SAMPLING_MIN_MOMENTS} to ${SAMPLING_MAX_MOMENTS} moments`,
    )
  }
  const ends = parseIntroAndOutro(given)
  return ends.ok ? ok({ ...numbers, ...ends.value }) : ends
}

const NUMBER_FIELDS = ['maximumDuration', 'segmentCount', 'offsetStartMs', 'offsetEndMs'] as const
const NO_NUMBERS: Record<(typeof NUMBER_FIELDS)[number], number> = {
  maximumDuration: 0,
  segmentCount: 0,
  offsetStartMs: 0,
  offsetEndMs: 0,
}
