import type { Detection } from './network.ts'
import { around, overlap, shareInside, type Rectangle } from './rectangle.ts'
import { linkFaces, type Looked, type Path } from './tracks.ts'

/** One picture of a shot, and the faces that the second network saw in it. */
export interface TwiceLooked extends Looked {
  readonly seconds: readonly Detection[]
}

/** Below this score, the second network takes too much else for a face. */
export const SECOND_LEAST_SCORE = 0.4
/** A face of which so much is inside the box of a path is that path's, or covered by it. */
const HELD = 0.5
/** It speaks for the path where the box, which is larger than a face, shares so much with it. */
const SPEAKS = 0.25
/** In so many pictures the second network must see a face, or in all of a shot that has fewer. */
const AGREEING_PICTURES = 2
/** And in so many, as surely as that once, where the first sees none. */
const ALONE = { pictures: 3, score: 0.7 }

/** A path of the first network while the second is asked about it. */
interface Asked {
  readonly path: Path
  readonly boxes: Rectangle[]
  pictures: number
}

/**
 * Links the faces of a shot and lets the second network vote. What the first saw stays covered,
 * and is covered wider where the second sees more of the face. What only the second saw, again and
 * again, is covered too. Faces that both saw have a certainty of 0.6 and more, all others of 0.5 at
 * most: a person is asked about them.
 */
export function linkVoted(shot: readonly TwiceLooked[]): Path[] {
  const asked = linkFaces(shot).map((path): Asked => {
    return { path, boxes: [...path.boxes], pictures: 0 }
  })
  const alone = shot.map(({ picture, seconds }, at): Looked => {
    return { picture, faces: seconds.filter((face) => !isHeld(asked, face, at)) }
  })
  const wanted = { ...ALONE, pictures: Math.min(ALONE.pictures, shot.length) }
  return [
    ...asked.map(({ path, boxes, pictures }) => {
      const agree = pictures >= Math.min(AGREEING_PICTURES, boxes.length)
      return { ...path, boxes, certainty: (path.certainty + (agree ? 1 : 0)) / 2 }
    }),
    ...linkFaces(alone, wanted).map((path) => ({ ...path, certainty: path.certainty / 2 })),
  ]
}

/** Whether a path holds the face of a picture; the box of that path is then around it. */
function isHeld(asked: readonly Asked[], face: Detection, at: number): boolean {
  let holder: { readonly asked: Asked; readonly box: Rectangle; readonly shared: number } | null =
    null
  for (const each of asked) {
    const box = each.path.boxes[at - each.path.first]
    if (box === undefined || shareInside(face, box) < HELD) continue
    const shared = overlap(face, box)
    if (shared > (holder?.shared ?? -1)) holder = { asked: each, box, shared }
  }
  if (holder === null) return false
  const index = at - holder.asked.path.first
  holder.asked.boxes[index] = around(holder.asked.boxes[index] ?? holder.box, face)
  if (holder.shared >= SPEAKS) holder.asked.pictures += 1
  return true
}
