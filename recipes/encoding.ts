import type { PlanStep, SourceProbe } from './types.ts'

/** From one key frame of a delivered video to the next, at most. */
export const KEY_EVERY_MS = 2000

/**
 * Video for delivery. High profile 4:2:0 plays on every phone and is what networks take without
 * converting again; veryfast at CRF 20 is the best size for the time on the two cores a small
 * server has; a key frame every 2 s at most keeps seeking quick. The rate is capped at 6 bits a
 * pixel and second (1080p: 12 Mbit/s), because grain can otherwise make a minute larger than
 * networks accept.
 */
export function deliveryVideo(
  size: PictureSize,
  { crf, bitsOfPixel }: VideoGrade = { crf: 20, bitsOfPixel: 6 },
): readonly string[] {
  const capKbit = mostKbit(size, bitsOfPixel)
  return [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    String(crf),
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-maxrate',
    `${capKbit}k`,
    '-bufsize',
    `${capKbit * 2}k`,
    '-force_key_frames',
    `expr:gte(t,n_forced*${KEY_EVERY_MS / 1000})`,
    ...(size.width * size.height > FULL_HD_PIXELS ? fewPicturesAtOnce : []),
    ...withoutEncoder,
  ]
}

/** The highest bit rate of pictures of this size, in kbit/s. */
export function mostKbit({ width, height }: PictureSize, bitsOfPixel = 6): number {
  return Math.max(3000, Math.round((width * height * bitsOfPixel) / 1000))
}

interface PictureSize {
  readonly width: number
  readonly height: number
}

/** How fine a picture is encoded. */
export interface VideoGrade {
  readonly crf: number
  /** The most in each second. */
  readonly bitsOfPixel: number
}

/** Larger pictures are encoded with the settings that keep memory small. */
const FULL_HD_PIXELS = 2_300_000

/**
 * x264 holds some forty frames, and a 4K frame takes 20 MB with all that belongs to it: 1.1 GB for
 * one edit. Sliced threads, a shorter lookahead and one B-frame halve that.
 */
const fewPicturesAtOnce = [
  '-rc-lookahead',
  '5',
  '-bf',
  '1',
  '-x264-params',
  'sliced-threads=1:sync-lookahead=0',
] as const

/**
 * Takes out what x264 writes of itself: a unit with its version and all settings within the
 * pictures (SEI, type 6 of H.264), and its name in the header, in whose place the standard's own
 * words stand (ISO/IEC 14496-15).
 */
export const withoutEncoder = [
  '-bsf:v',
  'filter_units=remove_types=6',
  '-metadata:s:v:0',
  'encoder=AVC Coding',
] as const

/** Sound for delivery: what every player and network takes. */
export const deliveryAudio = ['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'] as const

/**
 * Sound between two steps: uncompressed, because an AAC piece starts with padding that would shift
 * each joint by 21 ms.
 */
export const intermediateAudio = ['-c:a', 'pcm_s16le', '-ar', '48000', '-ac', '2'] as const

/**
 * The outputs of a filter graph: its [v], its [a] where there is sound, and no trace of the source.
 */
export function fromGraph(
  graph: string,
  { hasAudio, hasPicture = true }: { readonly hasAudio: boolean; readonly hasPicture?: boolean },
): readonly string[] {
  const picture = hasPicture ? ['-map', '[v]'] : []
  const sound = hasAudio ? ['-map', '[a]'] : []
  return ['-filter_complex', graph, ...picture, ...sound, ...withoutTraces]
}

/**
 * Takes titles, places, device names and chapters of the source out of the output, and our own
 * version string with them; `-sn -dn` because phones put their position into data tracks.
 */
export const withoutTraces = [
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  '-sn',
  '-dn',
  '-fflags',
  '+bitexact',
  '-flags:v',
  '+bitexact',
  '-flags:a',
  '+bitexact',
] as const

/**
 * MP4 with its index first, so that it plays while it loads. The time scale is exact for 24, 25,
 * 30, 50 and 60 fps and their NTSC kin.
 */
export const deliveryMp4 = [
  '-movflags',
  '+faststart',
  '-video_track_timescale',
  '90000',
  '-f',
  'mp4',
] as const

/**
 * JPEG stills. `2` is the finest grade that is not wasteful; the default Huffman tables are needed
 * because the optimal ones overflow the stack of ffmpeg.wasm (ffmpeg.wasm#768).
 */
export const jpegStill = [
  '-frames:v',
  '1',
  '-c:v',
  'mjpeg',
  '-q:v',
  '2',
  '-huffman',
  'default',
  '-f',
  'image2',
  '-update',
  '1',
] as const

/** A still without loss. */
export const pngStill = ['-frames:v', '1', '-c:v', 'png', '-f', 'image2', '-update', '1'] as const

/**
 * Speech and music at the loudness networks play at (EBU R128; -16 LUFS is the usual target for
 * phones).
 */
export const evenLoudness = 'loudnorm=I=-16:TP=-1.5:LRA=11,aresample=48000'

/** What a step needs, without repeats. */
export function needs(filters: readonly string[], encoders: readonly string[]): PlanStep['needs'] {
  return { filters: [...new Set(filters)], encoders: [...new Set(encoders)] }
}

/** A number of pictures a second, also as ffmpeg writes it. */
export interface FrameRate {
  readonly text: string
  readonly value: number
}

/**
 * The constant frame rate of a shortened edit: the source's own up to 30, an
 * even fraction of faster ones, so that motion stays regular (60 -> 30, 50 -> 25, 120 -> 30), and a
 * multiple of those below 10, so that cuts and fades have their places (1 -> 10, 6 -> 12). A source
 * that leaves pictures out gets the rhythm of the others: at its average, every edit would both
 * repeat and drop pictures. Unusable rates become 25.
 * @param most another limit than 30, with room for a camera that is a little too fast
 */
export function steadyFrameRate(
  source: Pick<SourceProbe, 'frameRate' | 'nominalRate'>,
  most = 30.5,
): FrameRate {
  const rate = source.nominalRate ?? source.frameRate
  const given = Number.isFinite(rate) && rate > 0 ? rate : 25
  const divided = (given * Math.ceil(LEAST_RATE / given)) / Math.ceil(given / most)
  const known =
    standardRates.find((rate) => Math.abs(rate.value - divided) / rate.value < 0.0005) ??
    standardRates.find((rate) => Math.abs(rate.value - divided) / rate.value < 0.012)
  if (known !== undefined) return known
  const value = Math.round(divided * 100) / 100
  return { text: String(value), value }
}

/** The lowest constant rate of an edit, in pictures a second. */
export const LEAST_RATE = 10

/**
 * The highest rate of an edit that keeps the times of its source: a faster one only makes the file
 * larger. There is room for a camera that is a little too fast.
 */
export const MOST_RATE = 61

const standardRates = [
  { text: '24000/1001', value: 24_000 / 1001 },
  { text: '24', value: 24 },
  { text: '25', value: 25 },
  { text: '30000/1001', value: 30_000 / 1001 },
  { text: '30', value: 30 },
  { text: '48', value: 48 },
  { text: '50', value: 50 },
  { text: '60000/1001', value: 60_000 / 1001 },
  { text: '60', value: 60 },
] as const
