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

/** Where the picture of a video is kept. */
export function thumbnailKeyOf(uploadId: string): string {
  return `thumbnails/${uploadId}.jpg`
}

/** Where the tiles of a video's moment board are kept. */
export function momentPicturesKeyOf(uploadId: string): string {
  return `moments/${uploadId}.jpg`
}

/** Where the stretches of a video's moment board are kept in motion. */
export function momentVideoKeyOf(uploadId: string): string {
  return `moments/${uploadId}.mp4`
}

/** Where the samples of a video are kept. */
export function samplesOf(uploadId: string): string {
  return `samples/${uploadId}`
}

/** Where the passage of a sample is kept, before or after its edit. */
export function sampleKeyOf(
  { id, uploadRequestId }: { readonly id: string; readonly uploadRequestId: string },
  side: 'before' | 'after',
): string {
  return `${samplesOf(uploadRequestId)}/${id}-${side}.mp4`
}

/** Where the short piece of an asset is kept. */
export function previewKeyOf(uploadId: string): string {
  return `previews/${uploadId}.mp4`
}

/** Where the results of an edit are kept, those of each attempt in a folder of its own. */
export function outputsOf(taskId: string): string {
  return `outputs/${taskId}`
}

/** Where the results of one attempt are kept. */
export function attemptOutputsOf({
  id,
  attempt,
}: {
  readonly id: string
  readonly attempt: number
}): string {
  return `${outputsOf(id)}/${attempt}`
}

/** Where the segments of an edit are kept until they are joined. */
export function segmentsOf(taskId: string): string {
  return `segments/${taskId}`
}
