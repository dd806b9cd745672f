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
import {
  SAMPLING_DEFAULT_MS,
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

/** What the form proposes for a long video: five minutes of ten moments, nothing left out. */
const DEFAULTS: UniformSamplingOptions = {
  maximumDuration: SAMPLING_DEFAULT_MS,
  segmentCount: 10,
  offsetStartMs: 0,
  offsetEndMs: 0,
  introMediaAssetIds: [],
  outroMediaAssetIds: [],
}

/** The form counts in whole seconds, and proposes round ones. */
const PROPOSED_STEP_MS = 5_000
/** Less of the source than this between the two offsets makes no edit. */
export const MIN_REST_MS = 1000

export const uniformSamplingOptions = {
  parse: parseUniformSamplingOptions,
  refuse: refuseSampling,
  typical: DEFAULTS,
  propose: (sourceDurationMs) => ({
    ...DEFAULTS,
    maximumDuration: proposedLength(sourceDurationMs, {
      leastMs: SAMPLING_MIN_LENGTH_MS,
      mostMs: SAMPLING_DEFAULT_MS,
      stepMs: PROPOSED_STEP_MS,
    }),
  }),
  full: { ...DEFAULTS, introMediaAssetIds: ['intro'], outroMediaAssetIds: ['outro'] },
  assetIds: (options) => [...options.introMediaAssetIds, ...options.outroMediaAssetIds],
} satisfies OptionRules<UniformSamplingOptions>

/** What the offsets leave of a source; below 0 where they are longer than it. */
export function restOf(
  { offsetStartMs, offsetEndMs }: Pick<UniformSamplingOptions, 'offsetStartMs' | 'offsetEndMs'>,
  sourceDurationMs: number,
): number {
  return sourceDurationMs - offsetStartMs - offsetEndMs
}

/**
 * Whether the moments would need more than the offsets leave, so that all of that is shown as one
 * piece.
 */
export function isOnePiece(options: UniformSamplingOptions, sourceDurationMs: number): boolean {
  return options.maximumDuration >= restOf(options, sourceDurationMs)
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
    if (value > LONGEST_MS) return invalidOption(field, 'Please enter at most 7 days')
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

/**
 * The offsets leave something to show, and the moments leave some of that out unless an intro or
 * outro makes it another video.
 */
function refuseSampling(
  options: UniformSamplingOptions,
  sourceDurationMs: number | null,
): OptionRefusal | null {
  if (sourceDurationMs === null) return null
  const restMs = restOf(options, sourceDurationMs)
  if (restMs < MIN_REST_MS && restMs < sourceDurationMs)
    return { field: 'offsetEndMs', message: NOTHING_LEFT }
  if (hasEnds(options) || !isCopy(options.maximumDuration, restMs)) return null
  const field = 'maximumDuration'
  if (isCopy(SAMPLING_MIN_LENGTH_MS, sourceDurationMs))
    return {
      field,
      message: `Your video is ${fullSeconds(sourceDurationMs)} long, and a summary needs ${spokenLength(shortestSource(SAMPLING_MIN_LENGTH_MS))}: please choose another edit, or add an intro or outro.`,
    }
  if (isCopy(SAMPLING_MIN_LENGTH_MS, restMs))
    return {
      field,
      message: `Only ${fullSeconds(restMs)} of your video remain, and a summary needs ${spokenLength(shortestSource(SAMPLING_MIN_LENGTH_MS))}: please leave out less, or add an intro or outro.`,
    }
  return restMs === sourceDurationMs
    ? {
        field,
        message: `Your video is ${fullSeconds(sourceDurationMs)} long, so this would be all of it: please enter a shorter final length, or add an intro or outro.`,
      }
    : {
        field,
        message: `Only ${fullSeconds(restMs)} of your video remain, so this would be all of that: please enter a shorter final length, leave out less, or add an intro or outro.`,
      }
}

const NOTHING_LEFT = 'This leaves nothing of your video to show. Please leave out less.'
