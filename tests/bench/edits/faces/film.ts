import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Photograph } from '#tests/fixtures/photographs.ts'

export const WIDTH = 1280
export const HEIGHT = 720
export const RATE = 25

/** A point of the picture, in pixels. */
interface Point {
  readonly x: number
  readonly y: number
}

/** A face that can be seen in one frame. */
export interface TrueFace {
  /** Nine points over it, in pixels. */
  readonly points: readonly Point[]
  /** The mean of its sides, in pixels. */
  readonly size: number
}

/** Where a photograph lies: what of it is in the middle, how it is turned, how large it is. */
export interface Pose {
  readonly middle: Point
  readonly degrees: number
  readonly scale: number
}

/** A rectangle that hides what is behind it. */
interface Bar extends Point {
  readonly width: number
  readonly height: number
}

/** One shot: a photograph that moves, 0..1 through it. */
export interface Shot {
  readonly name: string
  readonly photograph: number | null
  readonly pose: (share: number) => Pose
  /** How bright it is, by where on the screen. */
  readonly light?: number | ((x: number) => number)
  /** Something in the colour of skin that crosses the picture. */
  readonly bar?: (share: number) => Bar
  /** What all in the photograph wear over the face. */
  readonly worn?: 'mask' | 'glasses'
  /** For how much of the shot each picture is exposed. */
  readonly exposure?: number
}

/** Shots of photographs, one after the other with cuts between them. */
export interface Film {
  /** Names the file in which it is kept; changes with what it shows. */
  readonly name: string
  readonly photographs: readonly Photograph[]
  readonly shots: readonly Shot[]
  readonly shotFrames: number
}

export function framesOf({ shots, shotFrames }: Film): number {
  return shots.length * shotFrames
}

/** The middles of a face's nine parts, as shares of its sides. */
const SHARES = [1 / 6, 1 / 2, 5 / 6]

/** What can be seen of faces in a frame of the video. */
export function facesIn(film: Film, frame: number): readonly TrueFace[] {
  const { shots, shotFrames, photographs } = film
  const shot = shots[Math.floor(frame / shotFrames)]
  const share = (frame % shotFrames) / shotFrames
  if (shot === undefined || shot.photograph === null) return []
  const pose = shot.pose(share)
  const bar = shot.bar?.(share)
  const inView = ({ x, y }: Point): boolean =>
    x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT && !(bar !== undefined && isBehind(bar, x, y))
  return (photographs[shot.photograph]?.faces ?? []).flatMap(([x, y, width, height]) => {
    const all = SHARES.flatMap((down) =>
      SHARES.map((right) => shown({ x: x + right * width, y: y + down * height }, pose)),
    )
    const points = all.filter(inView)
    // By less than half of a face a person is not known.
    if (points.length < 5) return []
    return [{ points, size: ((width + height) / 2) * pose.scale }]
  })
}

/** The video; made once for this machine. */
export async function videoOf(film: Film): Promise<string> {
  const { name, shots, shotFrames, photographs } = film
  const folder = join(tmpdir(), 'onecut-bench-faces')
  const path = join(folder, `${name}.mp4`)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const pictures = await Promise.all(photographs.map(decoded))
  const size = `${WIDTH}x${HEIGHT}`
  // Another run may be making it too.
  const part = `${path}.${randomUUID()}.part`
  const words =
    `-v error -y -f rawvideo -pix_fmt rgb24 -s ${size} -r ${RATE} -i - -c:v libx264 ` +
    `-preset veryfast -crf 20 -pix_fmt yuv420p -f mp4 ${part}`
  const encoder = spawn('ffmpeg', words.split(' '), { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(encoder, 'close')
  const noise = noiseOf(WIDTH * HEIGHT + 4096)
  let frame = 0
  for (const [index, shot] of shots.entries()) {
    const picture = pictures[shot.photograph ?? -1]
    const shown = picture === undefined ? undefined : dressed(picture, shot.worn)
    for (let within = 0; within < shotFrames; within += 1) {
      const grain = noise.subarray((frame * 613) % 4096)
      const rgb = drawn({ ...shot, index }, within / shotFrames, shown, grain)
      if (!encoder.stdin.write(rgb)) await once(encoder.stdin, 'drain')
      frame += 1
    }
  }
  encoder.stdin.end()
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  await rename(part, path)
  return path
}

function isBehind({ x, y, width, height }: Bar, atX: number, atY: number): boolean {
  return atX >= x && atX < x + width && atY >= y && atY < y + height
}

/** Where a point of the photograph is on the screen. */
function shown({ x, y }: Point, { middle: at, degrees, scale }: Pose): Point {
  const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [right, down] = [x - at.x, y - at.y]
  return {
    x: WIDTH / 2 + scale * (cosine * right - sine * down),
    y: HEIGHT / 2 + scale * (sine * right + cosine * down),
  }
}

interface Decoded {
  readonly rgb: Uint8Array
  readonly width: number
  readonly height: number
  /** Its pixels by those in which the faces were written down. */
  readonly finer: number
  readonly faces: Photograph['faces']
}

/** Photographs are read at this width. */
const READ_WIDTH = 1536

async function decoded({ path, width, height, faces }: Photograph): Promise<Decoded> {
  const finer = READ_WIDTH / width
  const size = { width: READ_WIDTH, height: Math.round(height * finer) }
  const words = `-v error -i ${path} -vf scale=${size.width}:${size.height} -f rawvideo -pix_fmt rgb24 -`
  const decoder = spawn('ffmpeg', words.split(' '), { stdio: ['ignore', 'pipe', 'inherit'] })
  const pieces: Buffer[] = []
  for await (const piece of decoder.stdout) pieces.push(piece as Buffer)
  return { rgb: Buffer.concat(pieces), ...size, finer, faces }
}

/** From where to where on a face something is worn, by its height, and in which colour. */
const WORN = {
  mask: { top: 0.5, bottom: 1.05, colour: [176, 205, 222] },
  glasses: { top: 0.22, bottom: 0.45, colour: [22, 20, 24] },
} as const

/** The photograph with something over all faces. */
function dressed(picture: Decoded, worn: Shot['worn']): Decoded {
  if (worn === undefined) return picture
  const { top, bottom, colour } = WORN[worn]
  const rgb = picture.rgb.slice()
  for (const face of picture.faces) {
    const [x, y, width, height] = face.map((value) => Math.round(value * picture.finer))
    const [left = 0, above = 0, wide = 0, high = 0] = [x, y, width, height]
    for (let row = Math.round(above + top * high); row < above + bottom * high; row += 1)
      for (let column = left; column < left + wide; column += 1)
        rgb.set(colour, (row * picture.width + column) * 3)
  }
  return { ...picture, rgb }
}

/** So many moments of an exposure are mixed. */
const MOMENTS = 3

/** One frame, as long as it is exposed. */
function drawn(
  shot: Shot & { readonly index: number },
  share: number,
  picture: Decoded | undefined,
  noise: Int8Array,
): Uint8Array {
  const { exposure = 0 } = shot
  if (exposure === 0) return drawnAt(shot, share, picture, noise)
  const moments = Array.from({ length: MOMENTS }, (_, index) =>
    drawnAt(shot, share + exposure * (index / (MOMENTS - 1) - 0.5), picture, noise),
  )
  return Uint8Array.from(moments[0] ?? [], (_, at) => {
    return moments.reduce((sum, moment) => sum + (moment[at] ?? 0), 0) / MOMENTS
  })
}

const SKIN = [214, 166, 140] as const

/** One moment: the photograph as it lies, a soft ground beside it, the bar, and some noise. */
function drawnAt(
  { pose, light = 1, bar, index }: Shot & { readonly index: number },
  share: number,
  picture: Decoded | undefined,
  noise: Int8Array,
): Uint8Array {
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3)
  const { middle: at, degrees, scale } = pose(share)
  const hidden = bar?.(share)
  // Each shot has a ground of its own, as places have.
  const shade = 60 + ((index * 67) % 130)
  const turn = (degrees * Math.PI) / 180
  const [cosine, sine] = [Math.cos(turn) / scale, Math.sin(turn) / scale]
  const finer = picture?.finer ?? 1
  const lights = Float32Array.from({ length: WIDTH }, (_, x) =>
    typeof light === 'number' ? light : light(x),
  )
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      const to = (y * WIDTH + x) * 3
      const [right, down] = [x - WIDTH / 2, y - HEIGHT / 2]
      const fromX = Math.round((at.x + cosine * right + sine * down) * finer)
      const fromY = Math.round((at.y - sine * right + cosine * down) * finer)
      const isIn =
        picture !== undefined &&
        fromX >= 0 &&
        fromY >= 0 &&
        fromX < picture.width &&
        fromY < picture.height
      const from = isIn ? (fromY * picture.width + fromX) * 3 : -1
      const isBar = hidden !== undefined && isBehind(hidden, x, y)
      const brightness = lights[x] ?? 1
      for (let part = 0; part < 3; part += 1) {
        const value = isBar
          ? SKIN[part]
          : from < 0
            ? shade + 40 * Math.sin(x / 90 + part) + 40 * Math.cos(y / 70 + share * 6)
            : picture?.rgb[from + part]
        const grain = noise[y * WIDTH + x] ?? 0
        rgb[to + part] = Math.min(255, Math.max(0, (value ?? 0) * brightness + grain))
      }
    }
  return rgb
}

/** Noise that is the same on every machine. */
function noiseOf(length: number): Int8Array {
  let state = 1
  return Int8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 29) - 4
  })
}
