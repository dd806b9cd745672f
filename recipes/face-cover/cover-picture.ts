import { deliveryVideo } from '#recipes/encoding.ts'
import { fitInside, onTime, toStandardPicture, type Size } from '#recipes/picture.ts'
import { ownTiming, type PictureTiming } from '#recipes/picture-timing.ts'
import { noiseSeed } from '#recipes/secret.ts'
import { readFor, segmentIn } from '#recipes/segments.ts'
import type { PlanContext, SourceProbe } from '#recipes/types.ts'
import type { WholePicture } from '#recipes/whole-picture.ts'
import type { Cover } from './types.ts'

const MASK = 'faces.png'
const MASK_RATE = 30
/** A mask needs no more: on 1920 pixels its steps are 8 wide. */
const MASK_SIDE = 240
/**
 * [Note: what hides a face] A box has eight cells at most, of which the face inside it has six.
 * They change twice a second only, or a face that moves through them could be put together from
 * many pictures. Their colours are rounded to 16 levels and have noise on them. All are as large as
 * the largest covered face asks for, so that smaller ones have fewer.
 */
const CELLS_OF_BOX = 8
const MOSAIC_RATE = 2
const SMALLEST_CELL = 16
/** Where whole pictures are covered and no face tells the size. */
const CELLS_OF_PICTURE = 12
const LEVEL = 16

/**
 * The picture of a whole video with all hidden that its cover names. Without a cover all of the
 * video is hidden: an edit that lost its review must show no face.
 */
export function coverPicture(
  source: SourceProbe,
  context: Pick<PlanContext, 'availableFilters' | 'divided' | 'faces' | 'secret'>,
): WholePicture {
  const whole = { tracks: [], wholly: [{ startMs: 0, endMs: source.durationMs + 10_000 }] }
  const cover = context.faces ?? whole
  const size = fitInside(source, 3840, 3840)
  const standard = toStandardPicture(source, size, context)
  // Faces are known by the times of the file, so its pictures are put on time last.
  const segment = segmentIn(context)
  const timing = ownTiming({ ...source, pictureLateMs: 0 }, null, segment)
  const { seekMs: fromMs = 0, durationMs = source.durationMs + 1000 - fromMs } =
    segment === null ? {} : readFor(segment)
  const mask = {
    name: MASK,
    cover,
    size: fitInside(size, MASK_SIDE, MASK_SIDE),
    frameRate: MASK_RATE,
    fromMs,
    durationMs,
  }
  return {
    args: [
      '-filter_complex',
      hidingGraph({
        standard: `${timing.chain}${standard.chain}`,
        late: onTime(source),
        after: timing.after,
        fromS: fromMs / 1000,
        cell: cellOf(cover, size),
        seed: noiseSeed(context.secret, segment),
        size,
      }),
      '-map',
      '[v]',
      ...deliveryVideo(size),
      ...timing.args,
    ],
    filters: [...timing.filters, ...standard.filters, ...HIDING_FILTERS],
    encoders: ['libx264'],
    cover: {
      mask,
      input: {
        from: { kind: 'scratch', name: MASK },
        flags: ['-f', 'png_pipe', '-framerate', String(MASK_RATE)],
        ...(segment === null ? {} : { durationMs }),
      },
    },
    joints: timing.joints,
  }
}

const HIDING_FILTERS = 'fps split noise lutyuv tpad setpts alphamerge overlay'.split(' ')

/** What is hidden, and how. */
interface Hiding {
  /** The filters of the picture; what shows it at its time; what cuts a segment out of it. */
  readonly standard: string
  readonly late: string
  readonly after: PictureTiming['after']
  /** Where in the source reading begins, and the mask. */
  readonly fromS: number
  /** The width of a cell in pixels. */
  readonly cell: number
  readonly seed: number
  readonly size: Size
}

/** The graph from the source and its mask to `[v]`. */
function hidingGraph({ standard, late, after, fromS, cell, seed, size }: Hiding): string {
  const cells = `${Math.ceil(size.width / cell)}:${Math.ceil(size.height / cell)}`
  const full = `${size.width}:${size.height}`
  const level = `trunc(val/${LEVEL})*${LEVEL}+${LEVEL / 2}`
  // What lies over the picture begins a second before it and ends after it: before and after, it
  // would hide nothing, and the picture's own end is the video's.
  return [
    `[0:V:0]${standard},split[plain][copied]`,
    `[copied]fps=${MOSAIC_RATE}:start_time=${fromS - 1},scale=${cells}:flags=area,` +
      `noise=alls=24:allf=t:all_seed=${seed},lutyuv=y=${level}:u=${level}:v=${level},` +
      `scale=${full}:flags=neighbor,fps=${MASK_RATE},tpad=stop_duration=3:stop_mode=clone[mosaic]`,
    `[1:V:0]format=gray,tpad=start_duration=1:start_mode=clone,setpts=PTS+(${fromS - 1})/TB,` +
      `scale=${full}:flags=neighbor[mask]`,
    '[mosaic][mask]alphamerge[hiding]',
    `[plain][hiding]overlay=format=yuv420:shortest=1,${late}format=yuv420p${after}[v]`,
  ].join(';')
}

/** The side of a cell in pixels. */
function cellOf({ tracks }: Cover, { width, height }: Size): number {
  const sides = tracks.flatMap(({ boxes }) =>
    boxes.map((box) => Math.max(box.width * width, box.height * height)),
  )
  const largest = sides.reduce((most, side) => Math.max(most, side), 0)
  const cell = largest === 0 ? Math.max(width, height) / CELLS_OF_PICTURE : largest / CELLS_OF_BOX
  return Math.max(SMALLEST_CELL, Math.ceil(cell))
}
