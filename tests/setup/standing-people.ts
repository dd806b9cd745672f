import type { Size } from '#recipes/picture.ts'
import { cutOutPeople, type CutOutPerson } from '#tests/fixtures/cut-out-people.ts'
import { photographs } from '#tests/fixtures/photographs.ts'
import { rawPictures } from './raw-pictures.ts'

/** A face in pixels of the film. */
export interface FaceInFilm {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** One or two people, all of their heads in the picture, before a ground that is out of focus. */
export interface Standing {
  readonly people: readonly Placed[]
  /** Number of the photograph that is the ground, blurred. */
  readonly ground: number
  /** How far the camera moves to a side, in pixels a second. */
  readonly speed: number
  /** Where the table before them begins; the height of the picture where there is none. */
  readonly tableTop: number
}

interface Placed {
  /** Their number among `cutOutPeople`. */
  readonly person: number
  readonly scale: number
  /** Left and top of the box around their outline, in pixels of the film. */
  readonly left: number
  readonly top: number
  readonly isMirrored: boolean
}

/** People move a little to both sides: this share of the picture's width, so often a second. */
const SWAY = 0.008
const SWAYS_A_SECOND = 0.3

/** Two of four shots have a table, one of three a camera that rests. */
export function standingOf(
  random: () => number,
  cast: readonly number[],
  seconds: number,
  { width, height }: Size,
): Standing {
  const isWide = width > height
  const tableTop = isWide
    ? Math.round(height * (random() < 0.5 ? 1 : 0.78 + 0.14 * random()))
    : Math.round(height * (0.72 + 0.2 * random()))
  const speed = random() < 1 / 3 ? 0 : ((random() - 0.5) * 0.16 * width) / Math.max(3, seconds)
  const count = isWide && random() < 0.4 ? 2 : 1
  const first = Math.floor(random() * cast.length)
  const people = Array.from({ length: count }, (_, index): Placed => {
    const person = cast[(first + index) % cast.length] ?? 0
    const { face, outline } = cutOutPeople[person] ?? { face: [0, 0, 1, 1], outline: [] }
    const box = boxAround(outline)
    const top = height * (0.06 + 0.06 * random())
    // Without a table the picture ends before the outline does.
    const closer = tableTop === height ? 1 + 0.3 * random() : 1
    const scale = (closer * (tableTop - top)) / (box.bottom - box.top)
    const isMirrored = random() < 0.5
    const middle = isMirrored ? box.right - face[0] - face[2] / 2 : face[0] + face[2] / 2 - box.left
    const spread = isWide ? 0.36 + 0.28 * random() : 0.45 + 0.1 * random()
    const at = count === 1 ? spread : 0.29 + 0.42 * index
    const left = at * width - middle * scale + (speed * seconds) / 2
    return { person, scale, left, top, isMirrored }
  })
  const ground = Math.floor(random() * photographs.length)
  return { people, ground, speed, tableTop }
}

/** Where their faces are `inS` seconds after the cut. */
export function facesStanding(standing: Standing, inS: number, size: Size): readonly FaceInFilm[] {
  return standing.people.map((placed, index) => {
    const { face, outline } = cutOutPeople[placed.person] ?? { face: [0, 0, 1, 1], outline: [] }
    const box = boxAround(outline)
    const [x, y, wide, high] = face
    const from = leftOf(standing, index, inS, size)
    const left = from + placed.scale * (placed.isMirrored ? box.right - x - wide : x - box.left)
    const top = placed.top + placed.scale * (y - box.top)
    return { left, top, right: left + wide * placed.scale, bottom: top + high * placed.scale }
  })
}

function leftOf({ people, speed }: Standing, index: number, inS: number, { width }: Size): number {
  const sway = SWAY * width * Math.sin(2 * Math.PI * (SWAYS_A_SECOND * inS + index / 3))
  return (people[index]?.left ?? 0) - speed * inS + sway
}

function boxAround(outline: CutOutPerson['outline']): FaceInFilm {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)]
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  }
}

/** Brightness and two colours, each of all pixels. */
interface Planes {
  readonly size: Size
  readonly bytes: Uint8Array
}

/** Pictures of a shot in 4:2:0, one after the other, 25 a second. */
export async function paintStanding(
  standing: Standing,
  frames: number,
  size: Size,
  rate: number,
): Promise<readonly Uint8Array[]> {
  const seconds = frames / rate
  const moved = Math.ceil(Math.abs(standing.speed) * seconds) + 2
  const ground = await groundOf(standing, { width: size.width + moved, height: size.height })
  const people = await Promise.all(standing.people.map(cutOut))
  return Array.from({ length: frames }, (_, frame) => {
    const inS = frame / rate
    const from = Math.round(standing.speed * inS) + (standing.speed < 0 ? moved - 1 : 0)
    const picture = partOf(ground, from, size)
    for (const [index, { planes, mask }] of people.entries()) {
      const left = Math.round(leftOf(standing, index, inS, size))
      lay(picture, planes, mask, left, Math.round(standing.people[index]?.top ?? 0))
    }
    layTable(picture, standing.tableTop)
    return halved(picture)
  })
}

async function groundOf({ ground }: Standing, size: Size): Promise<Planes> {
  const sides = `${size.width}:${size.height}`
  const filter = `scale=${sides}:force_original_aspect_ratio=increase,crop=${sides},gblur=sigma=${Math.round(size.height / 7)},eq=brightness=-0.05,format=yuv444p`
  const bytes = await rawPictures(photographs[ground]?.path ?? '', filter, { count: 1 })
  return { size, bytes }
}

async function cutOut({ person, scale, isMirrored }: Placed) {
  const { photograph, outline } = cutOutPeople[person] ?? {
    photograph: photographs[0],
    outline: [],
  }
  const box = boxAround(outline)
  const size = {
    width: Math.round((box.right - box.left) * scale),
    height: Math.round((box.bottom - box.top) * scale),
  }
  const { path = '', width = 0, height = 0 } = photograph ?? {}
  const crop = `${box.right - box.left}:${box.bottom - box.top}:${box.left}:${box.top}`
  const mirror = isMirrored ? 'hflip,' : ''
  const filter = `scale=${width}:${height},format=yuv444p,crop=${crop},${mirror}scale=${size.width}:${size.height}`
  const bytes = await rawPictures(path, filter, { count: 1 })
  const line = outline.map(([x, y]): readonly [number, number] => [
    (isMirrored ? box.right - x : x - box.left) * scale,
    (y - box.top) * scale,
  ])
  return { planes: { size, bytes }, mask: softened(maskOf(line, size), size) }
}

/** 1 within a line, 0 beside it. */
function maskOf(line: readonly (readonly [number, number])[], { width, height }: Size) {
  const mask = new Float32Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const crossed = line
      .flatMap(([x1, y1], index) => {
        const [x2, y2] = line[(index + 1) % line.length] ?? [0, 0]
        const isCrossed = y1 <= y + 0.5 !== y2 <= y + 0.5
        return isCrossed ? [x1 + ((y + 0.5 - y1) / (y2 - y1)) * (x2 - x1)] : []
      })
      .toSorted((a, b) => a - b)
    for (let at = 0; at + 1 < crossed.length; at += 2)
      mask.fill(1, y * width + Math.ceil(crossed[at] ?? 0), y * width + (crossed[at + 1] ?? 0))
  }
  return mask
}

/** The mean of a few pixels around each, because hair has no edge. */
function softened(mask: Float32Array, { width, height }: Size): Float32Array {
  const reach = Math.max(1, Math.round(height / 60))
  const along = (
    from: Float32Array,
    step: number,
    length: number,
    others: number,
    next: number,
  ) => {
    const to = new Float32Array(from.length)
    for (let other = 0; other < others; other += 1)
      for (let at = 0; at < length; at += 1) {
        let sum = 0
        for (let by = -reach; by <= reach; by += 1)
          sum += from[other * next + Math.min(length - 1, Math.max(0, at + by)) * step] ?? 0
        to[other * next + at * step] = sum / (2 * reach + 1)
      }
    return to
  }
  return along(along(mask, 1, width, height, width), width, height, width, 1)
}

function partOf({ size, bytes }: Planes, left: number, part: Size): Planes {
  const own = new Uint8Array(3 * part.width * part.height)
  for (let row = 0; row < 3 * size.height; row += 1) {
    const from = row * size.width + left
    own.set(bytes.subarray(from, from + part.width), row * part.width)
  }
  return { size: part, bytes: own }
}

function lay(under: Planes, over: Planes, mask: Float32Array, left: number, top: number): void {
  const [{ width, height }, own] = [under.size, over.size]
  for (let y = Math.max(0, -top); y < own.height && y + top < height; y += 1)
    for (let x = Math.max(0, -left); x < own.width && x + left < width; x += 1) {
      const share = mask[y * own.width + x] ?? 0
      if (share === 0) continue
      for (let plane = 0; plane < 3; plane += 1) {
        const to = (plane * height + y + top) * width + x + left
        const from = (plane * own.height + y) * own.width + x
        under.bytes[to] = share * (over.bytes[from] ?? 0) + (1 - share) * (under.bytes[to] ?? 0)
      }
    }
}

/** Brown wood, darker towards the viewer. */
function layTable({ size: { width, height }, bytes }: Planes, top: number): void {
  for (let y = top; y < height; y += 1) {
    const light = y - top < height / 90 ? 120 : 78 - (24 * (y - top)) / height
    for (const [plane, value] of [light, 112, 142].entries())
      bytes.fill(value, (plane * height + y) * width, (plane * height + y + 1) * width)
  }
}

/** The colours of every other pixel of every other row. */
function halved({ size: { width, height }, bytes }: Planes): Uint8Array {
  const pixels = width * height
  const own = new Uint8Array(pixels * 1.5)
  own.set(bytes.subarray(0, pixels))
  let to = pixels
  for (let plane = 1; plane < 3; plane += 1)
    for (let y = 0; y < height; y += 2)
      for (let x = 0; x < width; x += 2) {
        own[to] = bytes[plane * pixels + y * width + x] ?? 0
        to += 1
      }
  return own
}
