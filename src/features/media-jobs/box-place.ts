import type { FaceRectangle } from '#recipes/face-cover/types.ts'

/** The place of a rectangle in its picture, for `style`. */
export function placeStyle({ x, y, width, height }: FaceRectangle) {
  return {
    left: `${x * 100}%`,
    top: `${y * 100}%`,
    width: `${width * 100}%`,
    height: `${height * 100}%`,
  }
}
