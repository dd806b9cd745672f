import type { Rectangle } from './rectangle.ts'

/** How often a picture is turned clockwise by a right angle before faces are looked for. */
export type Turn = 0 | 1 | 2 | 3

/** 24-bit pixels, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

/** The picture, turned clockwise. */
export function turned({ width, height, rgb }: Picture, turn: Turn): Picture {
  if (turn === 0) return { width, height, rgb }
  const result = new Uint8Array(rgb.length)
  const size = turn === 2 ? { width, height } : { width: height, height: width }
  for (let y = 0; y < size.height; y += 1)
    for (let x = 0; x < size.width; x += 1) {
      const [fromX, fromY] = sourceOf(x, y, size, turn)
      const to = (y * size.width + x) * 3
      const from = (fromY * width + fromX) * 3
      result[to] = rgb[from] ?? 0
      result[to + 1] = rgb[from + 1] ?? 0
      result[to + 2] = rgb[from + 2] ?? 0
    }
  return { ...size, rgb: result }
}

/** The picture at half the size, each pixel the mean of four. */
export function halved({ width, height, rgb }: Picture): Picture {
  const size = { width: width >> 1, height: height >> 1 }
  const result = new Uint8Array(size.width * size.height * 3)
  for (let y = 0; y < size.height; y += 1)
    for (let index = 0; index < size.width * 3; index += 1) {
      const above = 2 * y * width * 3 + 2 * index - (index % 3)
      const below = above + width * 3
      const sum =
        (rgb[above] ?? 0) + (rgb[above + 3] ?? 0) + (rgb[below] ?? 0) + (rgb[below + 3] ?? 0)
      result[y * size.width * 3 + index] = sum >> 2
    }
  return { ...size, rgb: result }
}

/** Where a rectangle of the turned picture of this size lies in the picture as it was. */
export function turnedBack(
  { x, y, width, height }: Rectangle,
  size: Pick<Picture, 'width' | 'height'>,
  turn: Turn,
): Rectangle {
  switch (turn) {
    case 0:
      return { x, y, width, height }
    case 1:
      return { x: y, y: size.width - x - width, width: height, height: width }
    case 2:
      return { x: size.width - x - width, y: size.height - y - height, width, height }
    case 3:
      return { x: size.height - y - height, y: x, width: height, height: width }
  }
}

/** The pixel of the picture as it was that the turned one shows at a place. */
function sourceOf(
  x: number,
  y: number,
  { width, height }: { readonly width: number; readonly height: number },
  turn: Turn,
): readonly [number, number] {
  if (turn === 1) return [y, width - 1 - x]
  return turn === 2 ? [width - 1 - x, height - 1 - y] : [height - 1 - y, x]
}
