/**
 * What a Dolby Vision stream says of itself (Dolby Vision streams within the ISO base media file
 * format, 2.2).
 */
export interface DolbyVision {
  readonly profile: number
  /**
   * What its base layer is without Dolby's data: 0 = nothing that others show, 1 = HDR10, 2 = SDR,
   * 4 = HLG, 6 = HDR10 of discs.
   */
  readonly compatibility: number
}

/** Boxes, and names of block additions in Matroska, that hold such a record. */
export const DOLBY_VISION_RECORDS: ReadonlySet<string> = new Set(['dvcC', 'dvvC', 'dvwC'])

/** The record in the body of one of these boxes; null where it is cut off. */
export function dolbyVisionIn(record: Uint8Array): DolbyVision | null {
  const [, , high, , compatibility] = record
  return high === undefined || compatibility === undefined
    ? null
    : { profile: high >> 1, compatibility: compatibility >> 4 }
}

/**
 * Profiles whose base layer always is one that others show: SDR, HDR10, SDR. Old records of them
 * leave out which.
 */
const ALWAYS_COMPATIBLE: ReadonlySet<number> = new Set([4, 7, 9])

/**
 * Whether nothing but Dolby's own decoders shows the colours of this video. Its pictures are stored
 * as IPT, which every other decoder takes for YUV: green and purple.
 * @param isHdr the picture itself names the curve of HDR10 or HLG, so it is one of them
 */
export function lacksStandardColors(
  { profile, compatibility }: DolbyVision,
  isHdr: boolean | null,
): boolean {
  if (profile === 5) return true
  return compatibility === 0 && !ALWAYS_COMPATIBLE.has(profile) && isHdr !== true
}
