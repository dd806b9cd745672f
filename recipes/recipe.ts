import type { Drawing, MarkedDrawing } from './drawing.ts'
import type { MomentRule } from './moment-choice.ts'
import type { Result } from './result.ts'
import type {
  AssetSource,
  OptionsProblem,
  PlanContext,
  PlanProblem,
  PreviewContext,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

/**
 * What one preset does to a video. All functions are pure; payloads are what came over the wire and
 * are checked inside.
 */
export interface Recipe {
  readonly slug: string
  readonly needs: {
    /**
     * Whether the edit changes the sound, so that a video without sound is refused; `wide` where it
     * also needs channels that differ (`hasWideSound`).
     */
    readonly sound: boolean | 'wide'
    /**
     * Shorter videos give less than the name promises: one piece of everything, or fewer or equal
     * pictures. Creators are warned of it. 0 = any length will do.
     */
    readonly minimumMs: number
  }
  /** The most common options, as a payload. */
  readonly typicalPayload: unknown
  /**
   * Options that need the most of ffmpeg: a server offers the edit where its ffmpeg can make them.
   */
  readonly fullPayload: unknown
  /** Whether the server should analyse the source for moments before it asks for a plan. */
  readonly usesMoments: boolean
  /** Whether its plan keeps off faces where they have been found; nothing is searched for it. */
  readonly keepsOffFaces: boolean
  /** What a form begins with for a source of this length; null = not known. */
  proposedPayload(sourceDurationMs: number | null): unknown
  /** Whether some options can be ordered for long sources only. */
  readonly dependsOnLength: boolean
  /** The payload with defaults filled in and text trimmed, ready to be stored. */
  validate(payload: unknown): Result<Readonly<Record<string, unknown>>, OptionsProblem>
  /**
   * The same where the edit can be ordered for a source of this length: it is refused where it
   * would show all of it, or nothing. Null = not known, then only what is wrong for every source is
   * refused. A plan is made also of what is refused here: it may have been ordered before the rule.
   */
  checkOrder(
    payload: unknown,
    sourceDurationMs: number | null,
  ): Result<Readonly<Record<string, unknown>>, OptionsProblem>
  /** Media assets the payload names, each as often as it is shown; empty for an invalid payload. */
  assetIds(payload: unknown): readonly string[]
  /** What these may be. */
  readonly assetKinds: readonly AssetSource['kind'][]
  /** Why the edit cannot show an asset of these kinds; null where it can. */
  refuseAsset(probe: SourceProbe): Pick<OptionsProblem, 'field' | 'message'> | null
  /** Tracks of the server's list that the payload names; empty for an invalid payload. */
  musicTrackIds(payload: unknown): readonly string[]
  /** What an edit of passages shows; absent where that is said by its plan alone. */
  drawing?(
    source: SourceProbe,
    payload: unknown,
    context: Pick<PlanContext, 'moments' | 'music'>,
  ): Result<Drawing, PlanProblem>
  /**
   * What an edit shows that lays a mark over the whole video; absent for all others. It knows of no
   * faces, and of no assets.
   * @param isSmall at 720p at most
   */
  markedDrawing?(
    source: SourceProbe,
    payload: unknown,
    isSmall: boolean,
  ): Result<MarkedDrawing, PlanProblem>
  /** What it changes is seen at the picture's own size only, so a sample shows the middle of it. */
  readonly isOfDetail: boolean
  /** Its plan reads nothing but `pictures` of the source, so a device can make it. */
  readonly isOfPictures: boolean
  /**
   * From one key frame to the next, where it is made in segments ([Note: segments] in
   * `segments.ts`); null for a source of which its picture is a copy, absent where it is only made
   * whole.
   */
  segmentStepMs?(source: SourceProbe): number | null
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
  /**
   * What moments must be that a creator chooses by hand, as the option `moments`; null where all of
   * this source is shown, and for an invalid payload. Absent where the edit takes no such choice.
   */
  momentRule?(source: SourceProbe, payload: unknown): MomentRule | null
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
   * - watermark: any place; the text is where the finished edit has it at that place, unless that
   *   keeps off a face, and stands for a logo too
   * - voice mask, incognito scene: any place; two outputs, `before.wav` and `after.wav`
   *
   * Absent where a preview would show nothing.
   */
  preview?(
    source: SourceProbe,
    payload: unknown,
    window: PreviewWindow,
    context: PreviewContext,
  ): Result<RecipePlan, PlanProblem>
}
