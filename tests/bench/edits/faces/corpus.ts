import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { photographs, type Photograph } from '#tests/fixtures/photographs.ts'

export const WIDTH = 1280
export const HEIGHT = 720
export const RATE = 25
const SHOT_S = 3
const SHOT_FRAMES = SHOT_S * RATE

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
interface Pose {
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
interface Shot {
  readonly name: string
  readonly photograph: number | null
  readonly pose: (share: number) => Pose
  readonly brightness?: number
  /** Something in the colour of skin that crosses the picture. */
  readonly bar?: (share: number) => Bar
}

const middle = { x: 512, y: 330 }
const still = (pose: Partial<Pose>) => (): Pose => ({ middle, degrees: 0, scale: 1, ...pose })

export const shots: readonly Shot[] = [
  {
    name: 'rolls to the right',
    photograph: 2,
    pose: (share) => ({ middle, degrees: 100 * share, scale: 0.95 }),
  },
  {
    name: 'rolls to the left',
    photograph: 5,
    pose: (share) => ({ middle, degrees: -100 * share, scale: 0.75 }),
  },
  {
    name: 'shrinks',
    photograph: 4,
    pose: (share) => ({ middle, degrees: 0, scale: 1.3 - 0.98 * share }),
  },
  {
    name: 'small',
    photograph: 3,
    pose: (share) => ({ middle: { x: 480 + 60 * share, y: 330 }, degrees: 0, scale: 0.36 }),
  },
  {
    name: 'dark',
    photograph: 0,
    brightness: 0.3,
    pose: (share) => ({ middle: { x: 420 + 160 * share, y: 300 }, degrees: 8, scale: 0.9 }),
  },
  {
    name: 'an arm crosses',
    photograph: 1,
    pose: still({ scale: 0.9 }),
    bar: (share) => ({ x: -200 + 1500 * share, y: 0, width: 130, height: HEIGHT }),
  },
  {
    name: 'pans',
    photograph: 5,
    pose: (share) => ({
      middle: { x: 512 + 330 * Math.sin(share * 4 * Math.PI), y: 330 },
      degrees: 0,
      scale: 0.8,
    }),
  },
  {
    name: 'lies',
    photograph: 3,
    pose: (share) => ({ middle: { x: 450 + 80 * share, y: 250 }, degrees: 90, scale: 0.8 }),
  },
  {
    name: 'hangs',
    photograph: 2,
    pose: (share) => ({ middle: { x: 480 + 60 * share, y: 250 }, degrees: 175, scale: 0.8 }),
  },
  { name: 'empty', photograph: null, pose: still({}) },
]

/** The middles of a face's nine parts, as shares of its sides. */
const SHARES = [1 / 6, 1 / 2, 5 / 6]

/** What can be seen of faces in a frame of the video. */
export function facesIn(frame: number): readonly TrueFace[] {
  const shot = shots[Math.floor(frame / SHOT_FRAMES)]
  const share = (frame % SHOT_FRAMES) / SHOT_FRAMES
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

export const FRAMES = shots.length * SHOT_FRAMES
/** The video; made once for this machine. */
export async function facesVideo(): Promise<string> {
  const folder = join(tmpdir(), 'onecut-bench-faces')
  const path = join(folder, 'faces-2.mp4')
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true })
  const pictures = await Promise.all(photographs.map(decoded))
  const size = `${WIDTH}x${HEIGHT}`
  const words =
    `-v error -y -f rawvideo -pix_fmt rgb24 -s ${size} -r ${RATE} -i - -c:v libx264 ` +
    `-preset veryfast -crf 20 -pix_fmt yuv420p -f mp4 ${path}.part`
  const encoder = spawn('ffmpeg', words.split(' '), { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(encoder, 'close')
  const noise = noiseOf(WIDTH * HEIGHT + 4096)
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const shot = shots[Math.floor(frame / SHOT_FRAMES)]
    const picture = pictures[shot?.photograph ?? -1]
    const share = (frame % SHOT_FRAMES) / SHOT_FRAMES
    if (shot === undefined) break
    const rgb = drawn(shot, share, picture, noise.subarray((frame * 613) % 4096))
    if (!encoder.stdin.write(rgb)) await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  await rename(`${path}.part`, path)
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
}

/** A photograph at the width at which its faces were written down, twice as fine. */
const FINER = 1.5

async function decoded({ path, height }: Photograph): Promise<Decoded> {
  const [wide, tall] = [1024 * FINER, Math.round(height * FINER)]
  const words = `-v error -i ${path} -vf scale=${wide}:${tall} -f rawvideo -pix_fmt rgb24 -`
  const decoder = spawn('ffmpeg', words.split(' '), { stdio: ['ignore', 'pipe', 'inherit'] })
  const pieces: Buffer[] = []
  for await (const piece of decoder.stdout) pieces.push(piece as Buffer)
  return { rgb: Buffer.concat(pieces), width: wide, height: tall }
}

/** One frame: the photograph as it lies, a soft ground beside it, the bar, and some noise. */
function drawn(
  { pose, brightness = 1, bar }: Shot,
  share: number,
  picture: Decoded | undefined,
  noise: Int8Array,
): Uint8Array {
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3)
  const { middle: at, degrees, scale } = pose(share)
  const hidden = bar?.(share)
  // Each shot has a ground of its own, as places have.
  const shade = 60 + ((shots.findIndex((each) => each.pose === pose) * 67) % 130)
  const turn = (degrees * Math.PI) / 180
  const [cosine, sine] = [Math.cos(turn) / scale, Math.sin(turn) / scale]
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      const to = (y * WIDTH + x) * 3
      const [right, down] = [x - WIDTH / 2, y - HEIGHT / 2]
      const fromX = Math.round((at.x + cosine * right + sine * down) * FINER)
      const fromY = Math.round((at.y - sine * right + cosine * down) * FINER)
      const isIn =
        picture !== undefined &&
        fromX >= 0 &&
        fromY >= 0 &&
        fromX < picture.width &&
        fromY < picture.height
      const from = isIn ? (fromY * picture.width + fromX) * 3 : -1
      const isBar = hidden !== undefined && isBehind(hidden, x, y)
      for (let part = 0; part < 3; part += 1) {
        const ground = shade + 40 * Math.sin(x / 90 + part) + 40 * Math.cos(y / 70 + share * 6)
        const value = isBar ? [214, 166, 140][part] : from < 0 ? ground : picture?.rgb[from + part]
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
