import { err, ok, type Result } from './result.ts'
import type { OptionsProblem } from './types.ts'

/** The options of tube-cut. `targetDuration` is in milliseconds; 0 keeps the full length. */
export interface TubeCutOptions extends Readonly<Record<string, unknown>> {
  readonly targetDuration: number
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
}

/** Six minutes, as the form proposes. */
export const DEFAULT_TARGET_DURATION_MS = 360_000

/** More pieces than anybody wants at either end; the bound keeps a plan small. */
const MAX_ASSETS_PER_END = 10

/** Checks the payload; what is left out gets its default, an empty duration (null or '') keeps the full length. */
export function parseTubeCutOptions(payload: unknown): Result<TubeCutOptions, OptionsProblem> {
  if (payload !== undefined && payload !== null && (typeof payload !== 'object' || Array.isArray(payload))) return invalid(null, 'Please enter required fields')
  const given = new Map<string, unknown>(Object.entries(payload ?? {}))
  const duration = given.has('targetDuration') ? (given.get('targetDuration') ?? 0) : DEFAULT_TARGET_DURATION_MS
  const targetDuration = duration === '' ? 0 : duration
  if (typeof targetDuration !== 'number' || !Number.isFinite(targetDuration)) return invalid('targetDuration', 'Please enter required fields')
  if (targetDuration < 0) return invalid('targetDuration', 'Negative target duration is not allowed')
  const intro = idList(given.get('introMediaAssetIds'))
  if (intro === null) return invalid('introMediaAssetIds', 'Please choose the intro from your media assets')
  const outro = idList(given.get('outroMediaAssetIds'))
  if (outro === null) return invalid('outroMediaAssetIds', 'Please choose the outro from your media assets')
  return ok({ targetDuration: Math.round(targetDuration), introMediaAssetIds: intro, outroMediaAssetIds: outro })
}

function idList(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_ASSETS_PER_END) return null
  const ids = value.filter((id): id is string => typeof id === 'string' && id.trim() !== '')
  return ids.length === value.length ? ids : null
}

function invalid(field: string | null, message: string): Result<never, OptionsProblem> {
  return err({ code: 'recipe/options-invalid', field, message })
}
