import { err, ok, type Result } from './result.ts'
import type { OptionsProblem } from './types.ts'

/** More pieces at either end than any creator wants; the bound keeps a plan small. */
export const MAX_ASSETS_PER_END = 10
/** Seven days: a longer time is a slip of the finger. */
export const LONGEST_MS = 604_800_000

/** The fields of a payload, none when it is left out; null when it is no object. */
export function optionFields(payload: unknown): ReadonlyMap<string, unknown> | null {
  if (payload === undefined || payload === null) return new Map()
  if (typeof payload !== 'object' || Array.isArray(payload)) return null
  return new Map(Object.entries(payload))
}

/** What stands before and after the edit itself, in order. */
export interface IntroAndOutro {
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
}

/** Whether anything stands before or after the edit. */
export function hasEnds({ introMediaAssetIds, outroMediaAssetIds }: IntroAndOutro): boolean {
  return introMediaAssetIds.length + outroMediaAssetIds.length > 0
}

/** Reads both lists from the fields of a payload; a list that is left out is empty. */
export function parseIntroAndOutro(
  fields: ReadonlyMap<string, unknown>,
): Result<IntroAndOutro, OptionsProblem> {
  const intro = assetIdList(fields.get('introMediaAssetIds'))
  if (intro === null)
    return invalidOption('introMediaAssetIds', 'Please choose the intro from your media assets')
  const outro = assetIdList(fields.get('outroMediaAssetIds'))
  if (outro === null)
    return invalidOption('outroMediaAssetIds', 'Please choose the outro from your media assets')
  return ok({ introMediaAssetIds: intro, outroMediaAssetIds: outro })
}

/** The ids of an intro or outro, empty when left out; null when it is no such list. */
function assetIdList(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_ASSETS_PER_END) return null
  const ids = value.filter((id): id is string => typeof id === 'string' && id.trim() !== '')
  return ids.length === value.length ? ids : null
}

/** Options that cannot be used, in words for the creator; `field` is the payload's. */
export function invalidOption(
  field: string | null,
  message: string,
): Result<never, OptionsProblem> {
  return err({ code: 'recipe/options-invalid', field, message })
}
