import type { ReadBytes } from './boxes.ts'
import { numberIn } from './bytes.ts'
import { tracksOfMovie } from './movie-tracks.ts'
import type { PictureTrack } from './picture-track.ts'
import { tracksOfSegment } from './segment-tracks.ts'

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
