import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Photograph } from '#tests/fixtures/photographs.ts'
import { HEIGHT, WIDTH, type Film, type Pose, type Shot } from './film.ts'

/**
 * Faces on which no rule of the search was set: the photographs in `examples/faces` of the Debian
 * source package dlib, with 68 faces. `ONECUT_FACE_PHOTOGRAPHS` names their folder, and no file of
 * them is kept here. Null = it is not named.
 */
export function strangers(folder: string | undefined): Film | null {
  if (folder === undefined) return null
  const photographs = all.map(([name, width, height, faces]): Photograph => {
    const path = join(folder, name)
    if (!existsSync(path)) throw new Error(`ONECUT_FACE_PHOTOGRAPHS has no ${name}`)
    return { path, width, height, faces }
  })
  return { name: 'strangers-1', photographs, shots, shotFrames: 45 }
}

type Row = readonly [name: string, width: number, height: number, faces: Photograph['faces']]

const family: Row = [
  '2007_007763.jpg',
  500,
  375,
  [
    [300, 81, 34, 44],
    [200, 90, 31, 37],
    [99, 193, 30, 35],
    [183, 209, 29, 39],
    [164, 116, 27, 35],
    [317, 232, 39, 46],
    [389, 84, 45, 52],
  ],
]
const embrace: Row = [
  '2008_001009.jpg',
  360,
  480,
  [
    [136, 205, 88, 98],
    [150, 71, 75, 90],
  ],
]
const garden: Row = [
  '2008_001322.jpg',
  500,
  375,
  [
    [233, 209, 63, 76],
    [105, 155, 66, 85],
    [354, 150, 86, 108],
  ],
]
const dinner: Row = [
  '2008_002079.jpg',
  500,
  375,
  [
    [411, 162, 33, 41],
    [440, 161, 50, 59],
    [60, 126, 36, 48],
    [348, 133, 32, 40],
    [40, 183, 40, 58],
    [125, 130, 30, 43],
  ],
]
const bar: Row = [
  '2008_002470.jpg',
  500,
  332,
  [
    [276, 171, 48, 62],
    [237, 69, 36, 45],
    [183, 81, 31, 39],
    [329, 45, 43, 56],
    [152, 166, 30, 34],
    [56, 150, 42, 53],
  ],
]
const friends: Row = [
  '2008_002506.jpg',
  500,
  375,
  [
    [341, 80, 106, 128],
    [226, 80, 86, 118],
    [113, 55, 92, 105],
  ],
]
const shop: Row = [
  '2008_004176.jpg',
  480,
  438,
  [
    [205, 227, 34, 41],
    [194, 75, 30, 39],
    [284, 98, 31, 36],
    [108, 78, 34, 42],
    [225, 93, 32, 37],
    [166, 115, 32, 37],
    [329, 75, 31, 41],
  ],
]
const night: Row = [
  '2008_007676.jpg',
  500,
  334,
  [
    [225, 54, 35, 46],
    [317, 115, 34, 42],
    [107, 132, 50, 61],
    [265, 125, 37, 42],
    [193, 105, 44, 53],
    [366, 126, 36, 44],
    [136, 78, 41, 52],
  ],
]
const pair: Row = [
  '2009_004587.jpg',
  400,
  500,
  [
    [267, 275, 58, 69],
    [147, 38, 75, 85],
  ],
]
const near: Row = ['Tom_Cruise_avp_2014_4.jpg', 565, 800, [[93, 180, 400, 555]]]
const wall: Row = [
  'bald_guys.jpg',
  1986,
  1545,
  [
    [383, 755, 228, 315],
    [356, 1202, 203, 278],
    [1457, 69, 286, 354],
    [327, 429, 130, 173],
    [1126, 1061, 119, 161],
    [1798, 1300, 135, 170],
    [1451, 1314, 115, 150],
    [56, 968, 130, 171],
    [1067, 737, 168, 224],
    [72, 674, 143, 205],
    [770, 781, 168, 236],
    [1829, 411, 97, 141],
    [886, 80, 143, 211],
    [558, 402, 168, 221],
    [341, 32, 100, 138],
    [548, 71, 175, 223],
    [1083, 1279, 164, 218],
    [61, 355, 157, 209],
    [871, 372, 162, 218],
    [69, 47, 151, 215],
    [72, 1277, 157, 215],
    [764, 1211, 176, 222],
    [332, 219, 101, 131],
    [1650, 691, 85, 119],
  ],
]
const dogs: Row = ['dogs.jpg', 900, 916, []]
const all = [
  family,
  embrace,
  garden,
  dinner,
  bar,
  friends,
  shop,
  night,
  pair,
  near,
  wall,
  dogs,
] as const

/** A photograph that moves a little to the right while its scale and its turn change. */
function moving(
  row: Row,
  scale: readonly [number, number],
  degrees: readonly [number, number] = [0, 0],
  middle = { x: row[1] / 2, y: row[2] / 2 },
): Pick<Shot, 'photograph' | 'pose'> {
  const between = ([from, to]: readonly [number, number], share: number): number =>
    from + (to - from) * share
  const pose = (share: number): Pose => ({
    middle: { x: middle.x + (share - 0.5) * 0.06 * row[1], y: middle.y },
    degrees: between(degrees, share),
    scale: between(scale, share),
  })
  return { photograph: all.indexOf(row), pose }
}

const shots: readonly Shot[] = [
  { name: 'seven at home', ...moving(family, [1.7, 2]) },
  { name: 'cheek to cheek, rolling', ...moving(embrace, [1.4, 1.4], [0, 90]) },
  {
    name: 'light from one side',
    ...moving(garden, [1.6, 1.6]),
    light: (x) => 0.15 + 1.4 * (x / WIDTH),
  },
  { name: 'a table, some from the side', ...moving(dinner, [1.2, 2.2]) },
  { name: 'a dark bar', ...moving(bar, [1.8, 1.8]), light: 0.35 },
  {
    name: 'shaken and blurred',
    photograph: all.indexOf(friends),
    pose: (share) => ({
      middle: { x: 250 + 70 * Math.sin(share * 6 * Math.PI), y: 187 },
      degrees: 10,
      scale: 1.5,
    }),
    exposure: 0.5 / 45,
  },
  { name: 'small in a shop', ...moving(shop, [1.15, 1.15]) },
  { name: 'head down', ...moving(night, [1.8, 1.8], [180, 170]) },
  { name: 'with masks', ...moving(pair, [1.4, 1.4]), worn: 'mask' },
  { name: 'with dark glasses', ...moving(bar, [2, 2]), worn: 'glasses' },
  {
    name: 'an arm crosses',
    ...moving(shop, [1.6, 1.6]),
    bar: (share) => ({ x: -200 + 1500 * share, y: 0, width: 130, height: HEIGHT }),
  },
  {
    name: 'half outside',
    ...moving(friends, [1.5, 1.5], [0, 0], { x: 150 + WIDTH / 3, y: 100 + HEIGHT / 3 }),
  },
  { name: 'fills the picture', ...moving(near, [1.05, 1.2], [0, 12], { x: 290, y: 450 }) },
  { name: 'a wall of faces', ...moving(wall, [0.46, 0.46]) },
  { name: 'lying', ...moving(family, [1.6, 1.6], [-90, -80]) },
  { name: 'two dogs', ...moving(dogs, [0.75, 0.75]) },
]
