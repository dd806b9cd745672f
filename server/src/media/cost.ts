import { availableParallelism } from 'node:os'
import { LEAST_PICTURES_PER_SECOND } from '#checks/quick-rules.ts'
import { LEAST_RATE } from '#recipes/encoding.ts'
import type { PlanStep, PlanTool, SourceProbe } from '#recipes/types.ts'
import type { AllowanceOptions } from '#server/media/allowance.ts'

/** What the pictures of a video cost: counted by packets, in the size in which they are stored. */
export interface PictureLoad {
  readonly pixelsPerPicture: number
  readonly picturesPerSecond: number
  /** Of the stored pictures. */
  readonly bitsPerSecond: number
}

/** The largest picture of HEVC and AV1 up to level 6.2: 8192 x 4352. */
const MAX_PICTURE_PIXELS = 35_651_584
/** Faster than any camera; the pre-check of the device takes no more either. */
const MAX_PICTURES_PER_SECOND = 480
/** What HEVC level 6.1 decodes in a second: 8192 x 4320 at 60. */
const MAX_PIXELS_PER_SECOND = 2_139_095_040
/**
 * Up to 4K at 30 a second, any file: a still picture takes almost no bytes. Beyond it a file has at
 * least a bit for a thousand pixels. Recordings of a screen have ten times that, cameras a hundred
 * times; without the rule, some kilobytes hold a processor as long as a film of 8K.
 */
const FREE_PIXELS_PER_SECOND = 250_000_000
const PIXELS_PER_BIT = 1000

/** Why a video has too few pictures to be edited, in words for the creator; else null. */
export function refuseSparse({ picturesPerSecond }: PictureLoad): string | null {
  return picturesPerSecond < LEAST_PICTURES_PER_SECOND
    ? 'This video has less than one picture in two seconds, so no edit can be made from it. Please export it with 24 pictures a second or more and upload that.'
    : null
}

/** Why a video costs more than any edit of it is worth, in words for the creator; else null. */
export function refuseLoad(load: PictureLoad): string | null {
  const { pixelsPerPicture, picturesPerSecond, bitsPerSecond } = load
  const pixelsPerSecond = pixelsPerPicture * picturesPerSecond
  if (pixelsPerPicture > MAX_PICTURE_PIXELS)
    return 'The picture of this video is larger than 8K. Please export a smaller version.'
  if (picturesPerSecond > MAX_PICTURES_PER_SECOND)
    return `This video has more than ${MAX_PICTURES_PER_SECOND} pictures a second. Please export it with 60 or fewer.`
  if (pixelsPerSecond > MAX_PIXELS_PER_SECOND)
    return 'This video is larger and faster than 8K with 60 pictures a second. Please export a smaller version.'
  return pixelsPerSecond > FREE_PIXELS_PER_SECOND + bitsPerSecond * PIXELS_PER_BIT
    ? 'This video has far larger or more pictures than its file has data for. Please export it as 1920 × 1080 with 30 pictures a second and upload that.'
    : null
}

/**
 * [Note: processor time] Each run may use processor time by what its plan reads and writes; then
 * the system ends it. The rates are a quarter of the slowest that we measured on a server of two
 * cores: pure noise of 250 Mbit/s decodes at 27 million pixels a second and encodes at 15 million,
 * HDR takes 36 million, ordinary video is ten times as fast. The quarter is for slower processors.
 * So no honest video comes near its limit, but one whose pictures are larger or more than it says
 * does.
 */
const READ_PIXELS_PER_CPU_S = 7_000_000
const WRITTEN_PIXELS_PER_CPU_S = 4_000_000
/** Sound is changed and encoded 30 times as fast as it plays. */
const SOUND_S_PER_CPU_S = 8
/**
 * The same of steps that are no edit by ffmpeg: a quarter of what was measured. The meter reads
 * without pictures, at four times the rate of samples; the filter has two channels to work on.
 */
const TOOL_S_PER_CPU_S: Readonly<Record<PlanTool, number>> = {
  'loudness-meter': 8,
  'noise-filter': 1.5,
  'voice-filter': 3,
}
/** Starting, opening the file and reading its index. */
const BASE_CPU_S = 20
/** A seek begins at the full picture before; encoders set one every ten seconds or more often. */
const KEY_GAP_MS = 10_000
/** One picture is read and written as a second of video: it comes with its neighbours. */
const MIN_SPAN_MS = 1000
/**
 * No recipe writes more pictures a second, nor larger ones than it reads; some write ten where the
 * source has one.
 */
const MAX_WRITTEN_RATE = 60
/** How often a second a still of an intro is read again. */
const STILL_RATE = 30

/** The heaviest of the files that a plan reads. */
export interface Footage {
  readonly pixelsPerPicture: number
  readonly picturesPerSecond: number
}

/** The largest picture and the highest rate of a source and the assets of its edit. */
export function heaviestOf(
  source: SourceProbe,
  assets: readonly { readonly probe: SourceProbe }[],
): Footage {
  const probes = [source, ...assets.map(({ probe }) => probe)]
  return {
    pixelsPerPicture: Math.max(...probes.map(({ width, height }) => width * height)),
    picturesPerSecond: Math.max(
      ...probes.map(({ frameRate, nominalRate = 0 }) =>
        Math.max(frameRate > 0 ? frameRate : STILL_RATE, nominalRate),
      ),
    ),
  }
}

/**
 * Seconds of processor time for a step whose inputs all have an end. A still ends with its picture,
 * however much of its inputs is left.
 */
export function stepCpuSeconds(
  { inputs, outputDurationMs, tool }: Pick<PlanStep, 'inputs' | 'outputDurationMs' | 'tool'>,
  { pixelsPerPicture, picturesPerSecond }: Footage,
): number {
  if (tool !== undefined)
    return Math.ceil(BASE_CPU_S + outputDurationMs / 1000 / TOOL_S_PER_CPU_S[tool])
  const longestMs = outputDurationMs > 0 ? Infinity : KEY_GAP_MS + MIN_SPAN_MS
  const readS =
    inputs
      .map(
        ({ seekMs = 0, leadMs = 0, durationMs = 0 }) =>
          Math.min(seekMs, Math.max(leadMs, KEY_GAP_MS)) +
          Math.min(Math.max(durationMs, MIN_SPAN_MS), longestMs),
      )
      .reduce((sum, each) => sum + each, 0) / 1000
  const writtenS = Math.max(outputDurationMs, MIN_SPAN_MS) / 1000
  const writtenRate = Math.min(Math.max(picturesPerSecond, LEAST_RATE), MAX_WRITTEN_RATE)
  return Math.ceil(
    BASE_CPU_S +
      (readS * pixelsPerPicture * picturesPerSecond) / READ_PIXELS_PER_CPU_S +
      (writtenS * pixelsPerPicture * writtenRate) / WRITTEN_PIXELS_PER_CPU_S +
      (readS + writtenS) / SOUND_S_PER_CPU_S,
  )
}

/** Two hours of video are searched in four minutes; a search that ends early uses what it found. */
const MAX_SEARCH_CPU_S = 240
/** Enough for the full pictures of an hour of ordinary video. */
const MIN_SEARCH_CPU_S = 30
/** Where every picture is a full one, all of them are decoded; ordinary video is faster. */
const SEARCHED_PIXELS_PER_CPU_S = 100_000_000
/** Video of full pictures only has a hundred times as many; a small file is none. */
const SEARCHED_BYTES_PER_CPU_S = 500_000

/** Wall time of a search: its processor is shared with other runs. */
export const SEARCH_MS_PER_CPU_S = 2000

/** Seconds of processor time for one look at a source for moments, by all its runs together. */
export function searchCpuSeconds(source: SourceProbe, sizeBytes: number): number {
  const { pixelsPerPicture, picturesPerSecond } = heaviestOf(source, [])
  const pixels = (source.durationMs / 1000) * pixelsPerPicture * picturesPerSecond
  const worthS = Math.min(pixels / SEARCHED_PIXELS_PER_CPU_S, sizeBytes / SEARCHED_BYTES_PER_CPU_S)
  return Math.min(MAX_SEARCH_CPU_S, MIN_SEARCH_CPU_S + worthS)
}

/** A second of video takes the face search a third of that on a usual server, whatever it shows. */
const FACE_CPU_S_PER_S = 8

/** Seconds of processor time for the face search in pictures that ffmpeg has made small. */
export function faceSearchCpuSeconds(durationMs: number): number {
  return BASE_CPU_S + (durationMs / 1000) * FACE_CPU_S_PER_S
}

/** A look for faces in one small picture takes a tenth of that on a usual server. */
const SMALL_PICTURE_CPU_S = 1.5

/** Seconds of processor time for looking for faces in so many pictures of a search for moments. */
export function smallPicturesCpuSeconds(pictures: number): number {
  return Math.ceil(BASE_CPU_S + pictures * SMALL_PICTURE_CPU_S)
}

/** A file up to here is small: its check has no more than the least that every check has. */
const SMALL_FILE_BYTES = 30_000_000
/** What most checks take is a second or two; with more than this, one is slow. */
const QUICK_CHECK_CPU_S = 4
/** Of all tools of one check together, and after it was quick for once: 30 s with both. */
const CHECK_CPU_S = 24
/** The slowest formats are taken apart at 200 MB a second, three times. */
const CHECKED_BYTES_PER_CPU_S = 5_000_000
/** Of one tool, beside the stacks of its threads, which are as many as the machine has cores. */
const SMALL_FILE_MEMORY_BYTES = 2 * 1024 ** 3
const STACKS_BYTES = 4 * 8 * 1024 ** 2 * availableParallelism()
/** Headers and packets of an hour take a hundredth of it; the index of a hostile file takes all. */
export const PROBE_MEMORY_BYTES = 2 * 1024 ** 3

/** What all tools that check one file may use together, by its size. */
export function checkLimits(
  sizeBytes: number,
): Pick<AllowanceOptions, 'cpuSeconds' | 'quickSeconds' | 'memoryBytes'> {
  const beyondBytes = Math.max(0, sizeBytes - SMALL_FILE_BYTES)
  return {
    cpuSeconds: CHECK_CPU_S + beyondBytes / CHECKED_BYTES_PER_CPU_S,
    quickSeconds: QUICK_CHECK_CPU_S,
    ...(beyondBytes === 0 ? { memoryBytes: SMALL_FILE_MEMORY_BYTES + STACKS_BYTES } : {}),
  }
}

/** Headers, thumbnails and checks of results: a few pictures at most. */
export const GLANCE_CPU_S = 30
/** The same on a disk that is slow or busy: ten times what the processor may take. */
export const GLANCE_WALL_MS = 300_000
