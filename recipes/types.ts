/**
 * The language between recipes and who runs them: what is known of a video, and what a plan says.
 * It is one file because its words explain each other, and it holds types only, so that nothing is
 * loaded by it. What a recipe offers is in `recipe.ts`.
 */
import type { Cover, FaceTrack } from './face-cover/types.ts'

/**
 * What is known of the uploaded video. Sizes are as displayed, after rotation; `fileName` only
 * names the outputs.
 */
export interface SourceProbe {
  /** Of a file with several tracks of a kind: which ones all else is of; left out = the first. */
  readonly tracks?: TakenTracks
  readonly durationMs: number
  readonly width: number
  readonly height: number
  /** Pictures a second on average. */
  readonly frameRate: number
  /**
   * Pictures a second where the camera kept its rhythm, for sources that leave pictures out; left
   * out = as on average.
   */
  readonly nominalRate?: number
  /** Each picture is two fields of different times, which comb where something moves. */
  readonly isInterlaced?: boolean
  /** Which field of each picture was taken first, where its pictures were looked at and combed. */
  readonly fieldOrder?: 'top' | 'bottom'
  /**
   * By how much each picture comes later than it is meant to: AVI stores pictures in the order of
   * their decoding and without times, so those of a stream out of order come late, while its sound
   * does not. Left out = not at all.
   */
  readonly pictureLateMs?: number
  /** How much of the file comes before its first picture; left out = nothing. */
  readonly pictureStartMs?: number
  /**
   * The first picture that is shown is none that decoding can begin with, or its file says so. A
   * copy leaves out all pictures before the first key frame.
   */
  readonly startsWithoutKey?: boolean
  /** Edit lists hide pictures in its middle or behind its end, which a copy would show. */
  readonly hidesPictures?: boolean
  /**
   * The longest that one picture is shown, also the last one, in milliseconds; left out = not
   * known.
   */
  readonly longestStayMs?: number
  /** Whether its sound begins and ends with its picture; left out = not known. */
  readonly soundFits?: boolean
  readonly hasAudio: boolean
  readonly videoCodec: string
  readonly audioCodec: string | null
  readonly audioChannels: number
  /**
   * Its AAC stands in frames of ADTS, as in MPEG-TS. One damaged frame ends a copy of it into an
   * MP4, where a decoder only leaves it out.
   */
  readonly isAdts?: boolean
  /**
   * How much earlier ffmpeg has to begin so that it can show a place of the video: of MPEG-TS and
   * MPEG-PS it knows no key frames, and a seek shows nothing before the next one. Left out = it
   * begins at the key frame before a place by itself.
   */
  readonly leadMs?: number
  /**
   * Its pictures are stored in another way, or in another size, from some place on. One file says
   * once how its pictures are stored, so a copy of them would show the later ones wrong.
   */
  readonly pictureChanges?: boolean
  /**
   * How loud the difference of both channels is against their sum, in dB, where only music plays
   * ([Note: width of a sound]); left out = not known.
   */
  readonly soundWidthDb?: number
  /** How much grain its pictures have, in steps of 255 ([Note: grain]); left out = not known. */
  readonly grain?: number
  readonly pixelFormat?: string
  /** Of an image whose format has transparency; left out = not looked at. */
  readonly drawn?: DrawnPart
  /**
   * How brightness and colour are stored: as the file says, or as its size suggests where it says
   * nothing. Left out = not known, or none of these.
   */
  readonly colorMatrix?: 'bt709' | 'bt601' | 'bt2020'
  readonly isHdr: boolean
  /**
   * The number of its track, as its container counts, where that says how to look at a picture that
   * is not flat, such as VR180; edits of the whole video say it too. Left out = flat.
   */
  readonly immersiveTrack?: number
  /** Of the whole file, bits a second; left out = not known. */
  readonly bitRate?: number
  readonly fileName: string
}

/**
 * The part of an image beside which it is wholly transparent, as shares of its sides; without width
 * and height where all of it is.
 */
export interface DrawnPart {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Nothing of the whole image can be seen through. */
  readonly isOpaque: boolean
}

/** Which of the pictures, and which of the sounds of a file are used, counted from 0. */
export interface TakenTracks {
  readonly picture: number
  readonly sound: number
}

/**
 * What a stretch of the source shows:
 * - `lively`: something moves; `calm`: a little does; `still`: nothing
 * - `dark`, `soft`: too dark or too blurred to show; `title`: letters on a ground
 * - `black`: nothing to be seen, also white
 * - `unseen`: only its packets are known
 */
export type MomentKind =
  | 'lively'
  | 'calm'
  | 'still'
  | 'dark'
  | 'soft'
  | 'title'
  | 'black'
  | 'unseen'

/**
 * A stretch of the source without a cut, at most some seconds long. Stretches do not overlap;
 * between two of them there may be a hole in which a cut lies.
 */
export interface Moment {
  readonly atMs: number
  readonly lengthMs: number
  readonly shows: MomentKind
  /** 0..1 among all of the source; of what is unseen, how large its packets are. */
  readonly score: number
  /** A cut is right before it. */
  readonly startsShot: boolean
  /** Where its sharpest picture is. */
  readonly stillMs: number
  /** Of its sharpest picture, for `likenessBetween`; '' where it is unseen. */
  readonly likeness: string
  /** Even its sharpest picture is blurred, beside others of the shot; left out = not. */
  readonly isBlurred?: boolean
  /** Where in the picture something moves, for `placeToCrop`; left out = not known. */
  readonly action?: string
  /** Where heads are, for `readHeads`: '' = there is no face; left out = not known. */
  readonly heads?: string
  /** How badly an edit frames its heads, 0 to 1, as `withFraming` says; never stored. */
  readonly fault?: number
}

/** A media asset that an option names. For an image, `probe.durationMs` is 0. */
export interface AssetSource {
  readonly id: string
  readonly kind: 'video' | 'image'
  readonly probe: SourceProbe
}

/** Where the beats of a piece of music lie, from its first sample on. */
export interface Beats {
  readonly perMinute: number
  readonly firstMs: number
}

/** A track of the server's list that an option names. */
export interface MusicSource {
  readonly id: string
  /** Null where the list does not say it; the track is then repeated as a player does. */
  readonly durationMs: number | null
  /** Null where the list does not say them and none are heard: cuts then follow no music. */
  readonly beats: Beats | null
}

/**
 * A file whose path only the runner knows. Scratch files and outputs live in the runner's folder of
 * this attempt.
 */
export type PlanPlace =
  | { readonly kind: 'source' }
  | { readonly kind: 'asset'; readonly id: string }
  | { readonly kind: 'music'; readonly id: string }
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
  | string
  | PlanPlace
  | { readonly kind: 'filter'; readonly parts: readonly (string | PlanPlace | PlanGain)[] }

/**
 * How much louder the sound that an earlier step measured has to become, as the filter `volume`
 * takes it (`-3.20dB`).
 */
export interface PlanGain {
  readonly kind: 'gain'
  /** The step with the tool `loudness-meter`. */
  readonly of: string
}

/** A file that ffmpeg reads, and how much of it. */
export interface PlanInput {
  readonly from: PlanPlace
  /** Where reading begins; left out = at the start, with no seek. */
  readonly seekMs?: number
  /** How much before it reading begins; what comes before the place is only decoded. */
  readonly leadMs?: number
  /** How much is read from there; left out = all of it. */
  readonly durationMs?: number
  /** ffmpeg's other options for this input: `['-f', 'concat']`. */
  readonly flags?: readonly string[]
  /**
   * What of its file `V:0` and `a:0` are in the arguments; left out = the first of each. The runner
   * sets it for the source.
   */
  readonly tracks?: TakenTracks
  /** All that is read of it, where that is pictures alone and any decoder may give them. */
  readonly pictures?: ReadPictures
}

/** Pictures of a video as a run reads them: upright, with square pixels, in video range. */
export interface ReadPictures {
  /** Of the whole picture, before a part of it is cut out. */
  readonly size: { readonly width: number; readonly height: number }
  /** Null = the first picture from the place on. */
  readonly frameRate: { readonly text: string; readonly value: number } | null
  readonly frames: number
}

/** What one run of ffmpeg reads and does; `printArgs` (recipes/print-args.ts) makes words of it. */
export interface PlanRun {
  /** In the order of ffmpeg's input numbers: `[0:V:0]` is the picture of the first. */
  readonly inputs: readonly PlanInput[]
  /** Everything after the inputs. Common flags (`-nostdin -v error …`) are the runner's. */
  readonly args: readonly PlanArg[]
}

/**
 * What runs a step where it is not ffmpeg that makes a file; of them previews have the voice filter
 * only.
 * - `loudness-meter`: ffmpeg, which makes no file. What it says of a sound becomes a `PlanGain` of
 *   the steps after it (`loudnessStep`).
 * - the others: programs of ours, confined as ffmpeg is, from one scratch file to another
 *   (`noiseStep`, `maskedSound`).
 */
export type PlanTool = 'loudness-meter' | PlanProgram

export type PlanProgram = 'noise-filter' | 'voice-filter'

/** One run of ffmpeg, or of `tool`. */
export interface PlanStep extends PlanRun {
  readonly id: string
  /**
   * Left out = ffmpeg, which makes the file that its arguments end with. Scratch files that it
   * leaves for later steps stand before that.
   */
  readonly tool?: PlanTool
  /**
   * How much output time ffmpeg's progress will report; 0 when it writes pictures and progress is
   * all or nothing.
   */
  readonly outputDurationMs: number
  /** Share of the whole plan's work, relative to the other steps. */
  readonly weight: number
  readonly needs: { readonly filters: readonly string[]; readonly encoders: readonly string[] }
  /** What a program of ours is told beside its arguments, which other users of the machine see. */
  readonly secret?: string
  /**
   * Skips the step while the file of this name, which an earlier step made, has at most `bytes`: a
   * search for the best settings within a limit is a row of such steps that write the same file,
   * each smaller. Left out = the step runs.
   */
  readonly skipWithin?: { readonly name: string; readonly bytes: number }
  /** What the step shows, for those who encode it in another way. */
  readonly loop?: DrawnLoop
}

/**
 * A muted clip that is repeated, of one passage: it shows what comes behind `fadeFrames` pictures,
 * and its end fades into these, or is followed by a cut.
 */
export interface DrawnLoop {
  readonly size: ReadPictures['size']
  readonly frameRate: NonNullable<ReadPictures['frameRate']>
  readonly matrix: 'bt709' | 'bt601'
  /** Of the passage. */
  readonly frames: number
  readonly fadeFrames: number
  readonly end: 'fade' | 'cut'
}

/** A text file the runner writes (UTF-8) into its folder before the first step. */
export interface PlanFile {
  readonly name: string
  readonly text: string
}

/**
 * A video that the runner writes into its folder before the first step: white where a cover hides
 * the picture, else black, as PNG pictures one after another (ffmpeg: `png_pipe`). Each is white
 * wherever something is hidden while it is shown. No preview has one.
 */
export interface PlanMask {
  readonly name: string
  readonly cover: Cover
  readonly size: { readonly width: number; readonly height: number }
  readonly frameRate: number
  /** Where in the source it begins. */
  readonly fromMs: number
  readonly durationMs: number
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
  /**
   * The track of the source that says how to look at its picture: the runner writes the same into
   * this MP4 after the last step. Left out = the picture is flat, or only a part of it is shown.
   */
  readonly immersiveTrack?: number
}

/**
 * What to do: run `steps` in order, each must succeed; then pack archives; then `outputs` exist.
 */
export interface RecipePlan {
  readonly files: readonly PlanFile[]
  readonly masks?: readonly PlanMask[]
  readonly steps: readonly PlanStep[]
  readonly outputs: readonly PlannedOutput[]
}

/** A stretch of an edit that is made in segments, in the edit's own times; null = to its end. */
export interface Segment {
  readonly fromMs: number
  readonly toMs: number | null
}

/** What a plan makes of an edit that is made in segments ([Note: segments] in `segments.ts`). */
export type Divided =
  | { readonly kind: 'segment'; readonly segment: Segment }
  /** All of it with its sound, from the files of its segments, which stand in the folder. */
  | { readonly kind: 'joined'; readonly segments: readonly Segment[] }

/** Everything a plan may depend on besides the source and the options. */
export interface PlanContext {
  /**
   * Result of the analysis; empty when it was not run or found nothing: the plan then spaces its
   * cuts evenly.
   */
  readonly moments: readonly Moment[]
  /** Every asset that `assetIds` named. */
  readonly assets: readonly AssetSource[]
  /** Every track that `musicTrackIds` named; left out = none. */
  readonly music?: readonly MusicSource[]
  /**
   * Filters that this ffmpeg has; left out = all that are asked for. Only used to choose between
   * two ways.
   */
  readonly availableFilters?: ReadonlySet<string>
  /** The same of its encoders. */
  readonly availableEncoders?: ReadonlySet<string>
  /** What the review of faces decided to cover; left out where no edit asks for it. */
  readonly faces?: Cover
  /** Faces that were found, for edits that keep off them; left out = not searched for. */
  readonly found?: readonly FaceTrack[]
  /**
   * 32 random bytes of this upload as 64 hexadecimal digits (recipes/secret.ts). What an edit hides
   * is changed by a transform that follows from them, so that no other person can make or undo it.
   * The server keeps them beside the upload; no answer, log or output holds them. A preview has
   * random ones of its own.
   */
  readonly secret: string
  /** Only where `divide` gave segments of this source; left out = the whole edit at once. */
  readonly divided?: Divided
}

/**
 * What a preview may depend on. Often it is made before the server has searched for moments; where
 * they are known, they say what is cut out of its picture.
 */
export type PreviewContext = Pick<PlanContext, 'availableFilters' | 'secret'> &
  Partial<Pick<PlanContext, 'moments'>>

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
  | { readonly code: 'recipe/music-missing'; readonly trackId: string; readonly message: string }
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
