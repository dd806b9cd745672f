/** What the longest and largest asset may be, the same before the upload and at the server. */
const VIDEO_MAX_MS = 30 * 60_000
const AUDIO_MAX_MS = 60 * 60_000
const IMAGE_MAX_PIXELS = 50_000_000
/** An edit costs the same whatever stands before and after it, so that there is an end. */
const TOGETHER_MAX_MS = VIDEO_MAX_MS

/** What is known of a file that should become an asset. Sizes are as displayed. */
interface AssetFile {
  readonly kind: 'video' | 'image' | 'audio'
  readonly durationMs: number
  readonly width: number
  readonly height: number
}

/** Why a file is too long or too large for an asset; the message is for the creator. */
export interface AssetRefusal {
  readonly code: 'too-long' | 'too-large'
  readonly message: string
}

/** The limit that the file exceeds; null when it can be an asset. Pure. */
export function refuseAsset(file: AssetFile): AssetRefusal | null {
  const longestMs = { video: VIDEO_MAX_MS, audio: AUDIO_MAX_MS, image: Infinity }[file.kind]
  if (file.durationMs > longestMs) {
    const what = file.kind === 'audio' ? 'Sounds' : 'Videos'
    return {
      code: 'too-long',
      message: `${what} that are used in edits may be up to ${longestMs / 60_000} minutes long. Please choose a shorter one.`,
    }
  }
  if (file.kind !== 'image' || file.width * file.height <= IMAGE_MAX_PIXELS) return null
  return {
    code: 'too-large',
    message: `This image is ${file.width} × ${file.height}. Up to ${IMAGE_MAX_PIXELS / 1_000_000} megapixels can be used. Please export a smaller version.`,
  }
}

/** Why the intros and outros of one edit are too long together; null when they may be chosen. */
export function refuseTogether(lengthsMs: readonly number[]): string | null {
  const totalMs = lengthsMs.reduce((sum, each) => sum + each, 0)
  return totalMs <= TOGETHER_MAX_MS
    ? null
    : `The intros and outros of one edit may take ${TOGETHER_MAX_MS / 60_000} minutes together. Please choose fewer or shorter ones.`
}
