import { err, type Result } from './result.ts'
import type { OptionsProblem } from './types.ts'

/** More pieces at either end than any creator wants; the bound keeps a plan small. */
const MAX_ASSETS_PER_END = 10

/** The ids of an intro or outro, empty when left out; null when it is no such list. */
export function assetIdList(value: unknown): readonly string[] | null {
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
