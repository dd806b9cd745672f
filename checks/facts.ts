import type { DolbyVision } from './dolby-vision.ts'
import type { ImmersiveKind } from './immersive.ts'

/**
 * [Note: what is known of a video] Several types say what is known of a video, each for one reader:
 *
 * - `SourceFacts`, `SourceLayout` (this file): what the quick check judges. `quickFindings` makes
 *   findings of them.
 * - `DeepFacts` (this file): what the deep check measures during the upload. `deepFindings` makes
 *   findings of them.
 * - `ProbeReport` (src/local/probe/report.ts): all that this device knows. It has every field of
 *   `SourceFacts`, the tracks in detail, the `DeepFacts` once they are there, and the findings.
 * - `FileProbe` (server/src/media/file-probe.ts): the same from the server's ffprobe.
 * - `SourceProbe` (recipes/types.ts): what plans, previews and prices need. The device makes one
 *   from a report (`sourceProbeOf`); the server stores one with the upload.
 * - `KnownVideo` (unmet-needs.ts of the upload feature): length and sound, for what formats need.
 * - `Measured` (server/src/media/measures.ts): length and sound of an upload that is not complete.
 */

import type { TakenTracks } from '#recipes/types.ts'

/**
 * What the quick check looks at, the same from every reader: the fast reader or ffmpeg in the
 * browser, ffprobe on the server. Plain data. Sizes are as displayed, times in milliseconds.
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
    /** Null or left out = none, or not known. */
    readonly dolbyVision?: DolbyVision | null
    /** Null or left out = flat, or not known. */
    readonly immersive?: ImmersiveKind | null
  } | null
  readonly audio: { readonly codec: string } | null
  readonly videoTrackCount: number
  readonly audioTrackCount: number
  /** Which of the tracks the facts are of; left out = the first of each kind. */
  readonly taken?: TakenTracks
  /** The codec of a sound that no edit can decode; left out where there is none. */
  readonly unreadableSound?: string
  /** Why no edit can show it; left out where nothing says so. */
  readonly unfit?: 'sparse' | 'sound-changes'
  /** Between which the owner of the file chooses; left out where there is no choice. */
  readonly sounds?: readonly HeardSound[]
}

/** One of several sounds that are heard in a file. */
export interface HeardSound {
  /** Among all sounds of the file, from 0. */
  readonly number: number
  readonly codec: string
  readonly channels: number
  /** Null where the file does not say it. */
  readonly lengthMs: number | null
  /** ISO 639 or BCP 47; null where the file does not say it. */
  readonly language: string | null
  readonly title: string | null
}

/** How a file is put together, as far as a few short reads show. */
export interface SourceLayout {
  /** Null where the container has no such index. */
  readonly hasIndex: boolean | null
  readonly hasPayload: boolean
  readonly isFragmented: boolean
  readonly isEncrypted: boolean
  /** Share of the declared bytes that is not there, 0..1; null when unknown. */
  readonly missingShare: number | null
}

/**
 * What a deep check found. Null always means: not checked, or this reader cannot
 * know.
 */
export interface DeepFacts {
  /** Lowest and highest rate, in frames a second, of samples spread over the length. */
  readonly frameRates: { readonly lowest: number; readonly highest: number } | null
  /**
   * The longest gap that was seen, which may be shorter than the true one; exact where the index
   * lists every key frame.
   */
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
 * One pre-check that has something to say; `ruleId` names the rule, its words live in
 * `src/components/problem/probe-copy.ts`.
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
