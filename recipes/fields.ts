import type { GrayLook } from './gray-pictures.ts'
import type { SourceProbe } from './types.ts'

/**
 * [Note: fields] An interlaced picture holds two fields, each every other row, of which one was
 * taken half a picture later. Headers often do not say so, or say what is not so. Three
 * comparisons of rows with the rows between them tell: within a picture (`within`), the lower rows
 * with the upper ones of the next picture (`top`), and the upper rows with the lower ones of the
 * next (`bottom`). Where the top field comes first, `within` and `top` are half a picture apart and
 * `bottom` is one and a half; the other way round with the bottom field first. Where pictures are
 * whole, both are one picture apart, and `within` is none. What stands still, stripes and grain
 * count in all three alike, so that only their differences say something.
 */
/** Enough of a picture's points that the edge of a small thing falls on some. */
const COLUMNS = 192
/** Two rounds of a film that is shown as television: of five of its pictures, two are mixed. */
const PICTURES = 11

/** No television is larger or faster, and what is smaller was made smaller after it was whole. */
const ROWS = { least: 200, most: 1152 } as const
const FASTEST_RATE = 31

/** How a look for fields takes the points of a picture. */
export const FIELDS = { columns: COLUMNS } as const

/** Which field of each picture was taken first. */
export type FieldOrder = NonNullable<SourceProbe['fieldOrder']>

/** Whether pictures of this size and rate may hold fields. */
export function mayHoldFields({
  height,
  frameRate,
}: Pick<SourceProbe, 'height' | 'frameRate'>): boolean {
  return height >= ROWS.least && height <= ROWS.most && frameRate > 0 && frameRate <= FASTEST_RATE
}

/** The pictures in which fields are looked for, with all of their rows. */
export function fieldsLook({ height }: Pick<SourceProbe, 'height'>): GrayLook {
  return { width: COLUMNS, height, pictures: PICTURES }
}

/** What the three comparisons must differ by: of what they find, and of each point. */
const LEAST_MOTION = { share: 0.01, perPoint: 0.1 } as const
/** Blocks that move at least half as much as the one that moves most; grain moves in all alike. */
const MOVING_SHARE = 0.5
const BLOCK = { columns: 8, rows: 16 } as const

/** Of one and a half pictures to half a picture: how near to half the nearer fields must be. */
const NEAR_HALF = 0.4
/** Of the pictures of a place that show motion; a film shown as television has two of five. */
const MOST_PICTURES = 0.7
const LEAST_PICTURES = 3
/** Of the places that show motion: parts of a video may be whole. */
const SOME_PLACES = 0.4

/** What the pictures of one place say. */
export type FieldsSaid = FieldOrder | 'whole'

/** Which field comes first, by what places say; null where pictures are whole, or none moves. */
export function fieldOrderIn(places: readonly (FieldsSaid | null)[]): FieldOrder | null {
  const said = places.filter((one) => one !== null)
  const share = (order: FieldOrder): number =>
    said.filter((one) => one === order).length / Math.max(1, said.length)
  const likelier = share('top') >= share('bottom') ? 'top' : 'bottom'
  return share(likelier) >= SOME_PLACES ? likelier : null
}

/** What the pictures say that one run wrote; null where too little moves. */
export function readFields(
  bytes: Uint8Array,
  { height }: Pick<SourceProbe, 'height'>,
): FieldsSaid | null {
  const size = COLUMNS * height
  const pictures = Array.from({ length: Math.floor(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const said = pictures
    .slice(1)
    .map((next, at) => readPair(pictures[at] ?? next, next))
    .filter((one) => one !== null)
  if (said.length < LEAST_PICTURES) return null
  const isMost = (order: FieldOrder): boolean =>
    said.filter((one) => one === order).length >= said.length * MOST_PICTURES
  if (isMost('top')) return 'top'
  return isMost('bottom') ? 'bottom' : 'whole'
}

/** What two pictures that follow each other say, where most moves; null where nothing does. */
function readPair(one: Uint8Array, next: Uint8Array): FieldsSaid | null {
  const blocks = blocksOf(one, next)
  const least = MOVING_SHARE * Math.max(...blocks.map(({ moved }) => moved))
  const moving = blocks.filter(({ moved }) => moved >= least)
  const sum = (of: 'within' | 'top' | 'bottom' | 'points'): number =>
    moving.reduce((all, block) => all + block[of], 0)
  const [within, top, bottom] = [sum('within'), sum('top'), sum('bottom')]
  const [near, far] = [Math.min(top, bottom), Math.max(top, bottom)]
  const motion = far - within
  if (motion < within * LEAST_MOTION.share + sum('points') * LEAST_MOTION.perPoint) return null
  if (Math.abs(near - within) > motion * NEAR_HALF) return 'whole'
  return top < bottom ? 'top' : 'bottom'
}

/** Of one block, all summed: the comparisons, and how its points differ in the next picture. */
interface Block {
  points: number
  moved: number
  within: number
  top: number
  bottom: number
}

function blocksOf(one: Uint8Array, next: Uint8Array): readonly Block[] {
  const across = COLUMNS / BLOCK.columns
  const rows = one.length / COLUMNS
  const blocks = Array.from({ length: across * Math.ceil(rows / BLOCK.rows) }, (): Block => ({
    points: 0,
    moved: 0,
    within: 0,
    top: 0,
    bottom: 0,
  }))
  for (let row = 1; row < rows - 1; row += 1)
    for (let column = 0; column < COLUMNS; column += 1) {
      const at = row * COLUMNS + column
      const block =
        blocks[Math.floor(row / BLOCK.rows) * across + Math.floor(column / BLOCK.columns)]
      if (block === undefined) continue
      // Upper rows of this picture among lower ones of the next, and the other way round.
      const [own, other] = [combed(one, next, at), combed(next, one, at)]
      block.points += 1
      block.moved += Math.abs((next[at] ?? 0) - (one[at] ?? 0))
      block.within += (combed(one, one, at) + combed(next, next, at)) / 2
      block.top += row % 2 === 0 ? other : own
      block.bottom += row % 2 === 0 ? own : other
    }
  return blocks
}

/** How far a point of one picture is from those above and below it in another. */
function combed(inner: Uint8Array, outer: Uint8Array, at: number): number {
  return Math.abs((outer[at - COLUMNS] ?? 0) + (outer[at + COLUMNS] ?? 0) - 2 * (inner[at] ?? 0))
}
