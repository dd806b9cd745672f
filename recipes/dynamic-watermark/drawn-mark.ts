import type { DrawnMark } from '#recipes/drawing.ts'
import { needs } from '#recipes/encoding.ts'
import { even } from '#recipes/picture.ts'
import type { PlanArg, PlanFile } from '#recipes/types.ts'
import type { WholePicture } from '#recipes/whole-picture.ts'
import type { Motion, Names } from './places.ts'

/** What moves over the picture. */
export interface Mark {
  /** With all around it, in pixels. */
  readonly width: number
  readonly height: number
  /** Kept free at each edge, in pixels. */
  readonly margin: number
  readonly files: readonly PlanFile[]
  readonly cover?: NonNullable<WholePicture['cover']>
  /** How its filter calls its sides, and those of the picture. */
  readonly names: Names
  /** How far within it the place lies that its filter is given, in pixels. */
  readonly inset: number
  /** The filters that draw it on the picture that goes into them, at a place. */
  readonly filter: (place: Motion) => Extract<PlanArg, { kind: 'filter' }>['parts']
  readonly needs: readonly string[]
}

/** The scratch file with what becomes of black and of white pictures under a mark. */
const ON_GROUNDS = 'mark.yuv'

/** The mark by itself, for a device that lays it over pictures. */
export function drawnMark({
  width,
  height,
  margin,
  inset,
  files,
  filter,
  needs: filters,
}: Mark): DrawnMark {
  // Room for one pixel further.
  const ground = { width: even(width + 3), height: even(height + 3) }
  const plain = `-f rawvideo -pixel_format yuv420p -video_size ${ground.width}x${ground.height}`
  const parts = filter({ x: `${inset}+mod(n,2)`, y: `${inset}+mod(floor(n/2),2)` })
  return {
    ground,
    margin,
    files,
    pictures: ON_GROUNDS,
    step: {
      id: 'mark',
      inputs: [{ from: { kind: 'source' }, flags: plain.split(' ') }],
      args: [
        '-vf',
        { kind: 'filter', parts },
        '-c:v',
        'rawvideo',
        '-pix_fmt',
        'yuv420p',
        '-f',
        'rawvideo',
        { kind: 'scratch', name: ON_GROUNDS },
      ],
      outputDurationMs: 0,
      weight: 0,
      needs: needs(filters, ['rawvideo']),
    },
  }
}
