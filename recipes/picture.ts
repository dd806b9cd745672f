import type { PlanContext, SourceProbe } from './types.ts'

/** A picture size in pixels; both sides even, as 4:2:0 video needs. */
export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The source's own shape inside a box that is turned for upright sources; never larger than the
 * source.
 */
export function fitInside(source: Size, longSide: number, shortSide: number): Size {
  const [maxWidth, maxHeight] =
    source.width >= source.height ? [longSide, shortSide] : [shortSide, longSide]
  const factor = Math.min(1, maxWidth / source.width, maxHeight / source.height)
  return { width: even(source.width * factor), height: even(source.height * factor) }
}

/**
 * The largest centred part of the source with the shape `width:height`, shrunk to that size; never
 * enlarged.
 */
export function cropTo(
  source: Size,
  width: number,
  height: number,
): { readonly crop: Size; readonly size: Size } {
  const factor = Math.min(source.width / width, source.height / height)
  const crop = { width: even(width * factor), height: even(height * factor) }
  return { crop, size: factor < 1 ? crop : { width: even(width), height: even(height) } }
}

/**
 * Rounds down to an even number of pixels, at least 2; a hair of tolerance, so that 1079.9999 stays
 * 1080.
 */
export function even(pixels: number): number {
  return Math.max(2, Math.floor(pixels / 2 + 1e-6) * 2)
}

/**
 * Filters that bring any source to 8-bit 4:2:0 with square pixels at this size. An HDR source is
 * tone-mapped when the filters for it exist; otherwise its colours come out pale, which is still
 * better than no edit.
 */
export function toStandardPicture(
  source: SourceProbe,
  size: Size,
  context: Pick<PlanContext, 'availableFilters'>,
): { readonly chain: string; readonly filters: readonly string[] } {
  const scale = `scale=${size.width}:${size.height}:flags=bicubic`
  const rest = 'setsar=1,format=yuv420p'
  const canToneMap = ['zscale', 'tonemap'].every(
    (filter) => context.availableFilters?.has(filter) ?? true,
  )
  if (!source.isHdr || !canToneMap)
    return { chain: `${scale},${rest}`, filters: ['scale', 'setsar', 'format'] }
  // Scaled first: tone mapping in floating point is the slow part. Linear light at 100 nits is what
  // `hable` expects.
  const toneMap =
    'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv'
  return {
    chain: `${scale},${toneMap},${rest}`,
    filters: ['scale', 'zscale', 'tonemap', 'setsar', 'format'],
  }
}

/**
 * The colour matrix to read an already standard picture with when it becomes RGB or JPEG. Recorders
 * often leave it unsaid; without this ffmpeg takes HD for SD and skin turns orange.
 */
export function matrixOf(
  source: Pick<SourceProbe, 'height' | 'width' | 'isHdr'>,
): 'bt709' | 'bt601' {
  return source.isHdr || Math.max(source.width, source.height) >= 1280 ? 'bt709' : 'bt601'
}
