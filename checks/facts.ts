/**
 * What the pre-checks look at, whoever measured it: the fast reader or ffmpeg in the browser,
 * ffprobe on the server. Plain data. Sizes are as displayed, times in milliseconds.
 */
export interface SourceFacts {
  readonly container: string | null
  readonly mimeType: string | null
  /** Start offset subtracted; null when unknown. */
  readonly durationMs: number | null
  readonly video: {
    readonly codec: string
    readonly displayWidth: number
    readonly displayHeight: number
    readonly frameRate: number | null
    readonly isHdr: boolean | null
  } | null
  readonly audio: { readonly codec: string } | null
  readonly videoTrackCount: number
  readonly audioTrackCount: number
}

/** How a file is put together, as far as it can be told from a few short reads. */
export interface SourceLayout {
  /** Null where the container has no such index. */
  readonly hasIndex: boolean | null
  readonly hasPayload: boolean
  readonly isFragmented: boolean
  readonly isEncrypted: boolean
  /** Share of the declared bytes that is not there, 0..1; null when it cannot be told. */
  readonly missingShare: number | null
}

/**
 * What a deep check found. Null everywhere means: not looked at, or this reader cannot
 * tell.
 */
export interface DeepFacts {
  /** Lowest and highest rate, in frames a second, of samples spread over the length. */
  readonly frameRates: { readonly lowest: number; readonly highest: number } | null
  /** At least so long; exact where the index lists every key frame. */
  readonly longestKeyGapMs: number | null
  /** Sound against picture; negative = the other way round. */
  readonly sound: { readonly startsLateMs: number; readonly endsEarlyMs: number } | null
  /** Short windows spread over the length; `clippedShare` is of all samples heard. */
  readonly loudness: {
    readonly windows: number
    readonly silent: number
    readonly clippedShare: number
  } | null
  /**
   * Of pictures taken at different frames: how many are black, and how many look like the one
   * before.
   */
  readonly pictures: {
    readonly looked: number
    readonly black: number
    readonly frozen: number
  } | null
  /** A place that could not be decoded. */
  readonly damagedAtMs: number | null
  readonly isInterlaced: boolean | null
  readonly hasLocation: boolean | null
  readonly hasDevice: boolean | null
  /** ISO time that the camera wrote. */
  readonly createdAt: string | null
}

/**
 * One pre-check that has something to say; `ruleId` names the rule, its words live with whoever
 * shows it.
 */
export interface Finding {
  readonly ruleId: string
  readonly verdict: 'info' | 'warn' | 'block'
  readonly facts: Readonly<Record<string, string | number>>
}

/** Nothing known. */
export const NO_DEEP_FACTS: DeepFacts = {
  frameRates: null,
  longestKeyGapMs: null,
  sound: null,
  loudness: null,
  pictures: null,
  damagedAtMs: null,
  isInterlaced: null,
  hasLocation: null,
  hasDevice: null,
  createdAt: null,
}
