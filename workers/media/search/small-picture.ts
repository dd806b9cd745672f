import { toVideoRange, turned, type Turn } from '#workers/media/render/planes.ts'
import { LOOK_HEIGHT, LOOK_WIDTH } from '#recipes/analysis-picture.ts'
import { shrinkArea, type SourcePlane } from './shrink-area.ts'

/** How a decoder lays the planes of a picture out. */
interface PlaneFormat {
  /** Pixels for one value of a colour. */
  readonly across: 1 | 2
  readonly down: 1 | 2
  readonly bits: 8 | 10 | 12
  /** Both colours lie in one plane, by turns. */
  readonly isPaired: boolean
}

const planar = (across: 1 | 2, down: 1 | 2, bits: 8 | 10 | 12): PlaneFormat => ({
  across,
  down,
  bits,
  isPaired: false,
})

const FORMATS: Readonly<Record<string, PlaneFormat>> = {
  I420: planar(2, 2, 8),
  I422: planar(2, 1, 8),
  I444: planar(1, 1, 8),
  NV12: { ...planar(2, 2, 8), isPaired: true },
  I420P10: planar(2, 2, 10),
  I422P10: planar(2, 1, 10),
  I444P10: planar(1, 1, 10),
  I420P12: planar(2, 2, 12),
  I422P12: planar(2, 1, 12),
  I444P12: planar(1, 1, 12),
}

/** Makes the small pictures of one video; reads them into the same memory one after another. */
export interface SmallPictures {
  /** The picture as a look of the server writes it: raw 4:2:0. The frame stays open. */
  read(frame: VideoFrame): Promise<Uint8Array>
}

/** @param turn as players turn the pictures */
export function createSmallPictures(turn: Turn): SmallPictures {
  const isTurned = turn === 90 || turn === 270
  const [width, height] = isTurned ? [LOOK_HEIGHT, LOOK_WIDTH] : [LOOK_WIDTH, LOOK_HEIGHT]
  let memory = new Uint8Array(0)
  return {
    read: async (frame) => {
      const { visibleRect, format } = frame
      const layout = FORMATS[format ?? '']
      const small = new Uint8Array((width * height * 3) / 2)
      const planes = { width, height, bytes: small }
      if (layout === undefined || visibleRect === null) drawSmall(frame, planes)
      else {
        const size = frame.allocationSize()
        if (memory.byteLength !== size) memory = new Uint8Array(size)
        const laid = await frame.copyTo(memory)
        shrinkPlanes(memory, laid, layout, visibleRect, planes)
        if (frame.colorSpace.fullRange === true) toVideoRange(planes)
      }
      return turned(planes, turn).bytes
    },
  }
}

interface SmallPlanes {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

function shrinkPlanes(
  memory: Uint8Array<ArrayBuffer>,
  laid: readonly PlaneLayout[],
  { across, down, bits, isPaired }: PlaneFormat,
  shown: DOMRectReadOnly,
  { width, height, bytes }: SmallPlanes,
): void {
  const wide = bits === 8 ? 1 : 2
  const values = wide === 1 ? memory : new Uint16Array(memory.buffer, 0, memory.byteLength >> 1)
  const [luma, first, second = first] = laid
  if (luma === undefined || first === undefined || second === undefined)
    throw new TypeError('a picture without colours')
  const plane = (
    { offset, stride }: PlaneLayout,
    size: { readonly width: number; readonly height: number },
    step: 1 | 2,
    shift: number,
  ): SourcePlane => ({
    values,
    offset: offset / wide + shift,
    stride: stride / wide,
    step,
    // What a rectangle is, is not copied with it.
    width: size.width,
    height: size.height,
    unit: 2 ** (8 - bits),
  })
  const colours = {
    width: Math.floor(shown.width / across),
    height: Math.floor(shown.height / down),
  }
  const step = isPaired ? 2 : 1
  const pixels = width * height
  const half = { width: width / 2, height: height / 2 }
  shrinkArea(plane(luma, shown, 1, 0), { width, height, bytes: bytes.subarray(0, pixels) })
  shrinkArea(plane(first, colours, step, 0), {
    ...half,
    bytes: bytes.subarray(pixels, pixels + pixels / 4),
  })
  shrinkArea(plane(second, colours, step, isPaired ? 1 : 0), {
    ...half,
    bytes: bytes.subarray(pixels + pixels / 4),
  })
}

/** Of pictures that stay in the memory of a graphics processor, or that have no such planes. */
function drawSmall(frame: VideoFrame, { width, height, bytes }: SmallPlanes): void {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  context.imageSmoothingQuality = 'medium'
  context.drawImage(frame, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  writeVideo(data, width, height, bytes)
}

/** BT.709, in the range of video. */
function writeVideo(
  rgba: Uint8ClampedArray,
  width: number,
  height: number,
  into: Uint8Array,
): void {
  const pixels = width * height
  for (let at = 0; at < pixels; at += 1) {
    const [r, g, b] = [rgba[4 * at] ?? 0, rgba[4 * at + 1] ?? 0, rgba[4 * at + 2] ?? 0]
    into[at] = Math.round(16 + 0.1826 * r + 0.6142 * g + 0.062 * b)
  }
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const from = 4 * (y * width + x)
      const [r, g, b] = [rgba[from] ?? 0, rgba[from + 1] ?? 0, rgba[from + 2] ?? 0]
      const at = pixels + (y / 2) * (width / 2) + x / 2
      into[at] = Math.round(128 - 0.1006 * r - 0.3386 * g + 0.4392 * b)
      into[at + pixels / 4] = Math.round(128 + 0.4392 * r - 0.3989 * g - 0.0403 * b)
    }
}
