/**
 * What may be opened at all. Names are ffmpeg's demuxers (`ffmpeg -demuxers`, 5.1). Everything that
 * can name other files or addresses is left out: playlists (hls, dash, concat, ffmetadata), image
 * sequences, scripts (lavfi), SVG.
 */
const VIDEO_FORMATS = [
  'mov',
  'mp4',
  'm4a',
  '3gp',
  '3g2',
  'mj2',
  'matroska',
  'webm',
  'avi',
  'mpegts',
  'mpeg',
  'flv',
  'asf',
  'mxf',
  'ogg',
  'gif',
  'dv',
  'h264',
  'hevc',
]
const AUDIO_FORMATS = ['mp3', 'wav', 'aac', 'flac', 'aiff', 'w64', 'caf']
const IMAGE_FORMATS = ['png_pipe', 'jpeg_pipe', 'webp_pipe', 'bmp_pipe', 'tiff_pipe', 'heif']

const IMAGES: ReadonlySet<string> = new Set([
  'image2',
  'png_pipe',
  'jpeg_pipe',
  'webp_pipe',
  'bmp_pipe',
  'tiff_pipe',
])

/**
 * Broadcast formats, in which ffmpeg takes a jump of the clock for a new clock and plays on without
 * the gap (its flag AVFMT_TS_DISCONT).
 */
const GAPS_CLOSED: ReadonlySet<string> = new Set(['mpegts', 'mpeg', 'ogg'])

export function closesGaps(formatName: string): boolean {
  return GAPS_CLOSED.has(formatName)
}

/** For inputs that the server wrote itself: files only. */
export const LOCAL_INPUT_FLAGS: readonly string[] = ['-protocol_whitelist', 'file,pipe']

/**
 * Must stand before every `-i` of a file from a user: no network, and no format that can reach
 * another file.
 */
export const HOSTILE_INPUT_FLAGS: readonly string[] = [
  ...LOCAL_INPUT_FLAGS,
  '-format_whitelist',
  [...VIDEO_FORMATS, ...AUDIO_FORMATS, ...IMAGE_FORMATS].join(','),
]

/**
 * The same for files whose path the server names: media assets and results. `image2` is the one
 * format that repeats a picture (`-loop`); its patterns in file names are no danger where the name
 * is ours.
 */
export const NAMED_INPUT_FLAGS: readonly string[] = [
  ...LOCAL_INPUT_FLAGS,
  '-format_whitelist',
  ['image2', ...VIDEO_FORMATS, ...AUDIO_FORMATS, ...IMAGE_FORMATS].join(','),
]

/** Whether a format name that ffprobe gave (`mov,mp4,...`) is a still picture. */
export function isImageFormat(formatName: string): boolean {
  return IMAGES.has(formatName)
}

/** Longest side that is edited: 8K. */
export const MAX_SIDE_PX = 8192
/** Longest source: a day is more than any camera records in one file. */
export const MAX_DURATION_MS = 24 * 60 * 60 * 1000
