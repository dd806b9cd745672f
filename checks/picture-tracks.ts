import type { ReadBytes } from './boxes.ts'
import type { DolbyVision } from './dolby-vision.ts'
import { numberIn } from './ebml.ts'
import type { Immersive } from './immersive.ts'
import { tracksOfMovie } from './movie-tracks.ts'
import { tracksOfSegment } from './segment-tracks.ts'

/** What a file says of one video track beside its size and codec. */
export interface PictureTrack {
  /** As the container numbers its tracks. */
  readonly id: number
  readonly dolbyVision: DolbyVision | null
  /** Null where its picture is flat. */
  readonly immersive: Immersive | null
}

/** How every Matroska and WebM file begins. */
const EBML = 0x1a45dfa3

/**
 * The video tracks of an MP4, MOV, MKV or WebM in the order of the file; none of other files, and
 * none where the index cannot be found. Reads descriptions only, a few KB of a file of any size
 * (a mesh may have some hundred).
 */
export async function readPictureTracks(
  read: ReadBytes,
  sizeBytes: number,
): Promise<readonly PictureTrack[]> {
  const isSegment = numberIn(await read(0, 4), 0, 4) === EBML
  return await (isSegment ? tracksOfSegment(read, sizeBytes) : tracksOfMovie(read, sizeBytes))
}
