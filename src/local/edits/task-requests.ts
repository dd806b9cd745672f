import type { components } from '#openapi/schema.gen.ts'
import { findPreset, findRecipe } from '#recipes/presets.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

type Schemas = components['schemas']
export type PresetSlug = Schemas['PresetSlug']
export type TaskRequest = Schemas['MediaJobTaskRequest']
type PlainSlug = Schemas['PlainTaskRequest']['mediaJobTaskPresetSlug']
export type SlugWithOptions = Exclude<PresetSlug, PlainSlug>

type Payloads = {
  [S in SlugWithOptions]: Extract<TaskRequest, { mediaJobTaskPresetSlug: S }>['payload']
}
/** The options of one preset as the contract takes them. */
export type PayloadOf<S extends SlugWithOptions> = Payloads[S]

/** The request of one preset that has options. */
export interface RequestOf<S extends SlugWithOptions> {
  readonly mediaJobTaskPresetSlug: S
  readonly payload: PayloadOf<S>
}

/** What is wrong with an option, in the words of the specification; `field` is the payload's. */
export interface OptionProblem {
  readonly code: 'options/invalid'
  readonly field: string | null
  readonly message: string
}

/** The request of an edit without options, or null when its options have to be asked for. */
export function plainRequest(slug: PresetSlug): TaskRequest | null {
  return isPlain(slug) ? { mediaJobTaskPresetSlug: slug } : null
}

/** The request of an edit with its most common options; null for a format without a recipe here. */
export function typicalRequest(slug: PresetSlug): TaskRequest | null {
  const payload = findRecipe(slug)?.typicalPayload
  // The recipe's own, which the contract takes for this slug.
  return payload === undefined ? null : ({ mediaJobTaskPresetSlug: slug, payload } as TaskRequest)
}

/**
 * Checks what an option form holds with the rule that the server uses.
 * @param draft the payload's fields as the form has them; what is left out gets its default
 * @param sourceDurationMs of the video that it is for; null while unknown
 */
export function requestWithOptions<S extends SlugWithOptions>(
  slug: S,
  draft: { readonly [K in keyof PayloadOf<S>]?: unknown },
  sourceDurationMs: number | null,
): Result<RequestOf<S>, OptionProblem> {
  const options = findRecipe(slug)?.checkOrder(draft, knownLength(sourceDurationMs))
  if (options?.ok !== true)
    return err({
      code: 'options/invalid',
      field: options?.error.field ?? null,
      message: options?.error.message ?? 'This format is not available yet.',
    })
  // `definePreset` takes only options that the contract takes for this slug.
  return ok({ mediaJobTaskPresetSlug: slug, payload: options.value as PayloadOf<S> })
}

/**
 * Why an edit cannot be ordered of a video of this length, by the rule that the server uses, in
 * words; null where it can, and for a format without a recipe here.
 * @param sourceDurationMs null while unknown
 */
export function refusalOf(
  { mediaJobTaskPresetSlug: slug, payload }: TaskRequest,
  sourceDurationMs: number | null,
): string | null {
  const checked = findRecipe(slug)?.checkOrder(payload ?? {}, knownLength(sourceDurationMs))
  return checked === undefined || checked.ok ? null : checked.error.message
}

/** A length of zero is a fault of the file, which the checks of the file tell. */
function knownLength(durationMs: number | null): number | null {
  return durationMs === null || durationMs <= 0 ? null : durationMs
}

/** The options in a request for this preset; null for another preset's request, or none. */
export function payloadOf<S extends SlugWithOptions>(
  slug: S,
  request: TaskRequest | null,
): PayloadOf<S> | null {
  if (request === null) return null
  const { mediaJobTaskPresetSlug, payload } = request
  // The slug decides the type of the payload, which the type checker cannot follow for any slug.
  return mediaJobTaskPresetSlug === slug ? (payload as PayloadOf<S>) : null
}

function isPlain(slug: PresetSlug): slug is PlainSlug {
  return findPreset(slug)?.hasOptions === false
}
