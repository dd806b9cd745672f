import { SECOND_MS } from '#src/lib/time.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import type { Trim } from '#src/local/uploads/page/trim.ts'
import { lengthWords } from '#src/lib/time-words.ts'

/** '0:40 to 31:10'. */
export function rangeWords({ fromMs, toMs }: Trim): string {
  return `${lengthWords(fromMs)} to ${lengthWords(toMs)}`
}

/** 'only 0:40 to 31:10', as it stands beside the name of a file. */
export function onlyWords(trim: Trim): string {
  return `only ${rangeWords(trim)}`
}

/**
 * How long the video of a job is, and which part of the file it is where only that was sent. Null
 * until its length is measured.
 * @returns '30:30, only 0:40 to 31:10 of the file'
 */
export function videoLengthWords({
  videoDuration,
  videoTrim,
}: Pick<MediaJob, 'videoDuration' | 'videoTrim'>): string | null {
  if (videoDuration === null) return null
  const length = lengthWords(videoDuration)
  return videoTrim == null ? length : `${length}, ${onlyWords(videoTrim)} of the file`
}

/** The name of a file with what is sent of it: 'beach.mp4 (only 0:40 to 31:10)'. */
export function nameWithTrim(name: string, trim: Trim | undefined): string {
  return trim === undefined ? name : `${name} (${onlyWords(trim)})`
}

/** A place in a video, to the tenth where it lies between seconds: '0:40', '0:38.4', '1:02:03'. */
export function trimPlaceWords(ms: number): string {
  const tenths = Math.round(ms / 100)
  const rest = tenths % 10
  const seconds = lengthWords(((tenths - rest) / 10) * SECOND_MS)
  return rest === 0 ? seconds : `${seconds}.${rest}`
}
