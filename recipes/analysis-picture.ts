/** Size of the pictures that the analysis looks at, whatever the shape of the source is. */
export const LOOK_WIDTH = 256
export const LOOK_HEIGHT = 144
/** Bytes of one picture in 4:2:0. */
export const LOOK_BYTES = (LOOK_WIDTH * LOOK_HEIGHT * 3) / 2

/** Sides of the blocks whose means are compared: grain has no mean, and motion has one. */
const BLOCK = 8
const COLUMNS = LOOK_WIDTH / BLOCK
const BLOCKS = COLUMNS * (LOOK_HEIGHT / BLOCK)
/** Blocks for one digit of a picture's likeness: 8 columns and 6 rows. */
const LIKE_WIDTH = COLUMNS / 8
const LIKE_HEIGHT = LOOK_HEIGHT / BLOCK / 6

/** What one picture shows, in the brightness of video: 16 black to 235 white. */
export interface PictureFacts {
  readonly mean: number
  /** Nineteen of twenty pixels are darker. */
  readonly light: number
  /** One of twenty pixels is darker. */
  readonly dark: number
  /** Mean distance from grey, 0 to about 128. */
  readonly colour: number
  /** Share of the flat pixels, whose neighbours are as bright as they are. */
  readonly flat: number
  /** Share of the pixels at hard edges, as letters have them. */
  readonly hard: number
  /** Share of the pixels at soft edges, as everything else has them. */
  readonly soft: number
  /** Energy of the finest detail in that of all edges: the higher, the sharper. */
  readonly detail: number
  /** Mean brightness of each block, row by row. */
  readonly blocks: Uint8Array
}

/** What lies between two pictures. */
export interface ChangeFacts {
  /** Share of the blocks that changed in another way than the picture as a whole. */
  readonly moved: number
  /** Mean change of the blocks. */
  readonly change: number
}

/** The facts of each whole picture in raw 4:2:0. */
export function readPictures(bytes: Uint8Array): PictureFacts[] {
  return Array.from({ length: Math.floor(bytes.length / LOOK_BYTES) }, (_, index) =>
    factsOf(bytes.subarray(index * LOOK_BYTES, (index + 1) * LOOK_BYTES)),
  )
}

function factsOf(picture: Uint8Array): PictureFacts {
  return {
    ...lightOf(picture),
    ...edgesOf(picture),
    colour: colourOf(picture),
    blocks: blocksOf(picture),
  }
}

function lightOf(picture: Uint8Array): Pick<PictureFacts, 'mean' | 'light' | 'dark'> {
  const pixels = LOOK_WIDTH * LOOK_HEIGHT
  const counts = new Uint32Array(256)
  let sum = 0
  for (let at = 0; at < pixels; at += 1) {
    const value = picture[at] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
    sum += value
  }
  const below = (share: number): number => {
    let seen = 0
    const value = counts.findIndex((count) => (seen += count) >= share * pixels)
    return Math.max(0, value)
  }
  return { mean: sum / pixels, light: below(0.95), dark: below(0.05) }
}

/** Differences beside a pixel: below the first it is flat, from the second on a hard edge. */
const FLAT_BELOW = 8
const HARD_FROM = 64

function edgesOf(picture: Uint8Array): Pick<PictureFacts, 'flat' | 'hard' | 'soft' | 'detail'> {
  let flat = 0
  let hard = 0
  let fine = 0
  let all = 0
  for (let y = 1; y < LOOK_HEIGHT - 1; y += 1) {
    for (let at = y * LOOK_WIDTH + 1; at < (y + 1) * LOOK_WIDTH - 1; at += 1) {
      const left = picture[at - 1] ?? 0
      const right = picture[at + 1] ?? 0
      const above = picture[at - LOOK_WIDTH] ?? 0
      const below = picture[at + LOOK_WIDTH] ?? 0
      const across = right - left
      const down = below - above
      const edge = Math.max(Math.abs(across), Math.abs(down))
      if (edge < FLAT_BELOW) flat += 1
      else if (edge >= HARD_FROM) hard += 1
      const bend = 4 * (picture[at] ?? 0) - left - right - above - below
      fine += bend * bend
      all += across * across + down * down
    }
  }
  const pixels = (LOOK_WIDTH - 2) * (LOOK_HEIGHT - 2)
  return {
    flat: flat / pixels,
    hard: hard / pixels,
    soft: (pixels - flat - hard) / pixels,
    // The constant is grain that a flat picture has, too.
    detail: fine / (all + 20 * pixels),
  }
}

function colourOf(picture: Uint8Array): number {
  const chroma = (LOOK_WIDTH * LOOK_HEIGHT) / 4
  const from = LOOK_WIDTH * LOOK_HEIGHT
  let sum = 0
  for (let at = 0; at < chroma; at += 3)
    sum += Math.hypot((picture[from + at] ?? 128) - 128, (picture[from + chroma + at] ?? 128) - 128)
  return sum / Math.ceil(chroma / 3)
}

function blocksOf(picture: Uint8Array): Uint8Array {
  const sums = new Float64Array(BLOCKS)
  for (let y = 0; y < LOOK_HEIGHT; y += 1) {
    const row = Math.floor(y / BLOCK) * COLUMNS
    for (let x = 0; x < LOOK_WIDTH; x += 1) {
      const block = row + (x >> 3)
      sums[block] = (sums[block] ?? 0) + (picture[y * LOOK_WIDTH + x] ?? 0)
    }
  }
  return Uint8Array.from(sums, (sum) => Math.round(sum / BLOCK ** 2))
}

/** A block has changed when its mean did by more than grain and compression do. */
const CHANGED_FROM = 3

/** What changed from one picture to the next. Light that grows in all blocks is no motion. */
export function changeBetween(before: PictureFacts, after: PictureFacts): ChangeFacts {
  const shift = after.mean - before.mean
  let moved = 0
  let sum = 0
  for (let block = 0; block < BLOCKS; block += 1) {
    const difference = (after.blocks[block] ?? 0) - (before.blocks[block] ?? 0)
    sum += Math.abs(difference)
    if (Math.abs(difference - shift) >= CHANGED_FROM) moved += 1
  }
  return { moved: moved / BLOCKS, change: sum / BLOCKS }
}

/** Of `actionIn`. */
export const ACTION_COLUMNS = 16
export const ACTION_ROWS = LOOK_HEIGHT / BLOCK / 2

/**
 * Where something moves in pictures that follow each other, as hexadecimal digits: one for each
 * of 16 columns from the left, then one for each of 9 rows from the top, `f` where most moves; ''
 * where nothing does.
 */
export function actionIn(pictures: readonly PictureFacts[]): string {
  const columns = new Float64Array(ACTION_COLUMNS)
  const rows = new Float64Array(ACTION_ROWS)
  for (const [index, after] of pictures.entries()) {
    const before = pictures[index - 1]
    if (before === undefined) continue
    const shift = after.mean - before.mean
    for (let block = 0; block < BLOCKS; block += 1) {
      const difference = (after.blocks[block] ?? 0) - (before.blocks[block] ?? 0)
      const moved = Math.abs(difference - shift)
      if (moved < CHANGED_FROM) continue
      const column = (block % COLUMNS) >> 1
      const row = Math.floor(block / COLUMNS) >> 1
      columns[column] = (columns[column] ?? 0) + moved
      rows[row] = (rows[row] ?? 0) + moved
    }
  }
  return columns.some((sum) => sum > 0) ? digitsOf(columns) + digitsOf(rows) : ''
}

/** One digit for each sum, of the largest. */
function digitsOf(sums: Float64Array): string {
  const most = Math.max(...sums)
  return Array.from(sums, (sum) => Math.round((15 * sum) / most).toString(16)).join('')
}

/**
 * A picture as 48 hexadecimal digits: the brightness of 8 columns and 6 rows. Pictures are alike
 * where `likenessBetween` of them is small.
 */
export function likenessOf({ blocks }: PictureFacts): string {
  let digits = ''
  for (let row = 0; row < 6; row += 1)
    for (let column = 0; column < 8; column += 1) {
      let sum = 0
      for (let y = 0; y < LIKE_HEIGHT; y += 1)
        for (let x = 0; x < LIKE_WIDTH; x += 1)
          sum += blocks[(row * LIKE_HEIGHT + y) * COLUMNS + column * LIKE_WIDTH + x] ?? 0
      const mean = sum / (LIKE_WIDTH * LIKE_HEIGHT)
      digits += Math.min(15, Math.floor(mean / 16)).toString(16)
    }
  return digits
}
