import type { FaceFinding } from '#recipes/face-cover/types.ts'
import type { Result } from '#recipes/result.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { FfmpegFailure } from '#server/media/run.ts'

/** A video in which faces are searched, and the empty folder that the search may use. */
export interface SearchedVideo {
  readonly path: string
  readonly source: SourceProbe
  readonly folder: string
  readonly signal: AbortSignal
  /** 0..1, never falling. */
  readonly onProgress: (ratio: number) => void
}

/** What finds faces in a video. Its finding keeps to `FACE_BOUNDS`. */
export interface FaceSearch {
  /** Rejects only when aborted. */
  find(video: SearchedVideo): Promise<Result<FaceFinding, SearchFailure>>
}

/** Why there is no finding; `fault` is the machine's, so that trying again can help. */
type SearchFailure = Pick<FfmpegFailure, 'code' | 'detail' | 'fault'>
