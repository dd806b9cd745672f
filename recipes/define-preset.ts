import type { components } from '#openapi/schema.gen.ts'
import { checkChoice, wrongMoments, type MomentOptions, type MomentRule } from './moment-choice.ts'
import type { Drawing, MarkedDrawing } from './drawing.ts'
import { SMALLEST_SIDE_PX } from './picture.ts'
import { PREVIEW_PICTURE_MS, windowInside } from './preview-steps.ts'
import type { PricingStrategy } from './pricing.ts'
import { err, ok, type Result } from './result.ts'
import { onSteadySource } from './steady-source.ts'
import type { Recipe } from './recipe.ts'
import type {
  OptionsProblem,
  PlanContext,
  PlanProblem,
  PreviewContext,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

type Schemas = components['schemas']
/** Every preset that the contract knows. */
export type PresetSlug = Schemas['PresetSlug']

/** What the contract takes as the payload of a preset, read-only; nothing for a plain one. */
export type OptionsOf<S extends PresetSlug> =
  S extends Schemas['PlainTaskRequest']['mediaJobTaskPresetSlug']
    ? Readonly<Record<string, never>> | MomentOptions
    : Extract<Schemas['MediaJobTaskRequest'], { mediaJobTaskPresetSlug: S }> extends {
          payload: infer P
        }
      ? DeepReadonly<P>
      : never

type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** One preset as the catalogue lists it: plain data that can be stored and sent. */
export interface CataloguePreset {
  readonly slug: PresetSlug
  readonly name: string
  readonly description: string
  readonly tab: 'promotional' | 'full-scene'
  readonly badge: 'popular' | 'new' | null
  readonly hasOptions: boolean
  readonly pricingStrategies: readonly PricingStrategy[]
  readonly imageUrl: string
}

/** One preset: how the catalogue lists it, and what it does to a video. */
export interface DefinedPreset {
  readonly listing: CataloguePreset
  readonly recipe: Recipe
}

/** What creators read of a preset before they choose it. */
export interface PresetListing<S extends PresetSlug = PresetSlug> {
  readonly slug: S
  readonly name: string
  /** One or two sentences for the card, at least 30 characters. */
  readonly description: string
  readonly tab: CataloguePreset['tab']
  readonly badge?: 'popular' | 'new'
  readonly price: PricingStrategy
}

/**
 * What is wrong with options; `field` names the field of the payload, null where no single one is
 * at fault.
 */
export type OptionRefusal = Pick<OptionsProblem, 'field' | 'message'>

/** How the options of a preset are checked. */
export interface OptionRules<O> {
  /** Checks what came over the wire and fills in what was left out. */
  readonly parse: (payload: unknown) => Result<O, OptionsProblem>
  /** Set where the edit can be chosen without options: then no form has to ask for them. */
  readonly areOptional?: true
  /**
   * Why checked options cannot be ordered for a video of this length (null: not known yet), for the
   * form and the API alike; left out = they always can. A plan does not ask it: what was ordered
   * before a rule came is still made.
   */
  readonly refuse?: (options: O, sourceDurationMs: number | null) => OptionRefusal | null
  /** The most common choice. */
  readonly typical: O
  /**
   * What a form begins with for a video of this length (null: not known); left out = the most
   * common choice.
   */
  readonly propose?: (sourceDurationMs: number | null) => O
  /** Every option in use, where those need more of ffmpeg than the most common choice. */
  readonly full?: O
  /** Media assets that the options name. */
  readonly assetIds?: (options: O) => readonly string[]
  /** What those may be; left out = videos and images. */
  readonly assetKinds?: Recipe['assetKinds']
  /** Why an asset of these kinds cannot be shown; left out = all can. */
  readonly refuseAsset?: (probe: SourceProbe) => OptionRefusal | null
  /** Music that the options name. */
  readonly musicTrackIds?: (options: O) => readonly string[]
}

/** What a preset does to a video, with the type of its own options. */
export interface RecipeRules<O> {
  readonly needs: Recipe['needs']
  readonly options: OptionRules<O>
  readonly usesMoments: boolean
  /** Its plan reads `found` of the context; left out = it does not. */
  readonly keepsOffFaces?: boolean
  /** Of edits of passages, with plan, timeline and preview of it (`drawn`). */
  readonly drawing?: (
    source: SourceProbe,
    options: O,
    context: Pick<PlanContext, 'moments' | 'music'>,
  ) => Result<Drawing, PlanProblem>
  /** Of an edit that lays a mark over the whole video. */
  readonly markedDrawing?: (
    source: SourceProbe,
    options: O,
    isSmall: boolean,
  ) => Result<MarkedDrawing, PlanProblem>
  /** What it changes is lost in a small picture; left out = it is seen there too. */
  readonly isOfDetail?: boolean
  /** Every step of its plan that reads the source says which `pictures`; left out = some do not. */
  readonly isOfPictures?: boolean
  /** Of edits whose plan reads `divided` of the context; left out = it is made whole. */
  readonly segmentStepMs?: Recipe['segmentStepMs']
  readonly plan: (
    source: SourceProbe,
    options: O,
    context: PlanContext,
  ) => Result<RecipePlan, PlanProblem>
  /** Left out = the edit shows the whole source. */
  readonly timeline?: (
    source: SourceProbe,
    options: O,
    context: Pick<PlanContext, 'moments'>,
  ) => Result<readonly TimelinePassage[], PlanProblem>
  /**
   * Of edits whose moments can be chosen by hand, by options made `withMoments`; null where all of
   * this source is shown. A choice that does not fit never comes to `plan` and `timeline`.
   */
  readonly momentRule?: (source: SourceProbe, options: O) => MomentRule | null
  /** 3 s when left out. */
  readonly previewLimitMs?: number
  /** The window lies inside the source and the limit. Left out = the preset has no preview. */
  readonly preview?: (
    source: SourceProbe,
    options: O,
    window: PreviewWindow,
    context: PreviewContext,
  ) => Result<RecipePlan, PlanProblem>
}

/**
 * Makes a preset. Its recipe checks the payload and the source before it plans, so that no plan is
 * built on nonsense. The options' type must be what the contract takes for this slug.
 */
export function definePreset<S extends PresetSlug, O extends OptionsOf<S>>(
  definition: PresetListing<S> & RecipeRules<O>,
): DefinedPreset {
  return {
    listing: listingOf(
      definition,
      (definition.options as object) !== noOptions && definition.options.areOptional !== true,
    ),
    recipe: recipeOf(definition),
  }
}

/**
 * For presets without options: no payload, or an empty one. Unknown fields are refused, so that a
 * typing error is not ignored.
 */
export const noOptions: OptionRules<Readonly<Record<string, never>>> = {
  parse: (payload) => {
    if (payload === undefined || payload === null) return ok({})
    const [field] = typeof payload === 'object' ? Object.keys(payload) : ['']
    return field === undefined
      ? ok({})
      : err({
          code: 'recipe/options-invalid',
          field: field === '' ? null : field,
          message: 'This format has no options.',
        })
  },
  typical: {},
}

function listingOf(
  { slug, name, description, tab, badge, price }: PresetListing,
  hasOptions: boolean,
): CataloguePreset {
  return {
    slug,
    name,
    description,
    tab,
    badge: badge ?? null,
    hasOptions,
    pricingStrategies: [price],
    imageUrl: `/presets/${slug}.webp`,
  }
}

function recipeOf<S extends PresetSlug, O extends OptionsOf<S>>({
  slug,
  needs,
  options: rules,
  usesMoments,
  keepsOffFaces = false,
  drawing,
  markedDrawing,
  isOfDetail = false,
  isOfPictures = false,
  segmentStepMs,
  plan,
  timeline,
  momentRule,
  preview,
  previewLimitMs = PREVIEW_PICTURE_MS,
}: PresetListing<S> & RecipeRules<O>): Recipe {
  const withOptions = optionsFirst(rules, momentRule)
  return {
    slug,
    needs,
    usesMoments,
    keepsOffFaces,
    isOfDetail,
    isOfPictures,
    previewLimitMs,
    ...payloadRules(rules),
    ...(segmentStepMs !== undefined && { segmentStepMs }),
    ...(drawing !== undefined && {
      drawing: (source, payload, context) =>
        withOptions(source, payload, (options) => drawing(source, options, context)),
    }),
    ...(markedDrawing !== undefined && {
      markedDrawing: (source, payload, isSmall) =>
        withOptions(source, payload, (options) => markedDrawing(source, options, isSmall)),
    }),
    plan: (source, payload, context) =>
      withOptions(source, payload, (options) =>
        onSteadySource(plan(source, options, context), source),
      ),
    ...(timeline !== undefined && {
      timeline: (source, payload, context) =>
        withOptions(source, payload, (options) => timeline(source, options, context)),
    }),
    ...(momentRule !== undefined && {
      momentRule: ruleOfPayload(rules, momentRule),
    }),
    ...(preview !== undefined && {
      preview: (source, payload, window, context) =>
        withOptions(source, payload, (options) =>
          preview(source, options, windowInside(source, window, previewLimitMs), context),
        ),
    }),
  }
}

/** Does what needs checked options, of a source that can be edited. */
function optionsFirst<O extends object>(
  { parse }: OptionRules<O>,
  momentRule: RecipeRules<O>['momentRule'],
) {
  return <T>(
    source: SourceProbe,
    payload: unknown,
    then: (options: O) => Result<T, PlanProblem>,
  ): Result<T, PlanProblem> => {
    const options = parse(payload)
    if (!options.ok) return options
    if (!isUsable(source)) return err(UNUSABLE)
    const fits = fit(options.value, momentRule?.(source, options.value), source)
    return fits.ok ? then(options.value) : fits
  }
}

/** The rule for what came over the wire; null for an invalid payload. */
function ruleOfPayload<O>(
  { parse }: Pick<OptionRules<O>, 'parse'>,
  momentRule: NonNullable<RecipeRules<O>['momentRule']>,
): NonNullable<Recipe['momentRule']> {
  return (source, payload) => {
    const options = parse(payload)
    return options.ok && isUsable(source) ? momentRule(source, options.value) : null
  }
}

type PayloadRules = Pick<
  Recipe,
  | 'typicalPayload'
  | 'fullPayload'
  | 'proposedPayload'
  | 'dependsOnLength'
  | 'validate'
  | 'checkOrder'
  | 'assetIds'
  | 'assetKinds'
  | 'refuseAsset'
  | 'musicTrackIds'
>

/** The rules of the options as rules of what comes over the wire. */
function payloadRules<S extends PresetSlug, O extends OptionsOf<S>>({
  parse,
  refuse,
  typical,
  propose = () => typical,
  full = typical,
  assetIds,
  assetKinds = ['video', 'image'],
  refuseAsset = () => null,
  musicTrackIds,
}: OptionRules<O>): PayloadRules {
  return {
    typicalPayload: typical,
    fullPayload: full,
    proposedPayload: propose,
    dependsOnLength: refuse !== undefined,
    validate: parse,
    checkOrder: (payload, sourceDurationMs) => {
      const options = parse(payload)
      if (!options.ok) return options
      const refusal = refuse?.(options.value, sourceDurationMs) ?? null
      return refusal === null ? options : err({ code: 'recipe/options-invalid', ...refusal })
    },
    assetIds: (payload) => {
      const options = parse(payload)
      return options.ok ? (assetIds?.(options.value) ?? []) : []
    },
    assetKinds,
    refuseAsset,
    musicTrackIds: (payload) => {
      const options = parse(payload)
      return options.ok ? (musicTrackIds?.(options.value) ?? []) : []
    },
  }
}

/** Whether moments among the options are those of the edit, or what to do about it. */
function fit(
  options: object,
  rule: MomentRule | null | undefined,
  source: SourceProbe,
): Result<null, OptionsProblem> {
  const { moments }: MomentOptions = options
  if (moments === undefined) return ok(null)
  return rule === null || rule === undefined
    ? wrongMoments(
        'This edit shows all of your video, so there is nothing to choose. Please order it without chosen moments.',
      )
    : checkChoice(moments, rule, source.durationMs)
}

const UNUSABLE = {
  code: 'recipe/source-unusable',
  message: 'This file has no video that can be edited.',
} as const

function isUsable(source: SourceProbe): boolean {
  return (
    [source.durationMs, source.width, source.height].every(
      (value) => Number.isFinite(value) && value > 0,
    ) &&
    Math.min(source.width, source.height) >= SMALLEST_SIDE_PX &&
    source.durationMs >= 100
  )
}
