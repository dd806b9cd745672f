import type { DeepFacts, Finding, SourceFacts } from '#checks/facts.ts'
import type { TrackFacts } from '#checks/tracks.ts'

/**
 * What this device knows of a chosen video before a byte is sent. Plain data: crosses workers,
 * lives in the database. Field names follow `SourceProbe` of recipes, which prices and plans are
 * made from.
 */
export interface VideoTrackReport extends Pick<
  NonNullable<SourceFacts['video']>,
  'dolbyVision' | 'immersive'
> {
  /** As the container numbers its tracks; left out = the first of the pictures. */
  readonly trackId?: number
  readonly codec: string
  readonly codecString: string | null
  readonly codedWidth: number
  readonly codedHeight: number
  /** As displayed: after rotation and pixel shape. */
  readonly displayWidth: number
  readonly displayHeight: number
  /** Clockwise degrees: 0, 90, 180 or 270. */
  readonly rotation: 0 | 90 | 180 | 270
  readonly frameRate: number | null
  readonly bitRate: number | null
  readonly isHdr: boolean | null
}

export interface AudioTrackReport {
  readonly codec: string
  readonly channels: number
  readonly sampleRate: number
}

export type { DeepFacts, Finding } from '#checks/facts.ts'

export interface ProbeReport extends TrackFacts, Pick<SourceFacts, 'unfit'> {
  readonly engine: 'mediabunny' | 'ffmpeg-wasm' | 'none'
  readonly container: string | null
  readonly mimeType: string | null
  readonly sizeBytes: number
  /** From the first picture on; null when unknown. */
  readonly durationMs: number | null
  /** How much of the file comes before its first picture; left out = nothing, or not known. */
  readonly pictureStartMs?: number
  readonly video: VideoTrackReport | null
  readonly audio: AudioTrackReport | null
  /** Of the deep check; absent until it was made. */
  readonly deep?: DeepFacts
  readonly findings: readonly Finding[]
  readonly tookMs: number
}

/** Why no report could be made. The first group is about the file, the second about this device. */
export type ProbeFailureCode =
  | 'probe/empty'
  | 'probe/gone'
  | 'probe/changed'
  | 'probe/not-media'
  | 'probe/incomplete'
  | 'probe/encrypted'
  | 'probe/no-video'
  | 'probe/dolby-vision'
  | 'probe/engine-unavailable'
  | 'probe/engine-crashed'
  | 'probe/timeout'
  | 'probe/cancelled'
export interface ProbeFailure {
  readonly code: ProbeFailureCode
  readonly facts?: Readonly<Record<string, string | number>>
}
