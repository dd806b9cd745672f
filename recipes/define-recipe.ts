import { PREVIEW_PICTURE_MS, windowInside } from './preview-steps.ts'
import { err, ok, type Result } from './result.ts'
import type {
  OptionsProblem,
  PlanContext,
  PlanProblem,
  PreviewWindow,
  Recipe,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

/** A recipe with its own type of options, before that type is hidden behind `Recipe`. */
export interface RecipeDefinition<O extends Readonly<Record<string, unknown>>> {
  readonly slug: string
  readonly usesMoments: boolean
  readonly parse: (payload: unknown) => Result<O, OptionsProblem>
  readonly assetIds?: (options: O) => readonly string[]
  readonly plan: (
    source: SourceProbe,
    options: O,
    context: PlanContext,
  ) => Result<RecipePlan, PlanProblem>
  readonly timeline?: (
    source: SourceProbe,
    options: O,
    context: Pick<PlanContext, 'moments'>,
  ) => Result<readonly TimelinePassage[], PlanProblem>
  /** 3 s unless it says otherwise. */
  readonly previewLimitMs?: number
  /** The window lies inside the source and the limit. */
  readonly preview?: (
    source: SourceProbe,
    options: O,
    window: PreviewWindow,
    context: Pick<PlanContext, 'availableFilters'>,
  ) => Result<RecipePlan, PlanProblem>
}

/**
 * Makes a recipe that checks its payload and its source before it plans, so that no plan is built
 * on nonsense.
 */
export function defineRecipe<O extends Readonly<Record<string, unknown>>>(
  definition: RecipeDefinition<O>,
): Recipe {
  const {
    slug,
    usesMoments,
    parse,
    timeline,
    preview,
    previewLimitMs = PREVIEW_PICTURE_MS,
  } = definition
  const withOptions = <T>(
    source: SourceProbe,
    payload: unknown,
    then: (options: O) => Result<T, PlanProblem>,
  ): Result<T, PlanProblem> => {
    const options = parse(payload)
    if (!options.ok) return options
    return isUsable(source)
      ? then(options.value)
      : err({ code: 'recipe/source-unusable', message: 'This video has no picture we can edit.' })
  }
  return {
    slug,
    usesMoments,
    validate: parse,
    assetIds: (payload) => {
      const options = parse(payload)
      return options.ok ? [...new Set(definition.assetIds?.(options.value) ?? [])] : []
    },
    plan: (source, payload, context) =>
      withOptions(source, payload, (options) => definition.plan(source, options, context)),
    ...(timeline === undefined
      ? {}
      : {
          timeline: (
            source: SourceProbe,
            payload: unknown,
            context: Pick<PlanContext, 'moments'>,
          ) => withOptions(source, payload, (options) => timeline(source, options, context)),
        }),
    previewLimitMs,
    ...(preview === undefined
      ? {}
      : {
          preview: (
            source: SourceProbe,
            payload: unknown,
            window: PreviewWindow,
            context: Pick<PlanContext, 'availableFilters'> = {},
          ) =>
            withOptions(source, payload, (options) =>
              preview(source, options, windowInside(source, window, previewLimitMs), context),
            ),
        }),
  }
}

/**
 * For presets without options: no payload, or an empty one. Unknown fields are refused, so that a
 * typing error is not ignored.
 */
export function noOptions(payload: unknown): Result<Record<string, never>, OptionsProblem> {
  if (payload === undefined || payload === null) return ok({})
  const [field] = typeof payload === 'object' ? Object.keys(payload) : ['']
  return field === undefined
    ? ok({})
    : err({
        code: 'recipe/options-invalid',
        field: field === '' ? null : field,
        message: 'This format has no options.',
      })
}

function isUsable(source: SourceProbe): boolean {
  return (
    [source.durationMs, source.width, source.height].every(
      (value) => Number.isFinite(value) && value > 0,
    ) &&
    source.width >= 16 &&
    source.height >= 16 &&
    source.durationMs >= 100
  )
}
