import { crossFadeInto, darkenInto } from './blend.ts'
import { emptyPlanes, packPlanes, planesOfPixels, toVideoRange, turned } from './planes.ts'
import type { Layout, Planes, RgbLayout, Turn } from './planes.ts'
import { createScaler, type Scaled } from './scale.ts'
import type { Crop } from '#recipes/crop-place.ts'
import type { FrameRate } from '#recipes/encoding.ts'
import type { Matrix, Size } from '#recipes/picture.ts'

/** How pictures of the source become pictures of the edit. */
export interface PictureShape {
  readonly size: Size
  readonly matrix: Matrix
  readonly turn: Turn
}

/** When a picture of the edit is shown, in microseconds. */
export interface PictureTime {
  readonly timestamp: number
  readonly duration: number
}

/** Of a picture by its number. */
export function shownAt(
  place: number,
  { frameRate }: { readonly frameRate: FrameRate },
): PictureTime {
  const at = (frame: number): number => Math.round((frame * 1e6) / frameRate.value)
  return { timestamp: at(place), duration: at(place + 1) - at(place) }
}

/** A picture that the browser gives in a way that its planes cannot be had. */
class UnknownPicture extends Error {
  override readonly name = 'UnknownPicture'
}

/** Makes pictures of the edit; each is the caller's to close. */
export interface Painter {
  /** The picture as it is. */
  plain(frame: VideoFrame, crop: Crop | undefined, shown: PictureTime): Promise<VideoFrame>
  /** `share` of the first, the rest of the second. */
  crossed(from: Painted, to: Painted, share: number, shown: PictureTime): Promise<VideoFrame>
  /** `share` of the picture, the rest black. */
  darkened(picture: Painted, share: number, shown: PictureTime): Promise<VideoFrame>
}

export interface Painted {
  readonly frame: VideoFrame
  readonly crop: Crop | undefined
}

export function createPainter(shape: PictureShape): Painter {
  const first = createPlaneReader(shape)
  const second = createPlaneReader(shape)
  const blended = emptyPlanes(shape.size)
  return {
    plain: async (frame, crop, shown) =>
      isAsWanted(frame, crop, shape)
        ? new VideoFrame(frame, shown)
        : frameOf(await first({ frame, crop }), shape, shown),
    crossed: async (from, to, share, shown) => {
      crossFadeInto(await first(from), await second(to), share, blended)
      return frameOf(blended, shape, shown)
    },
    darkened: async (picture, share, shown) => {
      darkenInto(await first(picture), share, blended)
      return frameOf(blended, shape, shown)
    },
  }
}

/** Whether a decoded picture can be encoded as it is, without a copy of it. */
function isAsWanted(
  {
    format,
    codedWidth,
    codedHeight,
    displayWidth,
    displayHeight,
    visibleRect,
    colorSpace,
  }: VideoFrame,
  crop: Crop | undefined,
  { size, matrix, turn }: PictureShape,
): boolean {
  const isWhole =
    visibleRect !== null &&
    visibleRect.width === size.width &&
    visibleRect.height === size.height &&
    displayWidth === size.width &&
    displayHeight === size.height
  const said = colorsOf(matrix)
  return (
    isOfPlanes(format) &&
    isWhole &&
    codedWidth >= size.width &&
    codedHeight >= size.height &&
    crop === undefined &&
    turn === 0 &&
    colorSpace.fullRange === false &&
    colorSpace.matrix === said.matrix &&
    colorSpace.primaries === said.primaries &&
    colorSpace.transfer === said.transfer
  )
}

/** What the edit says of its colours, as its plan does (`saysMatrix`). */
export function colorsOf(matrix: Matrix) {
  const name = matrix === 'bt709' ? 'bt709' : 'smpte170m'
  return { primaries: name, transfer: name, matrix: name, fullRange: false } as const
}

/** A picture of the edit. */
export function frameOf(
  planes: Planes,
  { matrix }: Pick<PictureShape, 'matrix'>,
  shown: PictureTime,
): VideoFrame {
  return new VideoFrame(planes.bytes, {
    format: 'I420',
    codedWidth: planes.width,
    codedHeight: planes.height,
    colorSpace: colorsOf(matrix),
    ...shown,
  })
}

/** Reads pictures one after another into the same memory: what it gives is good until the next. */
export function createPlaneReader(shape: PictureShape): (picture: Painted) => Promise<Planes> {
  let [bytes, packed] = [new Uint8Array(0), emptyPlanes({ width: 0, height: 0 })]
  const scalers = new Map<string, (planes: Planes) => Planes>()
  return async ({ frame, crop }) => {
    const { format, visibleRect } = frame
    if (visibleRect === null) throw new UnknownPicture()
    const rect = {
      x: visibleRect.x,
      y: visibleRect.y,
      width: evenPart(visibleRect.width),
      height: evenPart(visibleRect.height),
    }
    const size = frame.allocationSize({ rect })
    if (bytes.byteLength !== size) bytes = new Uint8Array(size)
    const planes = await frame.copyTo(bytes, { rect })
    // A picture of 4K has 12 MB: what is laid out without gaps is not copied again.
    if (isPacked({ format, planes }, rect)) packed = { ...sizeOf(rect), bytes }
    else if (packed.bytes === bytes || !isOfSize(packed, rect)) packed = emptyPlanes(sizeOf(rect))
    if (isOfPlanes(format)) {
      if (packed.bytes !== bytes) packPlanes(bytes, { format, planes }, packed)
      if (frame.colorSpace.fullRange === true) toVideoRange(packed)
    } else if (isOfPixels(format))
      planesOfPixels(bytes, { format, planes }, matrixOfPixels(frame, shape), packed)
    else throw new UnknownPicture()
    const whole = crop?.whole ?? shape.size
    const shown = { whole, part: shape.size, left: crop?.left ?? 0, top: crop?.top ?? 0 }
    const place = beforeTurn(shown, shape.turn)
    const key = JSON.stringify([packed.width, packed.height, place])
    const scale = scalers.get(key) ?? createScaler(packed, place)
    // A scaler holds memory of a picture, and passages differ in what they show.
    if (!scalers.has(key)) scalers.clear()
    scalers.set(key, scale)
    // Last, because turning takes longer than scaling, and little is left to be turned.
    return turned(scale(packed), shape.turn)
  }
}

function isPacked(
  { format, planes }: { readonly format: VideoPixelFormat | null; readonly planes: PlaneLayout[] },
  { width, height }: Size,
): boolean {
  const luma = width * height
  const places = [0, luma, luma * 1.25]
  return (
    format === 'I420' &&
    planes.every(
      ({ offset, stride }, at) =>
        offset === places[at] && stride === (at === 0 ? width : width / 2),
    )
  )
}

function sizeOf({ width, height }: Size): Size {
  return { width, height }
}

function isOfSize(planes: Size, { width, height }: Size): boolean {
  return planes.width === width && planes.height === height
}

/** Where a part lies in a picture that is stored as it is before it is turned. */
function beforeTurn({ whole, part, left, top }: Scaled, turn: Turn): Scaled {
  const right = whole.width - part.width - left
  const below = whole.height - part.height - top
  switch (turn) {
    case 0:
      return { whole, part, left, top }
    case 90:
      return { whole: lying(whole), part: lying(part), left: top, top: right }
    case 180:
      return { whole, part, left: right, top: below }
    case 270:
      return { whole: lying(whole), part: lying(part), left: below, top: left }
  }
}

function lying({ width, height }: Size): Size {
  return { width: height, height: width }
}

/** Whether planes can be had of a decoded picture: some browsers keep it for the screen alone. */
export function isReadable({ format, visibleRect }: VideoFrame): boolean {
  return visibleRect !== null && (isOfPlanes(format) || isOfPixels(format))
}

function isOfPlanes(format: VideoPixelFormat | null): format is Layout['format'] {
  return format === 'I420' || format === 'NV12'
}

function isOfPixels(format: VideoPixelFormat | null): format is RgbLayout['format'] {
  return format === 'BGRX' || format === 'BGRA' || format === 'RGBX' || format === 'RGBA'
}

/** By which matrix the browser made pixels of the stored planes. */
function matrixOfPixels({ colorSpace }: VideoFrame, { matrix }: PictureShape): Matrix {
  if (colorSpace.matrix === 'bt709') return 'bt709'
  return colorSpace.matrix === 'smpte170m' || colorSpace.matrix === 'bt470bg' ? 'bt601' : matrix
}

function evenPart(side: number): number {
  return Math.floor(side / 2) * 2
}
