import type { components } from '#openapi/schema.gen.ts'
import { uniformSamplingOptions } from '#recipes/uniform-sampling/options.ts'
import { SECONDS_FIELD_MAX } from '#spec/numbers.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'
import type { TypedNumber } from '#src/lib/typed-number.ts'
import { requestWithOptions } from './task-requests.ts'

type Payload = components['schemas']['UniformSamplingPayload']

/** A length as two fields of a form; an empty one counts as 0. */
export interface MinutesAndSeconds {
  readonly minutes: TypedNumber
  readonly seconds: TypedNumber
}

/** What the form of uniform sampling holds, also when it cannot be used. */
export interface SamplingDraft {
  readonly length: MinutesAndSeconds
  readonly moments: TypedNumber
  readonly leftOutAtStart: MinutesAndSeconds
  readonly leftOutAtEnd: MinutesAndSeconds
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
}

export type SamplingField = 'length' | 'moments' | 'leftOutAtStart' | 'leftOutAtEnd'

/**
 * What is wrong with each field, in the words of the specification, and the payload when nothing
 * is.
 */
export interface SamplingCheck {
  readonly errors: Readonly<Partial<Record<SamplingField, string>>>
  readonly payload: Payload | null
}

/**
 * The form as it opens: what was chosen before, or ten moments with nothing left out, together a
 * third of the video and five minutes at most.
 * @param sourceDurationMs probed length of the source; null while unknown
 */
export function samplingDraft(
  payload: Payload | null,
  sourceDurationMs: number | null,
): SamplingDraft {
  const options = payload ?? uniformSamplingOptions.propose(sourceDurationMs)
  return {
    length: toMinutesAndSeconds(options.maximumDuration),
    moments: options.segmentCount,
    leftOutAtStart: toMinutesAndSeconds(options.offsetStartMs),
    leftOutAtEnd: toMinutesAndSeconds(options.offsetEndMs),
    introMediaAssetIds: options.introMediaAssetIds,
    outroMediaAssetIds: options.outroMediaAssetIds,
  }
}

/**
 * Checks the form with the rule that the server uses.
 * @param sourceDurationMs probed length of the source; null while unknown, then what it has no room
 * for is not refused yet
 */
export function checkSampling(
  draft: SamplingDraft,
  sourceDurationMs: number | null,
): SamplingCheck {
  const errors: Partial<Record<SamplingField, string>> = {}
  for (const field of ['length', 'leftOutAtStart', 'leftOutAtEnd'] as const) {
    const problem = timeProblem(draft[field])
    if (problem !== null) errors[field] = problem
  }
  // The field itself says what to do.
  if (!isWholeDraft(draft)) return { errors, payload: null }
  const request = requestWithOptions(
    'uniform-sampling',
    {
      maximumDuration: fieldsToMs(draft.length),
      segmentCount: draft.moments,
      offsetStartMs: fieldsToMs(draft.leftOutAtStart),
      offsetEndMs: fieldsToMs(draft.leftOutAtEnd),
      introMediaAssetIds: draft.introMediaAssetIds,
      outroMediaAssetIds: draft.outroMediaAssetIds,
    },
    sourceDurationMs,
  )
  if (!request.ok) {
    const field = FIELDS[request.error.field ?? ''] ?? 'length'
    return { errors: { [field]: request.error.message, ...errors }, payload: null }
  }
  return { errors, payload: Object.keys(errors).length === 0 ? request.value.payload : null }
}

/** Whether every field was read. */
function isWholeDraft({ length, moments, leftOutAtStart, leftOutAtEnd }: SamplingDraft): boolean {
  const isWholeTime = ({ minutes, seconds }: MinutesAndSeconds) =>
    minutes !== null && seconds !== null
  return moments !== null && [length, leftOutAtStart, leftOutAtEnd].every(isWholeTime)
}

/** Milliseconds as whole minutes and the seconds that remain. */
export function toMinutesAndSeconds(ms: number): Record<keyof MinutesAndSeconds, number> {
  const minutes = Math.floor(ms / MINUTE_MS)
  return { minutes, seconds: (ms - minutes * MINUTE_MS) / SECOND_MS }
}

/** Two fields as milliseconds; NaN where one was not read. */
export function fieldsToMs({ minutes, seconds }: MinutesAndSeconds): number {
  return Math.round(counted(minutes) * MINUTE_MS + counted(seconds) * SECOND_MS)
}

function counted(value: TypedNumber): number {
  if (value === null) return Number.NaN
  return Number.isNaN(value) ? 0 : value
}

function timeProblem({ minutes, seconds }: MinutesAndSeconds): string | null {
  if (minutes === null || seconds === null) return null
  if (minutes < 0) return 'Negative values are not allowed'
  return seconds < 0 || seconds > SECONDS_FIELD_MAX
    ? `Seconds must be between 0 and ${SECONDS_FIELD_MAX}`
    : null
}

const FIELDS: Readonly<Record<string, SamplingField>> = {
  maximumDuration: 'length',
  segmentCount: 'moments',
  offsetStartMs: 'leftOutAtStart',
  offsetEndMs: 'leftOutAtEnd',
}
