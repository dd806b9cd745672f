import type { Drawing } from '#recipes/drawing.ts'
import { fadedPassages, type FadedPassage } from '#recipes/faded-passages.ts'
import { fitInside, type Size } from '#recipes/picture.ts'

/** The passages of an edit as they are shown one after another. */
export function passagesOf(drawing: Drawing): readonly FadedPassage[] {
  const { joints, passages } = drawing
  return joints.kind === 'fades'
    ? fadedPassages(drawing, joints)
    : passages.map((passage, index) => ({
        ...passage,
        number: index + 1,
        headFrames: 0,
        end: { kind: 'cut' },
      }))
}

/** Pictures of the whole edit. */
export function framesOf(drawing: Drawing): number {
  return passagesOf(drawing).reduce((sum, { frames, headFrames }) => sum + frames - headFrames, 0)
}

export function lengthMsOf(drawing: Drawing): number {
  return (framesOf(drawing) / drawing.frameRate.value) * 1000
}

/** Whether a picture is no larger than 720p. */
export function isSmall(size: Size): boolean {
  return fitInside(size, 1280, 720).width >= size.width
}

export function isFullHd(size: Size): boolean {
  return fitInside(size, 1920, 1080).width >= size.width
}

/** The same edit at 720p; the same object where it is no larger. */
export function smallDrawing(drawing: Drawing): Drawing {
  const { size } = drawing
  if (isSmall(size)) return drawing
  const small = fitInside(size, 1280, 720)
  const factor = small.width / size.width
  const shrunk = (whole: Size): Size => ({
    width: Math.max(small.width, Math.round((whole.width * factor) / 2) * 2),
    height: Math.max(small.height, Math.round((whole.height * factor) / 2) * 2),
  })
  return {
    ...drawing,
    size: small,
    passages: drawing.passages.map((passage) => {
      const { crop } = passage
      if (crop === undefined) return passage
      const whole = shrunk(crop.whole)
      const offset = (at: number, side: 'width' | 'height'): number =>
        Math.min(Math.round((at * factor) / 2) * 2, whole[side] - small[side])
      return {
        ...passage,
        crop: {
          whole,
          part: small,
          left: offset(crop.left, 'width'),
          top: offset(crop.top, 'height'),
        },
      }
    }),
  }
}
