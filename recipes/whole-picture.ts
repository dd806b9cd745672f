import { deliveryVideo, KEY_EVERY_MS, type FrameRate, type VideoGrade } from './encoding.ts'
import { isLittleLate } from './first-picture.ts'
import { fitInside, toStandardPicture } from './picture.ts'
import { ownTiming, picturesStay } from './picture-timing.ts'
import { segmentIn } from './segments.ts'
import type { PlanArg, PlanContext, PlanInput, PlanMask, PlanStep, SourceProbe } from './types.ts'

/** How an edit of the whole video takes the picture over. */
export interface WholePicture {
  /** ffmpeg's arguments for its stream, its filters and its encoder. */
  readonly args: readonly PlanArg[]
  readonly filters: readonly string[]
  readonly encoders: readonly string[]
  /** How the source is read. */
  readonly sourceFlags?: readonly string[]
  /**
   * What is laid over it, as the second input: a mask that the runner writes, or what steps make.
   */
  readonly cover?: {
    readonly mask?: PlanMask
    readonly input: PlanInput
    readonly steps?: readonly PlanStep[]
  }
  /** What is read of the picture where it is not the source. */
  readonly instead?: PlanInput
  /** Of a picture that can be made in segments: where they begin, as in `PictureTiming`. */
  readonly joints?: FrameRate | null
}

/** The picture of an edit of the sound alone: as it is, where every player can show it. */
export function wholePicture(
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters' | 'divided'>,
): WholePicture {
  return canKeepPicture(source) ? keptPicture(source) : newPicture(source, context)
}

/** `segmentStepMs` of an edit of the sound alone. */
export function wholePictureStepMs(source: SourceProbe): number | null {
  return canKeepPicture(source) ? null : KEY_EVERY_MS
}

/**
 * 8-bit H.264 4:2:0 plays everywhere, so encoding it again would only cost time and quality. Not
 * out of AVI, which does not say when its pictures show, and not where pictures stay for long
 * ([Note: when pictures are shown]), come before the first key frame ([Note: first picture]) or are
 * hidden by an edit list.
 */
function canKeepPicture(source: SourceProbe): boolean {
  return (
    !/\.(?:avi|divx)$/i.test(source.fileName) &&
    source.pictureLateMs === undefined &&
    source.pictureChanges !== true &&
    source.startsWithoutKey !== true &&
    source.hidesPictures !== true &&
    !picturesStay(source) &&
    source.videoCodec === 'h264' &&
    source.pixelFormat === 'yuv420p' &&
    !source.isHdr
  )
}

/**
 * Camcorders write date and place into the picture's own stream (SEI units, type 6 of H.264), which
 * no tag option removes.
 */
function keptPicture(source: SourceProbe): WholePicture {
  const sooner = isLittleLate(source) ? `,${FIRST_AT_ONCE}` : ''
  return {
    args: ['-map', '0:V:0', '-c:v', 'copy', '-bsf:v', `filter_units=remove_types=6${sooner}`],
    filters: [],
    encoders: [],
    // Pictures without times get them from their order.
    sourceFlags: ['-fflags', '+genpts'],
  }
}

/** Shows the first picture from the beginning on; the others keep their times. */
const FIRST_AT_ONCE =
  "setts=pts='if(eq(N\\,0)*gt(PTS\\,0)\\,0\\,PTS)':dts='if(eq(N\\,0)*gt(PTS\\,0)\\,DTS-PTS\\,DTS)'"

/**
 * The picture encoded for delivery, at its own size and timing.
 * @param cleaned filters on the standard picture, and how fine it is encoded after them
 */
export function newPicture(
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters' | 'divided'>,
  cleaned: {
    readonly chain: string
    readonly filters: readonly string[]
    readonly grade?: VideoGrade
  } | null = null,
): WholePicture {
  const size = fitInside(source, 3840, 3840)
  const standard = toStandardPicture(source, size, context)
  const timing = ownTiming(source, null, segmentIn(context))
  return {
    args: [
      '-map',
      '0:V:0',
      '-vf',
      `${timing.chain}${standard.chain}${cleaned === null ? '' : `,${cleaned.chain}`}${timing.after}`,
      ...deliveryVideo(size, cleaned?.grade),
      ...timing.args,
    ],
    filters: [...timing.filters, ...standard.filters, ...(cleaned === null ? [] : cleaned.filters)],
    encoders: ['libx264'],
    joints: timing.joints,
  }
}
