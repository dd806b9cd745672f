import { follow, type GreyPicture } from './follow.ts'
import type { Detection } from './network.ts'
import { around, between, distance, overlap, sizeOf, type Rectangle } from './rectangle.ts'

/** One picture of a shot and the faces that were found in it; none where it was not looked at. */
export interface Looked {
  readonly picture: GreyPicture
  readonly faces: readonly Detection[]
}

/** One face through the pictures of a shot: a box for each from `first` on, without gaps. */
export interface Path {
  readonly first: number
  readonly boxes: readonly Rectangle[]
  /** 0..1: low where a single unsure look is all there is. */
  readonly certainty: number
}

/** A face may be lost for so many pictures and still be the same one: 1.6 s at ten a second. */
const LONGEST_GAP = 16
/** A box stays for so many pictures where the face was seen first and last. */
const REST = 8
/** What follows a face loses it below this likeness. */
const LEAST_LIKENESS = 0.5
/** A box is as much wider and higher than the face that was found. */
const GROWTH = 0.4
/** Two paths that share so much are one face. */
const SAME_FACE = 0.55
/** Two boxes that share more than this say nearly the same of one face. */
const SAME_PLACE = 0.4
/** A face that was seen once only must have been as sure as this. */
const SURE_ALONE = 0.45
/**
 * The surest look at a face must have been surer the larger the face is, by its share of the
 * picture's height: large ones are easy to see, and what is not sure of them is a curtain.
 */
const SURE_ENOUGH = { least: 0.25, more: 0.25 }

/** A path while the shot is gone through. */
interface Open {
  readonly seen: { readonly at: number; readonly face: Detection }[]
  /** Where it is thought to be now. */
  box: Rectangle
  speed: { readonly x: number; readonly y: number }
}

/** In how many pictures a face must have been found, and how surely once. */
interface Belief {
  readonly pictures: number
  readonly score: number
}

/**
 * Links what was found in the pictures of one shot, from cut to cut, in both directions.
 * @param belief left out = what the first network's scores ask for
 */
export function linkFaces(shot: readonly Looked[], belief?: Belief): Path[] {
  const open: Open[] = []
  const closed: Open[] = []
  for (const [at, { picture, faces }] of shot.entries()) {
    const before = shot[at - 1]?.picture
    for (const each of before === undefined ? [] : open) moveOn(each, before ?? picture, picture)
    for (let index = open.length - 1; index >= 0; index -= 1)
      if (at - lastSeen(open[index]) > LONGEST_GAP || isRepeat(open, index))
        closed.push(...open.splice(index, 1))
    match(open, faces, at)
  }
  const { height = 1 } = shot[0]?.picture ?? {}
  return [...closed, ...open]
    .filter((each) => isBelieved(each, height, belief))
    .map((each) => pathOf(each, shot))
}

function lastSeen(open: Open | undefined): number {
  return open?.seen.at(-1)?.at ?? -Infinity
}

function moveOn(open: Open, from: GreyPicture, to: GreyPicture): void {
  const { box, speed } = open
  const guess = { ...box, x: box.x + speed.x, y: box.y + speed.y }
  const found = follow(from, to, box, guess)
  if (found.likeness < LEAST_LIKENESS) {
    open.speed = { x: 0, y: 0 }
    return
  }
  open.speed = { x: found.x - box.x, y: found.y - box.y }
  open.box = found
}

/** Whether an older path is at the same place; the younger one ends then. */
function isRepeat(open: readonly Open[], index: number): boolean {
  const own = open[index]
  return (
    own !== undefined &&
    open.slice(0, index).some((other) => overlap(other.box, own.box) > SAME_FACE)
  )
}

/** Gives each face to the nearest path that may have it, the surest first; the others begin one. */
function match(open: Open[], faces: readonly Detection[], at: number): void {
  const free = new Set(open)
  for (const face of faces) {
    const near = [...free]
      .map((each) => ({ each, far: distance(each.box, face) / sizeOf(face) }))
      .filter(({ each, far }) => far < reach(at - lastSeen(each)) && isAlike(each.box, face))
      .toSorted((a, b) => a.far - b.far)[0]?.each
    if (near === undefined) {
      open.push({ seen: [{ at, face }], box: face, speed: { x: 0, y: 0 } })
      continue
    }
    free.delete(near)
    near.seen.push({ at, face })
    near.box = face
  }
}

/** How far a face may be from where it is thought to be, in its own sizes. */
function reach(picturesSince: number): number {
  return Math.min(1.6, 0.6 + 0.06 * picturesSince)
}

function isAlike(a: Rectangle, b: Rectangle): boolean {
  const ratio = sizeOf(a) / sizeOf(b)
  return ratio > 0.45 && ratio < 2.2
}

function isBelieved({ seen }: Open, height: number, belief?: Belief): boolean {
  const best = seen.toSorted((a, b) => b.face.score - a.face.score)[0]?.face
  if (best === undefined) return false
  if (belief !== undefined) return seen.length >= belief.pictures && best.score >= belief.score
  const wanted = SURE_ENOUGH.least + (SURE_ENOUGH.more * sizeOf(best)) / height
  return best.score >= Math.max(wanted, seen.length > 1 ? 0 : SURE_ALONE)
}

/** Fills the pictures between and beside those in which the face was found. */
function pathOf({ seen: found }: Open, shot: readonly Looked[]): Path {
  const seen = withSureEnds(shot, found)
  const first = seen[0]
  const last = seen.at(-1)
  if (first === undefined || last === undefined) throw new Error('A path has no face')
  const lead = ending(shot, first, -1).toReversed()
  const boxes: Rectangle[] = [...lead]
  for (const [index, { at, face }] of seen.entries()) {
    boxes.push(face)
    const next = seen[index + 1]
    if (next !== undefined) boxes.push(...filled(shot, { at, face }, next))
  }
  boxes.push(...ending(shot, last, 1))
  const scores = seen.map(({ face }) => face.score).toSorted((a, b) => b - a)
  const [best = 0, second = 0] = scores
  return {
    first: first.at - lead.length,
    boxes: steady(boxes).map(grown),
    certainty: Math.min(1, seen.length === 1 ? best / 2 : (best + second) / 2),
  }
}

type Seen = Open['seen'][number]

/**
 * The finds, of which the first and the last are also around where their neighbours were followed
 * to. A look at a turned picture often takes a part of a face for all of it, and beside an end no
 * other find makes up for that.
 */
function withSureEnds(shot: readonly Looked[], seen: readonly Seen[]): readonly Seen[] {
  const sure = (find: Seen, neighbour: Seen): Seen => {
    const count = Math.abs(find.at - neighbour.at)
    const there = followed(shot, neighbour, find.at > neighbour.at ? 1 : -1, count)[count - 1]
    return there === undefined || overlap(there, find.face) < SAME_PLACE
      ? find
      : { ...find, face: { ...find.face, ...around(find.face, there) } }
  }
  return seen.map((find, index) => {
    const neighbour =
      index === 0 ? seen[1] : index === seen.length - 1 ? seen[index - 1] : undefined
    return neighbour === undefined ? find : sure(find, neighbour)
  })
}

/**
 * The pictures between two finds: followed from both, and where they disagree the box is around
 * both; where neither could be followed, it goes straight.
 */
function filled(shot: readonly Looked[], from: Seen, to: Seen): Rectangle[] {
  const count = to.at - from.at - 1
  const ahead = followed(shot, from, 1, count)
  const back = followed(shot, to, -1, count).toReversed()
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 1) / (count + 1)
    const [a, b] = [ahead[index], back[index - (count - back.length)]]
    if (a !== undefined && b !== undefined)
      return overlap(a, b) > SAME_PLACE ? between(a, b, share) : around(a, b)
    const straight = between(from.face, to.face, share)
    const one = a ?? b
    return one === undefined ? straight : around(one, straight)
  })
}

/** The pictures before the first find or after the last: followed while it goes, then resting. */
function ending(shot: readonly Looked[], from: Seen, step: 1 | -1): Rectangle[] {
  const left = step === 1 ? shot.length - 1 - from.at : from.at
  const way = followed(shot, from, step, Math.min(left, LONGEST_GAP))
  const rest = way.at(-1) ?? from.face
  const missing = Math.min(left, REST) - way.length
  return [...way, ...Array.from({ length: Math.max(0, missing) }, () => rest)]
}

/** Boxes from a find on, in one direction, until it is lost or `count` pictures are done. */
function followed(
  shot: readonly Looked[],
  { at, face }: Seen,
  step: 1 | -1,
  count: number,
): Rectangle[] {
  const way: Rectangle[] = []
  let box: Rectangle = face
  let speed = { x: 0, y: 0 }
  for (let done = 0; done < count; done += 1) {
    const from = shot[at + step * done]?.picture
    const to = shot[at + step * (done + 1)]?.picture
    if (from === undefined || to === undefined) break
    const guess = { ...box, x: box.x + speed.x, y: box.y + speed.y }
    const found = follow(from, to, box, guess)
    if (found.likeness < LEAST_LIKENESS) break
    speed = { x: found.x - box.x, y: found.y - box.y }
    box = { x: found.x, y: found.y, width: found.width, height: found.height }
    way.push(box)
  }
  return way
}

/**
 * Each box is also around where its neighbours say that it should be, which is a smaller box's
 * correction where an arm hid half of a face. The first and the last reach as far as the face may
 * have moved before the first picture and after the last.
 */
function steady(boxes: readonly Rectangle[]): Rectangle[] {
  return boxes.map((box, index) => {
    const [before, after] = [boxes[index - 1], boxes[index + 1]]
    if (before !== undefined && after !== undefined) return around(box, between(before, after, 0.5))
    const neighbour = before ?? after
    return neighbour === undefined ? box : around(box, between(neighbour, box, 2))
  })
}

function grown({ x, y, width, height }: Rectangle): Rectangle {
  return {
    x: x - (width * GROWTH) / 2,
    y: y - (height * GROWTH) / 2,
    width: width * (1 + GROWTH),
    height: height * (1 + GROWTH),
  }
}
