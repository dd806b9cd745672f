/**
 * Landscapes drawn by arithmetic: what the pictures and loops of the product are made from, so that
 * they show no people and belong to no one else. The same scene and time give the same picture.
 */

type Colour = readonly [red: number, green: number, blue: number]

/** One line of hills, from the back to the front. */
interface Ridge {
  /** Where its middle is, from the top, as a share of the height. */
  readonly at: number
  readonly height: number
  /** Waves across the picture. */
  readonly waves: number
  readonly top: Colour
  readonly foot: Colour
  /** Widths of the picture a second. */
  readonly drift: number
  /** Trees on its line, as a share of the height; none when left out. */
  readonly trees?: number
  /** Snow reaches this far down from its line, as a share of the height. */
  readonly snow?: number
}

export interface Scene {
  readonly name: string
  /** From the top down to the horizon. */
  readonly sky: readonly [Colour, Colour, Colour]
  readonly light: {
    readonly x: number
    readonly y: number
    readonly size: number
    readonly colour: Colour
  }
  readonly stars?: boolean
  readonly aurora?: boolean
  readonly ridges: readonly Ridge[]
  /** The water's line as a share of the height; the picture above it is mirrored. */
  readonly water?: number
}

const rgb = (hex: number): Colour => [hex >> 16, (hex >> 8) & 255, hex & 255]

const ridge = (
  at: number,
  height: number,
  waves: number,
  top: number,
  foot: number,
  drift: number,
  more: Pick<Ridge, 'trees' | 'snow'> = {},
): Ridge => ({ at, height, waves, top: rgb(top), foot: rgb(foot), drift, ...more })

export const SCENES = [
  {
    name: 'dawn',
    sky: [rgb(0x2e2a66), rgb(0xd8697c), rgb(0xffd6a0)],
    light: { x: 0.66, y: 0.5, size: 0.05, colour: rgb(0xfff2cf) },
    ridges: [
      ridge(0.56, 0.07, 1.6, 0xc78395, 0xe8aa9e, 0.004),
      ridge(0.62, 0.1, 2.1, 0x9a5f86, 0xc98a96, 0.008),
      ridge(0.71, 0.12, 1.7, 0x6a437a, 0x97658a, 0.014),
      ridge(0.81, 0.1, 2.3, 0x432e62, 0x6a4678, 0.022, { trees: 0.02 }),
      ridge(0.94, 0.1, 1.9, 0x241c40, 0x382a55, 0.034, { trees: 0.045 }),
    ],
  },
  {
    name: 'sea',
    sky: [rgb(0x27407c), rgb(0xe2836a), rgb(0xffdf9f)],
    light: { x: 0.42, y: 0.46, size: 0.055, colour: rgb(0xfff6d8) },
    ridges: [
      ridge(0.53, 0.06, 1.3, 0x7a5a78, 0x9c6f7c, 0.003),
      ridge(0.57, 0.05, 2.4, 0x3e3352, 0x54425f, 0.006, { trees: 0.012 }),
    ],
    water: 0.6,
  },
  {
    name: 'aurora',
    sky: [rgb(0x050a1e), rgb(0x0d2340), rgb(0x1d4a5e)],
    light: { x: 0.2, y: 0.2, size: 0.018, colour: rgb(0xf3f6ff) },
    stars: true,
    aurora: true,
    ridges: [
      ridge(0.55, 0.11, 2.2, 0x10283f, 0x16384e, 0.003),
      ridge(0.62, 0.05, 2.8, 0x050d18, 0x081523, 0.006, { trees: 0.06 }),
    ],
    water: 0.68,
  },
  {
    name: 'desert',
    sky: [rgb(0x2f7fc4), rgb(0x8cc3e4), rgb(0xfbeccb)],
    light: { x: 0.78, y: 0.2, size: 0.03, colour: rgb(0xfffdf0) },
    ridges: [
      ridge(0.55, 0.05, 1.2, 0xd9b48a, 0xe9cfa8, 0.003),
      ridge(0.63, 0.09, 1.1, 0xd39a5c, 0xe8bc80, 0.009),
      ridge(0.75, 0.11, 0.9, 0xb9743a, 0xdb9f58, 0.016),
      ridge(0.93, 0.12, 0.8, 0x8a4d26, 0xbd7739, 0.028),
    ],
  },
  {
    name: 'forest',
    sky: [rgb(0x6d8f92), rgb(0xa9c2bb), rgb(0xe6ebd9)],
    light: { x: 0.3, y: 0.3, size: 0.04, colour: rgb(0xfffbe8) },
    ridges: [
      ridge(0.48, 0.09, 1.7, 0x8aa8a2, 0xc3d3c6, 0.003, { trees: 0.03 }),
      ridge(0.6, 0.1, 1.4, 0x567c77, 0xa3bcb0, 0.008, { trees: 0.05 }),
      ridge(0.74, 0.1, 1.9, 0x2d534f, 0x6f938a, 0.015, { trees: 0.075 }),
      ridge(0.95, 0.1, 1.5, 0x112a2b, 0x24474a, 0.028, { trees: 0.12 }),
    ],
  },
  {
    name: 'peaks',
    sky: [rgb(0x1b2a5a), rgb(0x6d7fc0), rgb(0xf0c6cf)],
    light: { x: 0.82, y: 0.28, size: 0.035, colour: rgb(0xffffff) },
    ridges: [
      ridge(0.44, 0.2, 2.6, 0x5d6fa8, 0x9aa5d0, 0.003, { snow: 0.11 }),
      ridge(0.57, 0.14, 2.2, 0x3d4c86, 0x6f7db5, 0.008, { snow: 0.05 }),
      ridge(0.72, 0.08, 1.6, 0x25315f, 0x43528a, 0.014, { trees: 0.03 }),
    ],
    water: 0.76,
  },
] as const satisfies readonly Scene[]

/** Draws a scene at a time as rows of red, green, blue. */
export function drawScene(scene: Scene, atS: number, width: number, height: number): Buffer {
  const picture = Buffer.alloc(width * height * 3)
  const horizon = Math.round((scene.water ?? 1) * height)
  drawSky(picture, scene, atS, width, horizon, height)
  for (const [index, each] of scene.ridges.entries())
    drawRidge(picture, each, index, atS, width, horizon, height)
  if (scene.water !== undefined) mirror(picture, scene, atS, width, horizon, height)
  return picture
}

function drawSky(
  picture: Buffer,
  scene: Scene,
  atS: number,
  width: number,
  bottom: number,
  height: number,
): void {
  const { light } = scene
  for (let y = 0; y < bottom; y += 1) {
    const base = skyAt(scene, y / height / 0.6)
    for (let x = 0; x < width; x += 1) {
      const distance = Math.hypot(x / width - light.x, ((y / height - light.y) * height) / width)
      const disc = smooth((light.size - distance) / 0.004)
      const glow =
        0.55 * Math.exp(-distance / (light.size * 3.2)) * (scene.stars === true ? 0.4 : 1)
      const veil = scene.aurora === true ? auroraAt(x / width, y / height, atS) : 0
      const star = scene.stars === true ? starAt(x, y, width, height, atS) : 0
      const cloud = scene.stars === true ? 0 : cloudAt(x / width, y / height, atS)
      put(picture, (y * width + x) * 3, x, y, [
        base[0] + (light.colour[0] - base[0]) * Math.min(1, disc + glow + cloud) + veil * 60 + star,
        base[1] +
          (light.colour[1] - base[1]) * Math.min(1, disc + glow + cloud) +
          veil * 235 +
          star,
        base[2] +
          (light.colour[2] - base[2]) * Math.min(1, disc + glow + cloud) +
          veil * 150 +
          star,
      ])
    }
  }
}

function skyAt({ sky }: Scene, share: number): Colour {
  return share < 0.55
    ? mix(sky[0], sky[1], smoothStep(share / 0.55))
    : mix(sky[1], sky[2], smoothStep((share - 0.55) / 0.45))
}

/** Thin bands that drift. */
function cloudAt(x: number, y: number, atS: number): number {
  const waves =
    Math.sin(x * 5 + y * 31 + atS * 0.05) +
    Math.sin(x * 11 - y * 47 + atS * 0.08 + 2) +
    Math.sin(x * 2.3 + y * 83 + 5 - atS * 0.03)
  return Math.max(0, waves - 1.1) * 0.16 * smooth(y * 4) * smooth((0.55 - y) * 5)
}

/** Curtains of light. */
function auroraAt(x: number, y: number, atS: number): number {
  const fold = x + 0.05 * Math.sin(x * 7 + atS * 0.35) + 0.03 * Math.sin(x * 17 - atS * 0.5)
  const foot = 0.42 + 0.09 * Math.sin(fold * 5 + 1 + atS * 0.1)
  const rays = 0.55 + 0.25 * Math.sin(fold * 60 + atS * 0.7) + 0.2 * Math.sin(fold * 23 - atS * 0.4)
  const rise = y < foot ? Math.exp((y - foot) * 6.5) : Math.exp((foot - y) * 45)
  return 0.55 * rays * rise * (0.35 + 0.65 * Math.sin(fold * 3 + 0.4) ** 2)
}

function starAt(x: number, y: number, width: number, height: number, atS: number): number {
  const cell = Math.max(2, Math.round(width / 320))
  const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
  const chance = noiseAt(column * 7919 + row * 104_729)
  if (chance < 0.9965 || x % cell > cell / 2 || y % cell > cell / 2 || y > height * 0.6) return 0
  return (130 + 90 * Math.sin(atS * 2 + chance * 90_000)) * (1 - y / height)
}

function drawRidge(
  picture: Buffer,
  each: Ridge,
  index: number,
  atS: number,
  width: number,
  bottom: number,
  height: number,
): void {
  for (let x = 0; x < width; x += 1) {
    const place = x / width + each.drift * atS
    const line = (each.at - each.height * hillAt(place * each.waves, index)) * height
    const top = line - treeAt(place, index) * (each.trees ?? 0) * height
    const snow = (each.snow ?? 0) * height * (0.55 + 0.45 * hillAt(place * 19, index + 9))
    for (let y = Math.max(0, Math.floor(top)); y < bottom; y += 1) {
      const share = Math.min(1, (y - line) / (height * 0.22))
      const cover = Math.min(1, y - top + 1)
      const isSnow = y - line < snow && snow > 0 && y >= line
      const colour = isSnow
        ? mix(rgb(0xf4f6ff), each.top, Math.max(0, (y - line) / snow) * 0.75)
        : mix(each.top, each.foot, Math.max(0, share))
      const at = (y * width + x) * 3
      put(picture, at, x, y, [
        blend(picture[at], colour[0], cover),
        blend(picture[at + 1], colour[1], cover),
        blend(picture[at + 2], colour[2], cover),
      ])
    }
  }
}

/** Between 0 and 1, mostly low, with peaks. */
function hillAt(place: number, seed: number): number {
  let sum = 0
  let weight = 0.5
  for (let octave = 0; octave < 6; octave += 1) {
    sum += weight * valueAt(place * 2 ** octave * 2 + seed * 17.3 + octave * 5.1)
    weight *= 0.48
  }
  return Math.min(1, sum)
}

/** A row of firs: pointed, of different heights, with gaps. */
function treeAt(place: number, seed: number): number {
  const scale = 70
  const number = Math.floor(place * scale + seed * 31)
  let highest = 0
  for (const near of [number - 1, number, number + 1]) {
    const size = 0.35 + 0.65 * noiseAt(near * 3 + seed)
    const middle = near + 0.5 + 0.5 * (noiseAt(near * 5 + seed) - 0.5)
    const away = Math.abs(place * scale + seed * 31 - middle)
    const branches = 0.06 * Math.sin(away * 70)
    highest = Math.max(highest, size * (1 - away / (0.42 + 0.2 * size)) + branches * size)
  }
  return Math.max(0, highest)
}

/** The water shows what stands above it, darker, in waves that grow towards the front. */
function mirror(
  picture: Buffer,
  scene: Scene,
  atS: number,
  width: number,
  horizon: number,
  height: number,
): void {
  const { light } = scene
  for (let y = horizon; y < height; y += 1) {
    const depth = (y - horizon) / (height - horizon)
    const size = (0.4 + depth * 9) * (height / 540)
    const phase = 260 / (depth + 0.06)
    for (let x = 0; x < width; x += 1) {
      const wave =
        Math.sin(phase * 0.11 + atS * 1.6 + x * 0.004 * (1 - depth)) +
        0.6 * Math.sin(phase * 0.23 - atS * 2.1 + x * 0.013)
      const from = Math.round(horizon - 1 - (y - horizon) * 0.85 + wave * size)
      const row = Math.max(0, Math.min(horizon - 1, from))
      const column = Math.max(0, Math.min(width - 1, Math.round(x + wave * size * 0.4)))
      const source = (row * width + column) * 3
      const away = Math.abs(x / width - light.x) / (0.03 + depth * 0.1)
      const shine =
        Math.max(0, wave - 0.55) * Math.exp(-away * away) * (scene.stars === true ? 0.1 : 0.7)
      const dark = 0.82 - depth * 0.28
      put(picture, (y * width + x) * 3, x, y, [
        (picture[source] ?? 0) * dark + light.colour[0] * shine,
        (picture[source + 1] ?? 0) * dark + light.colour[1] * shine,
        (picture[source + 2] ?? 0) * dark + 6 + light.colour[2] * shine,
      ])
    }
  }
}

/** Writes one point; a fixed pattern of less than one step hides the bands of wide gradients. */
function put(picture: Buffer, at: number, x: number, y: number, colour: Colour): void {
  const step = ((x * 3 + y * 5) & 7) / 8
  for (const channel of [0, 1, 2] as const)
    picture[at + channel] = Math.max(0, Math.min(255, Math.floor(colour[channel] + step)))
}

function mix(from: Colour, to: Colour, share: number): Colour {
  return [blend(from[0], to[0], share), blend(from[1], to[1], share), blend(from[2], to[2], share)]
}

function blend(from: number | undefined, to: number, share: number): number {
  return (from ?? 0) + (to - (from ?? 0)) * share
}

function smooth(value: number): number {
  return Math.max(0, Math.min(1, value))
}

function smoothStep(value: number): number {
  const share = smooth(value)
  return share * share * (3 - 2 * share)
}

/** Smooth noise on a line, 0 to 1. */
function valueAt(place: number): number {
  const whole = Math.floor(place)
  return blend(noiseAt(whole), noiseAt(whole + 1), smoothStep(place - whole))
}

/** 0 to 1, the same for the same number. */
function noiseAt(number: number): number {
  const mixed = Math.sin(number * 127.1 + 311.7) * 43_758.545_3
  return mixed - Math.floor(mixed)
}
