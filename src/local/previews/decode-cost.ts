import type { SourceProbe } from '#recipes/types.ts'

/**
 * How much longer than H.264 the engine of previews takes for a picture (measured with 4K: 22 ms,
 * HEVC 77 ms); what is not named takes as long.
 */
const CODEC_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['hevc', 2],
  ['vp9', 2],
])
/** Tone mapping: half as much again as the rest of the filters. */
const HDR_WEIGHT = 1.3
const USUAL_RATE = 30
/**
 * Bits of a pixel that these costs were measured with, and what each bit beyond costs, as pixels:
 * 60 Mbit/s of Full HD take 1.4 s a second, 8 Mbit/s 0.35 s.
 */
const USUAL_BITS = 0.2
const PIXELS_A_BIT = 3

type Cost = Pick<SourceProbe, 'width' | 'height' | 'frameRate' | 'videoCodec' | 'isHdr' | 'bitRate'>

/** What a second of a video costs to decode and filter for a preview, as pixels of H.264. */
export function pixelsASecond({
  width,
  height,
  frameRate,
  videoCodec,
  isHdr,
  bitRate = 0,
}: Cost): number {
  const pixels = width * height * Math.max(1, frameRate === 0 ? USUAL_RATE : frameRate)
  return (
    pixels * (CODEC_WEIGHTS.get(videoCodec) ?? 1) * (isHdr ? HDR_WEIGHT : 1) +
    Math.max(0, bitRate - pixels * USUAL_BITS) * PIXELS_A_BIT
  )
}
