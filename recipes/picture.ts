import type { PlanContext, SourceProbe } from './types.ts'

/** No edit is made of a picture with a shorter side. */
export const SMALLEST_SIDE_PX = 16

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
 * The largest part of the source with the shape of a size, shrunk to that size; never
 * enlarged.
 */
export function cropTo(
  source: Size,
  { width, height }: Size,
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
 * The filter that shows each picture when it is meant to, with a comma after it; nothing where it
 * is on time. It comes before all that counts pictures or times.
 */
export function onTime({ pictureLateMs = 0 }: Pick<SourceProbe, 'pictureLateMs'>): string {
  return pictureLateMs === 0 ? '' : `setpts=PTS-${(pictureLateMs / 1000).toFixed(6)}/TB,`
}

/** How brightness and colour of a picture are stored. */
export type Matrix = 'bt709' | 'bt601'

/**
 * Filters that bring any source to 8-bit 4:2:0 with square pixels at this size, whole pictures
 * instead of fields, and a tag that says its matrix. An HDR source is tone-mapped when the filters
 * for it exist; otherwise its colours come out pale, which is still better than no edit.
 * @param into the matrix of the result, where it stands beside other pictures; left out = that of
 *   `matrixOf`, or what each picture says (null) where nothing else is known
 */
export function toStandardPicture(
  source: SourceProbe,
  size: Size,
  context: Pick<PlanContext, 'availableFilters'>,
  into: Matrix | null = source.colorMatrix === undefined ? null : matrixOf(source),
): { readonly chain: string; readonly filters: readonly string[] } {
  const has = (filter: string): boolean => context.availableFilters?.has(filter) ?? true
  const whole = wholePictures(source, has)
  const fields = ofFields(source, context)
  const tag = into === null ? '' : `setparams=range=tv:colorspace=${tagOf(into)},`
  const rest = `${tag}setsar=1,format=yuv420p`
  const tagging = tag === '' ? [] : ['setparams']
  const own = [...whole, ...tagging, 'setsar', 'format']
  if (!source.isHdr || !['zscale', 'tonemap'].every(has)) {
    const matrix = into === null ? '' : `:${fromTo(storedMatrix(source), into)}`
    const { chain, filters } = scaledTo(source, size, matrix)
    return { chain: `${fields}${chain},${rest}`, filters: [...filters, ...own] }
  }
  const matrix = into === null ? '' : `scale=${fromTo('bt709', into)},`
  const { chain, filters } = scaledTo(source, size)
  // Scaled first: tone mapping in floating point is the slow part.
  return {
    chain: `${fields}${chain},${saysHdr(source)},${TONE_MAP},${matrix}${rest}`,
    filters: [...filters, ...own, 'setparams', 'zscale', 'tonemap'],
  }
}

/** The filters that make whole pictures of fields, each with a comma after it; none for others. */
export function ofFields(
  source: SourceProbe,
  { availableFilters }: Pick<PlanContext, 'availableFilters'>,
): string {
  const whole = wholePictures(source, (filter) => availableFilters?.has(filter) ?? true)
  return whole.map((filter) => `${oneSize(source)}${filter}=${fieldsOf(source)},`).join('')
}

/**
 * The filter that brings all pictures to one size, to stand before a filter that would read beyond
 * the smaller ones. It changes only pictures of another size than the first, and never their rows.
 */
function oneSize(source: SourceProbe): string {
  if (source.pictureChanges !== true) return 'scale,'
  const { chain } = scaledTo(source, { width: even(source.width), height: even(source.height) })
  return `${chain},setsar=1,`
}

/**
 * A smaller difference of shapes is the rounding of sides to even numbers: the picture is
 * stretched, so that no edge shows.
 */
const SAME_SHAPE = 0.02

/**
 * The filters that bring every picture to this size. Where pictures change within the video, those
 * of another shape than the first keep theirs, on black: `eval=frame`, because ffmpeg builds its
 * filters once.
 * @param options more of `scale`, each after a colon
 */
export function scaledTo(
  { pictureChanges }: Pick<SourceProbe, 'pictureChanges'>,
  { width, height }: Size,
  options = '',
): { readonly chain: string; readonly filters: readonly string[] } {
  const how = `flags=bicubic${options}`
  if (pictureChanges !== true)
    return { chain: `scale=${width}:${height}:${how}`, filters: ['scale'] }
  const side = (whole: number, other: string): string =>
    `'if(lt(abs(dar*${height}/${width}-1),${SAME_SHAPE}),${whole},max(2,trunc(min(${whole},${other})/2)*2))'`
  const [wide, high] = [side(width, `${height}*dar`), side(height, `${width}/dar`)]
  return {
    chain: `scale=${wide}:${high}:eval=frame:${how},pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=black:eval=frame`,
    filters: ['scale', 'pad'],
  }
}

/**
 * Linear light counts in units of 203 nits, the white of paper and faces in HDR video (ITU-R
 * BT.2408): it stays as bright as white in other video. `mobius` leaves everything below 0.8 of it
 * as it is, so that skin keeps its colour, and bends what is brighter, up to 1000 nits, into the
 * rest.
 */
const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=mobius:param=0.8:peak=4.93:desat=0,zscale=t=bt709:m=bt709:r=tv'

/**
 * How HDR video is stored (ITU-R BT.2100), for files that name only the curve: `zscale` refuses to
 * guess the rest.
 */
function saysHdr({ colorMatrix = 'bt2020' }: ColorFacts): string {
  const space = colorMatrix === 'bt2020' ? 'bt2020nc' : tagOf(colorMatrix)
  return `setparams=color_primaries=bt2020:colorspace=${space}`
}

/** The best filter there is that makes whole pictures of fields. */
function wholePictures(
  source: Pick<SourceProbe, 'isInterlaced'>,
  has: (filter: string) => boolean,
): readonly string[] {
  return source.isInterlaced === true ? ['bwdif', 'yadif'].filter(has).slice(0, 1) : []
}

/** Where the fields were seen, they count more than what each picture says of itself. */
function fieldsOf({ fieldOrder }: Pick<SourceProbe, 'fieldOrder'>): string {
  if (fieldOrder === undefined) return 'mode=send_frame:deint=interlaced'
  return `mode=send_frame:parity=${fieldOrder === 'top' ? 'tff' : 'bff'}:deint=all`
}

/** Pictures made of red, green and blue have no matrix of their own: ffmpeg then leaves it out. */
function fromTo(from: NonNullable<SourceProbe['colorMatrix']>, into: Matrix): string {
  return `in_color_matrix=${from}:out_color_matrix=${into}:out_range=tv`
}

/** ffmpeg's name of a matrix as a tag. */
function tagOf(matrix: Matrix): string {
  return matrix === 'bt709' ? 'bt709' : 'smpte170m'
}

/**
 * The filter that writes onto a standard picture how its colours are stored. Pieces that are joined
 * without encoding must say the same: players read it once, at the beginning of the file.
 */
export function saysMatrix(matrix: Matrix): string {
  const name = tagOf(matrix)
  return `setparams=range=tv:color_primaries=${name}:color_trc=${name}:colorspace=${name}`
}

/**
 * The colour matrix to read an already standard picture with: the source's own, or bt709 for one
 * that no edit keeps.
 */
export function matrixOf(source: ColorFacts): Matrix {
  const stored = storedMatrix(source)
  return stored === 'bt2020' ? 'bt709' : stored
}

type ColorFacts = Pick<SourceProbe, 'height' | 'width' | 'isHdr' | 'colorMatrix'>

function storedMatrix(source: ColorFacts): NonNullable<SourceProbe['colorMatrix']> {
  return source.colorMatrix ?? usualMatrix(source)
}

/**
 * The matrix of a video that does not say its own. Recorders often leave it out; without this
 * ffmpeg takes HD for SD and skin turns orange.
 */
export function usualMatrix({
  isHdr,
  width,
  height,
}: Omit<ColorFacts, 'colorMatrix'>): NonNullable<SourceProbe['colorMatrix']> {
  if (isHdr) return 'bt2020'
  return Math.max(width, height) >= 1280 ? 'bt709' : 'bt601'
}

/** Pixel formats in which a picture can be seen through, and the palette, whose colours can. */
const SEE_THROUGH = /^(?:yuva|ya\d|gbrap|rgba|bgra|argb|abgr|pal8)/

/** Whether a picture may be transparent in places, as logos are. */
export function hasAlpha({ pixelFormat }: Pick<SourceProbe, 'pixelFormat'>): boolean {
  return SEE_THROUGH.test(pixelFormat ?? '')
}

/**
 * Filters that put a picture on a grey ground, 0 (black) to 255. Without them its transparent parts
 * show whatever colour the pixels below happen to have. Once in a graph: its labels are fixed.
 * (`drawbox` with `replace` crashes ffmpeg 5.1 here.)
 */
export function onGround(grey: number): string {
  const ground = `lutrgb=r=${grey}:g=${grey}:b=${grey}:a=255`
  return `format=rgba,split[over][under];[under]${ground}[ground];[ground][over]overlay=format=rgb`
}
