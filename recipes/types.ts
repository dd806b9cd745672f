import type { Result } from './result.ts'

/**
 * What is known of the uploaded video. Sizes are as displayed, after rotation; `fileName` only
 * names the outputs.
 */
export interface SourceProbe {
  readonly durationMs: number
  readonly width: number
  readonly height: number
  readonly frameRate: number
  readonly hasAudio: boolean
  readonly videoCodec: string
  readonly audioCodec: string | null
  readonly audioChannels: number
  readonly pixelFormat?: string
  readonly isHdr: boolean
  /**
   * Of the whole file, bits a second; left out = not known. Changes no plan, only how much of it a
   * preview shows.
   */
  readonly bitRate?: number
  readonly fileName: string
}

/**
 * One place in the source that the analysis looked at. `score` is 0..1, `brightness` 0..1,
 * `sharpness` 0..1 (1 = crisp).
 */
export interface Moment {
  readonly atMs: number
  readonly score: number
  readonly sceneStart?: boolean
  readonly brightness: number
  readonly sharpness?: number
}

/** A media asset that an option names. For an image, `probe.durationMs` is 0. */
export interface AssetSource {
  readonly id: string
  readonly kind: 'video' | 'image'
  readonly probe: SourceProbe
}

/**
 * A file whose path only the runner knows. Scratch files and outputs live in the runner's folder of
 * this attempt.
 */
export type PlanPlace =
  | { readonly kind: 'source' }
  | { readonly kind: 'asset'; readonly id: string }
  | { readonly kind: 'font'; readonly name: FontName }
  | { readonly kind: 'scratch'; readonly name: string }
  | { readonly kind: 'output'; readonly name: string }

/** Fonts that ship with the recipes: `recipes/fonts/<name>.ttf`. */
type FontName = 'watermark'

/**
 * One ffmpeg argument. A `filter` is a filter graph with paths in it: the runner must escape those
 * paths, which `printArgs` (recipes/print-args.ts) does; never join them by hand.
 */
export type PlanArg =
  string | PlanPlace | { readonly kind: 'filter'; readonly parts: readonly (string | PlanPlace)[] }

/** A file that ffmpeg reads, and how much of it. */
export interface PlanInput {
  readonly from: PlanPlace
  /** Where reading begins; left out = at the start, with no seek. */
  readonly seekMs?: number
  /** How much is read from there; left out = all of it. */
  readonly durationMs?: number
  /** ffmpeg's other options for this input: `['-f', 'concat']`. */
  readonly flags?: readonly string[]
}

/** What one run of ffmpeg reads and does; `printArgs` (recipes/print-args.ts) makes words of it. */
export interface PlanRun {
  /** In the order of ffmpeg's input numbers: `[0:V:0]` is of the first. */
  readonly inputs: readonly PlanInput[]
  /** Everything after the inputs. Common flags (`-nostdin -v error …`) are the runner's. */
  readonly args: readonly PlanArg[]
}

/** One run of ffmpeg that makes a file. */
export interface PlanStep extends PlanRun {
  readonly id: string
  /**
   * How much output time ffmpeg's progress will report; 0 when it writes pictures and progress is
   * all or nothing.
   */
  readonly outputDurationMs: number
  /** Share of the whole plan's work, relative to the other steps. */
  readonly weight: number
  readonly needs: { readonly filters: readonly string[]; readonly encoders: readonly string[] }
}

/** A text file the runner writes (UTF-8) into its folder before the first step. */
export interface PlanFile {
  readonly name: string
  readonly text: string
}

/** A file the user gets. */
export interface PlannedOutput {
  /** Name in the runner's folder. */
  readonly name: string
  readonly buttonText: string
  /**
   * What the user downloads: made from the source's name, ASCII letters, digits, dot, dash and
   * underscore only.
   */
  readonly fileName: string
  readonly contentType: string
  /** `audio` only in previews. */
  readonly kind: 'video' | 'gif' | 'image' | 'audio' | 'archive'
  /**
   * Only for `archive`: names of other outputs, which the runner packs under their `fileName`s
   * after the last step.
   */
  readonly members?: readonly string[]
}

/**
 * What to do: run `steps` in order, each must succeed; then pack archives; then `outputs` exist.
 */
export interface RecipePlan {
  readonly files: readonly PlanFile[]
  readonly steps: readonly PlanStep[]
  readonly outputs: readonly PlannedOutput[]
}

/** Everything a plan may depend on besides the source and the options. */
export interface PlanContext {
  /**
   * Result of the analysis; empty when it was not run or found nothing: the plan then spaces its
   * cuts evenly.
   */
  readonly moments: readonly Moment[]
  /** Every asset that `assetIds` named. */
  readonly assets: readonly AssetSource[]
  /**
   * Filters that this ffmpeg has; left out = all that are asked for. Only used to choose between
   * two ways.
   */
  readonly availableFilters?: ReadonlySet<string>
}

/**
 * Options that cannot be used. `message` is written for the creator; `field` is the payload's
 * field, when one is at fault.
 */
export interface OptionsProblem {
  readonly code: 'recipe/options-invalid'
  readonly field: string | null
  readonly message: string
}

/** Why no plan could be made. None of them gets better by trying again. */
export type PlanProblem =
  | OptionsProblem
  | { readonly code: 'recipe/asset-missing'; readonly assetId: string; readonly message: string }
  | { readonly code: 'recipe/source-unusable'; readonly message: string }

/**
 * What of the source a preview shows. It is brought inside the source and below the recipe's
 * `previewLimitMs`, never refused.
 */
export interface PreviewWindow {
  readonly startMs: number
  readonly durationMs: number
  /**
   * Name of the planned output to preview, for edits with several (a GIF of the pack); left out or
   * unknown = what `Recipe.preview` says.
   */
  readonly output?: string
}

/**
 * One passage of the source in an edit. At `outputStartMs + t` the output shows the source at
 * `startMs + t`, except where neighbours overlap: there they fade into each other.
 */
export interface TimelinePassage {
  readonly startMs: number
  /** The same as `startMs` for a still. */
  readonly endMs: number
  /** Counted after the intro, if there is one. */
  readonly outputStartMs: number
  /** Name of the planned output that shows it. */
  readonly output: string
}

/**
 * What one preset does to a video. All functions are pure; payloads are what came over the wire and
 * are checked inside.
 */
export interface Recipe {
  readonly slug: string
  readonly needs: {
    /** The edit changes the sound, so a video without sound is refused. */
    readonly sound: boolean
    /**
     * Shorter videos give less than the name promises: one piece of everything, or fewer or equal
     * pictures. Creators are warned of it. 0 = any length will do.
     */
    readonly minimumMs: number
  }
  /** The most common options, as a payload. */
  readonly typicalPayload: unknown
  /** Whether the server should analyse the source for moments before it asks for a plan. */
  readonly usesMoments: boolean
  /** The payload with defaults filled in and text trimmed, ready to be stored. */
  validate(payload: unknown): Result<Readonly<Record<string, unknown>>, OptionsProblem>
  /** Media assets the payload names, without repeats; empty for an invalid payload. */
  assetIds(payload: unknown): readonly string[]
  /** What to do to the whole source. */
  plan(source: SourceProbe, payload: unknown, context: PlanContext): Result<RecipePlan, PlanProblem>
  /**
   * Which passages of the source the plan for the same arguments shows, in the order of its outputs
   * and in the order in which each shows them; so a screen can draw them without running anything.
   * Assets need not be known. Absent where the edit shows the whole source.
   */
  timeline?(
    source: SourceProbe,
    payload: unknown,
    context: Pick<PlanContext, 'moments'>,
  ): Result<readonly TimelinePassage[], PlanProblem>
  /** Longest window that `preview` takes: 3 s of picture, 5 s of sound. */
  readonly previewLimitMs: number
  /**
   * The same edit of a few seconds at 480p or less by the same filters, runnable by ffmpeg.wasm
   * (`@ffmpeg/core` 0.12: only the encoders libx264, gif, png, aac, pcm_s16le and wrapped_avframe).
   * Its first frame is the source at the window's start. What a window means:
   * - teasers, tube cut, uniform sampling: one passage, usually one of the timeline's; a longer one
   *   is shown from its start
   * - GIF pack: the moment of `output`; without one, all its files of this moment
   * - still pack: the frame at the window's start; the length does not matter
   * - watermark: any place; the text is where the finished edit has it at that place
   * - voice mask: any place; two outputs, `before.wav` and `after.wav`
   *
   * Absent where a preview would show nothing.
   */
  preview?(
    source: SourceProbe,
    payload: unknown,
    window: PreviewWindow,
    context?: Pick<PlanContext, 'availableFilters'>,
  ): Result<RecipePlan, PlanProblem>
}
