import { assetIdList, invalidOption } from './option-checks.ts'
import { ok, type Result } from './result.ts'
import type { OptionsProblem } from './types.ts'

/** The options of tube-cut. `targetDuration` is in milliseconds; 0 keeps the full length. */
export interface TubeCutOptions extends Readonly<Record<string, unknown>> {
  readonly targetDuration: number
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
}

/** Six minutes, as the form proposes. */
export const DEFAULT_TARGET_DURATION_MS = 360_000

/**
 * Checks the payload; what is left out gets its default, an empty duration (null or '') keeps the
 * full length.
 */
export function parseTubeCutOptions(payload: unknown): Result<TubeCutOptions, OptionsProblem> {
  if (
    payload !== undefined &&
    payload !== null &&
    (typeof payload !== 'object' || Array.isArray(payload))
  )
    return invalidOption(null, 'Please enter required fields')
  const given = new Map<string, unknown>(Object.entries(payload ?? {}))
  const duration = given.has('targetDuration')
    ? (given.get('targetDuration') ?? 0)
    : DEFAULT_TARGET_DURATION_MS
  const targetDuration = duration === '' ? 0 : duration
  if (typeof targetDuration !== 'number' || !Number.isFinite(targetDuration))
    return invalidOption('targetDuration', 'Please enter required fields')
  if (targetDuration < 0)
    return invalidOption('targetDuration', 'Negative target duration is not allowed')
  const intro = assetIdList(given.get('introMediaAssetIds'))
  if (intro === null)
    return invalidOption('introMediaAssetIds', 'Please choose the intro from your media assets')
  const outro = assetIdList(given.get('outroMediaAssetIds'))
  if (outro === null)
    return invalidOption('outroMediaAssetIds', 'Please choose the outro from your media assets')
  return ok({
    targetDuration: Math.round(targetDuration),
    introMediaAssetIds: intro,
    outroMediaAssetIds: outro,
  })
}
