import type { FaceFinding } from '#recipes/face-cover/types.ts'
import type { Result } from '#recipes/result.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Allowance } from '#server/media/allowance.ts'
import type { FfmpegFailure } from '#server/media/run.ts'

/** A video in which faces are searched, and the empty folder that the search may use. */
export interface SearchedVideo {
  readonly path: string
  readonly source: SourceProbe
  readonly folder: string
  readonly signal: AbortSignal
  /** Counts what the search takes; left out = nothing does. */
  readonly allowance?: Allowance | undefined
  /** 0..1, never falling. */
  readonly onProgress: (ratio: number) => void
}

/** Parts of a search that have ended, kept for the next attempt where a server ends in between. */
export interface KeptParts {
  /** What `keep` was given under this name, or null. */
  read(name: string): Promise<unknown>
  keep(name: string, part: unknown): Promise<void>
}

/** What finds faces in a video. Its finding keeps to `FACE_BOUNDS`. */
export interface FaceSearch {
  /**
   * Rejects when aborted, and as `kept` does.
   * @param kept left out = nothing is kept
   */
  find(video: SearchedVideo, kept?: KeptParts): Promise<Result<FaceFinding, FfmpegFailure>>
}
