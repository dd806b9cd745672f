/** Where the copy of a video for its review and the strips of its faces are kept. */
export function faceFilesOf(uploadId: string): string {
  return `faces/${uploadId}`
}

/** Where the copy of a video for its review is kept. */
export function reviewCopyKeyOf(uploadId: string): string {
  return `${faceFilesOf(uploadId)}/review.mp4`
}

/** Where parts of a search that has not ended are kept. */
export function searchPartsOf(uploadId: string): string {
  return `${faceFilesOf(uploadId)}/search`
}

/** Where the strip of one track is kept. */
export function stripKeyOf(uploadId: string, trackId: string): string {
  return `${faceFilesOf(uploadId)}/strips/${trackId}.jpg`
}
