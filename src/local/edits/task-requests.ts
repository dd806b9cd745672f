import type { components } from '#openapi/schema.gen.ts'
import { parseTubeCutOptions } from '#recipes/tube-cut-options.ts'
import { parseWatermarkOptions } from '#recipes/watermark-text.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

type Schemas = components['schemas']
export type PresetSlug = Schemas['PresetSlug']
export type TaskRequest = Schemas['MediaJobTaskRequest']
type PlainSlug = Schemas['PlainTaskRequest']['mediaJobTaskPresetSlug']
type SlugWithOptions = Exclude<PresetSlug, PlainSlug>

/** What is wrong with an option, in the words of the specification; `field` is the payload's. */
export interface OptionProblem {
  readonly code: 'options/invalid'
  readonly field: string | null
  readonly message: string
}

const WITH_OPTIONS: Readonly<Record<SlugWithOptions, true>> = {
  'dynamic-watermark': true,
  'incognito-full-scene': true,
  'short-trailer-gif': true,
  'team-skeet-trailer': true,
  'tube-cut': true,
  'uniform-sampling': true,
}

/** The request of an edit without options, or null when its options have to be asked for. */
export function plainRequest(slug: PresetSlug): TaskRequest | null {
  return isPlain(slug) ? { mediaJobTaskPresetSlug: slug } : null
}

/** Checks what the watermark form holds with the rule that the server uses. */
export function watermarkRequest(text: string): Result<TaskRequest, OptionProblem> {
  const options = parseWatermarkOptions({ text })
  return options.ok
    ? ok({ mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: options.value.text } })
    : err(problem(options.error))
}

/**
 * Checks what the tube cut form holds with the rule that the server uses.
 * @param targetDurationMs null for an empty field, which keeps the full length
 */
export function tubeCutRequest(
  targetDurationMs: number | null,
  introMediaAssetIds: readonly string[],
  outroMediaAssetIds: readonly string[],
): Result<TaskRequest, OptionProblem> {
  const options = parseTubeCutOptions({
    targetDuration: targetDurationMs,
    introMediaAssetIds,
    outroMediaAssetIds,
  })
  if (!options.ok) return err(problem(options.error))
  const { targetDuration, introMediaAssetIds: intro, outroMediaAssetIds: outro } = options.value
  return ok({
    mediaJobTaskPresetSlug: 'tube-cut',
    payload: { targetDuration, introMediaAssetIds: [...intro], outroMediaAssetIds: [...outro] },
  })
}

function isPlain(slug: PresetSlug): slug is PlainSlug {
  return !Object.hasOwn(WITH_OPTIONS, slug)
}

function problem(error: {
  readonly field: string | null
  readonly message: string
}): OptionProblem {
  return { code: 'options/invalid', field: error.field, message: error.message }
}
