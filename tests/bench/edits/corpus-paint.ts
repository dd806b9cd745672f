import { randomFrom, type Scene } from './scene.ts'
import * as code from './time-code.ts'

/** A picture in 4:2:0 with the tables that all pictures share. */
export interface Canvas {
  readonly bytes: Uint8Array
  readonly grain: Int8Array
}

/** What stays the same in a scene; larger than the picture, so that the camera can move over it. */
export interface SceneLook {
  readonly ground: Uint8Array
  readonly subject: Uint8Array
  readonly colour: readonly [number, number]
  readonly skin: readonly [number, number]
  readonly speed: number
  readonly size: number
  readonly isCrawling: boolean
}

/** Of this module: a test runner reads an imported constant through a call, for each pixel. */
const [WIDTH, HEIGHT] = [code.WIDTH, code.HEIGHT]
const GROUND_WIDTH = WIDTH + 80
const GROUND_HEIGHT = HEIGHT + 60
const CHROMA = (WIDTH / 2) * (HEIGHT / 2)
const BLACK = 16

export function createCanvas(): Canvas {
  const random = randomFrom(77)
  const grain = Int8Array.from({ length: 1 << 18 }, () =>
    Math.round((random() + random() + random() - 1.5) * 5),
  )
  return { bytes: new Uint8Array(WIDTH * HEIGHT + 2 * CHROMA), grain }
}

/** Paints the picture of a scene, `inS` seconds after its cut. */
export function paintScene(
  canvas: Canvas,
  scene: Scene,
  frame: number,
  inS: number,
  looks: Map<number, SceneLook>,
): void {
  const look = looks.get(scene.look) ?? createLook(scene)
  looks.set(scene.look, look)
  if (scene.kind === 'black') {
    canvas.bytes.fill(BLACK, 0, WIDTH * HEIGHT)
    canvas.bytes.fill(128, WIDTH * HEIGHT)
    return
  }
  const moves = scene.kind === 'lively' || scene.kind === 'dim' || scene.kind === 'blurred'
  const at = moves ? inS : 0
  const shake = moves ? 6 : 0
  const crawl = look.isCrawling ? inS * 14 : 0
  const left = Math.round(40 + shake * Math.sin(at * 1.9) + Math.min(39, crawl))
  const top = Math.round(30 + shake * Math.cos(at * 1.3))
  paintGround(canvas, look, left, top)
  if (scene.kind !== 'title') paintSubject(canvas, look, at)
  const hasGrain = scene.kind !== 'title'
  const fade = scene.kind === 'title' ? Math.min(1, 0.2 + inS * 2) : 1
  finish(canvas, frame, hasGrain, (scene.kind === 'dim' ? 0.16 : 1) * fade)
}

function paintGround({ bytes }: Canvas, look: SceneLook, left: number, top: number): void {
  for (let row = 0; row < HEIGHT; row += 1) {
    const from = (row + top) * GROUND_WIDTH + left
    bytes.set(look.ground.subarray(from, from + WIDTH), row * WIDTH)
  }
  bytes.fill(look.colour[0], WIDTH * HEIGHT, WIDTH * HEIGHT + CHROMA)
  bytes.fill(look.colour[1], WIDTH * HEIGHT + CHROMA)
}

/** A textured ellipse on its way: what moves in the scene. */
function paintSubject({ bytes }: Canvas, look: SceneLook, at: number): void {
  const radius = look.size
  const x0 = WIDTH / 2 + 60 * Math.sin(at * look.speed)
  const y0 = HEIGHT / 2 + 24 * Math.sin(at * look.speed * 1.7 + 1)
  const stretch = 1.4 + 0.2 * Math.sin(at * 2.3)
  for (let y = Math.max(0, Math.floor(y0 - radius * stretch)); y < HEIGHT; y += 1) {
    const dy = (y - y0) / stretch
    if (dy > radius) break
    const half = Math.sqrt(Math.max(0, radius * radius - dy * dy))
    for (let x = Math.max(0, Math.ceil(x0 - half)); x < Math.min(WIDTH, x0 + half); x += 1) {
      const texture = ((Math.round(dy) + 64) & 127) * 128 + ((Math.round(x - x0) + 64) & 127)
      bytes[y * WIDTH + x] = look.subject[texture] ?? 0
      const chroma = WIDTH * HEIGHT + (y >> 1) * (WIDTH / 2) + (x >> 1)
      bytes[chroma] = look.skin[0]
      bytes[chroma + CHROMA] = look.skin[1]
    }
  }
}

function finish({ bytes, grain }: Canvas, frame: number, hasGrain: boolean, light: number): void {
  let from = Math.imul(frame + 1, 40_503) & (grain.length - 1)
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel += 1) {
    from = (from + 1) & (grain.length - 1)
    const value = BLACK + ((bytes[pixel] ?? 0) - BLACK) * light
    bytes[pixel] = Math.max(BLACK, Math.min(235, value + (hasGrain ? (grain[from] ?? 0) : 0)))
  }
  if (light === 1) return
  for (let pixel = WIDTH * HEIGHT; pixel < bytes.length; pixel += 1)
    bytes[pixel] = 128 + ((bytes[pixel] ?? 128) - 128) * light
}

function createLook({ kind, look }: Scene): SceneLook {
  const random = randomFrom(look + 1)
  const ground = kind === 'title' ? card(random) : landscape(random, kind === 'blurred' ? 7 : 1)
  const softness = kind === 'blurred' ? 5 : 1
  return {
    ground,
    subject: texture(random, 128, 128, softness, 90 + random() * 90, 60),
    colour: [110 + random() * 36, 110 + random() * 36],
    skin: [100 + random() * 16, 140 + random() * 20],
    speed: 1 + random() * 1.6,
    size: 30 + random() * 26,
    isCrawling: kind === 'title' && random() < 0.3,
  }
}

/** Letters on one colour or on a gradient. */
function card(random: () => number): Uint8Array {
  const picture = new Uint8Array(GROUND_WIDTH * GROUND_HEIGHT)
  const isLight = random() < 0.3
  const [low, high] = isLight ? [180, 40] : [25 + random() * 60, 225]
  const slope = random() < 0.5 ? 0 : 40 / GROUND_HEIGHT
  for (let y = 0; y < GROUND_HEIGHT; y += 1)
    picture.fill(low + y * slope, y * GROUND_WIDTH, (y + 1) * GROUND_WIDTH)
  const lines = 1 + Math.floor(random() * 5)
  const letter = 8 + Math.floor(random() * 16)
  for (let line = 0; line < lines; line += 1) {
    const top = Math.round(GROUND_HEIGHT / 2 + (line - lines / 2) * letter * 1.6)
    for (let x = 90; x < GROUND_WIDTH - 100; x += letter) {
      if (random() < 0.15) continue
      for (let stroke = 0; stroke < 3; stroke += 1) {
        const isUpright = random() < 0.5
        const dx = Math.floor(random() * (letter - 5))
        const dy = Math.floor(random() * (letter - 3))
        const [w, h] = isUpright
          ? [Math.ceil(letter / 6), letter]
          : [letter - 3, Math.ceil(letter / 6)]
        for (let y = top + (isUpright ? 0 : dy); y < top + (isUpright ? h : dy + h); y += 1) {
          const from = y * GROUND_WIDTH + x + (isUpright ? dx : 0)
          picture.fill(high, from, from + w)
        }
      }
    }
  }
  return picture
}

function landscape(random: () => number, softness: number): Uint8Array {
  return texture(random, GROUND_WIDTH, GROUND_HEIGHT, softness, 70 + random() * 90, 75)
}

/** Noise of several sizes, as nature has it; `softness` 1 keeps the finest. */
function texture(
  random: () => number,
  width: number,
  height: number,
  softness: number,
  mean: number,
  contrast: number,
): Uint8Array {
  const sum = new Float32Array(width * height)
  for (const size of [96, 48, 24, 12, 6, 3]) {
    if (size < softness * 3) continue
    const columns = Math.ceil(width / size) + 2
    const knots = Float32Array.from(
      { length: columns * (Math.ceil(height / size) + 2) },
      () => random() - 0.5,
    )
    const weight = Math.sqrt(size / 96)
    for (let y = 0; y < height; y += 1) {
      const row = Math.floor(y / size)
      const fy = y / size - row
      for (let x = 0; x < width; x += 1) {
        const column = Math.floor(x / size)
        const fx = x / size - column
        const at = row * columns + column
        const upper = (knots[at] ?? 0) * (1 - fx) + (knots[at + 1] ?? 0) * fx
        const lower = (knots[at + columns] ?? 0) * (1 - fx) + (knots[at + columns + 1] ?? 0) * fx
        sum[y * width + x] = (sum[y * width + x] ?? 0) + weight * (upper * (1 - fy) + lower * fy)
      }
    }
  }
  return Uint8Array.from(sum, (value) => Math.max(30, Math.min(220, mean + value * contrast)))
}
