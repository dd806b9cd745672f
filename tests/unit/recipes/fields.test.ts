import { expect, it } from 'vitest'
import { FIELDS, fieldOrderIn, mayHoldFields, readFields } from '#recipes/fields.ts'

const [WIDTH, HEIGHT, PICTURES] = [FIELDS.columns, 64, 11]
/** The brightness of a point at a time, counted in pictures. */
type Scene = (x: number, y: number, time: number) => number
/** When the upper and the lower rows of each picture were taken, counted in pictures. */
type Clock = (picture: number) => { readonly top: number; readonly bottom: number }

const CLOCKS = {
  top: (at) => ({ top: at, bottom: at + 0.5 }),
  bottom: (at) => ({ top: at + 0.5, bottom: at }),
  whole: (at) => ({ top: at, bottom: at }),
  // Four pictures of a film fill ten fields: the third and fourth of five pictures are mixed.
  film: (at) => ({
    top: Math.floor((at * 4) / 5 + 0.01),
    bottom: Math.floor((at * 4) / 5 + 0.41),
  }),
} satisfies Readonly<Record<string, Clock>>

const person: Scene = (x, y, time) =>
  128 + 60 * Math.sin((x + 4 * time) / 5) + 40 * Math.sin(y / 3 + x / 7)
const SCENES = {
  person,
  'a small thing before a wall': (x, y, time) =>
    Math.abs(x - 40 - 3 * time) < 5 && y > 10 && y < 40 ? 200 : 60 + 20 * Math.sin(x + y),
  'a pan up': (x, y, time) => person(x, y + 1.3 * time, 0),
  'a shaking hand': (x, y, time) =>
    person(x + 5 * Math.sin(time / 2), y + 3 * Math.cos(time / 3), time),
  'stripes that stand still': (_x, y) => (y % 2 === 0 ? 235 : 16),
  'stripes that fade in': (_x, y, time) => (y % 2 === 0 ? 20 * time : 16),
  'stripes that change places': (_x, y, time) => ((y + Math.round(time)) % 2 === 0 ? 235 : 16),
  'a person behind stripes': (x, y, time) => (y % 2 === 0 ? 16 : person(x, y, time)),
  'fine stripes that move': (_x, y, time) => 128 + 100 * Math.sin((y + time / 2) * Math.PI * 0.9),
  nothing: () => 90,
  'a fade': (x, y, time) => (person(x, y, 0) * time) / 20,
} satisfies Readonly<Record<string, Scene>>

/** The same in each run. */
function grain(at: number): number {
  const wave = Math.sin(at * 12.9898) * 43_758.5453
  return 8 * (wave - Math.floor(wave)) - 4
}

function filmed(scene: Scene, clock: Clock): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT * PICTURES }, (_, at) => {
    const picture = Math.floor(at / (WIDTH * HEIGHT))
    const y = Math.floor(at / WIDTH) % HEIGHT
    const { top, bottom } = clock(picture)
    return Math.max(0, Math.min(255, scene(at % WIDTH, y, y % 2 === 0 ? top : bottom) + grain(at)))
  })
}
const orderOf = (...places: Uint8Array[]) =>
  fieldOrderIn(places.map((bytes) => readFields(bytes, { height: HEIGHT })))
const MOVING = ['person', 'a small thing before a wall', 'a pan up', 'a shaking hand'] as const

it.each(MOVING)('SRC-05 which field of %s comes first is seen in the pictures', (name) => {
  const scene: Scene = SCENES[name]
  expect(orderOf(filmed(scene, CLOCKS.top))).toBe('top')
  expect(orderOf(filmed(scene, CLOCKS.bottom))).toBe('bottom')
})

it.each(Object.entries(SCENES))(
  'SRC-05 whole pictures of %s are not taken for fields',
  (_, scene) => {
    expect(orderOf(filmed(scene, CLOCKS.whole))).toBeNull()
  },
)

it('SRC-05 a film that is shown as television stays as it is', () => {
  expect(orderOf(filmed(person, CLOCKS.film))).toBeNull()
})

it('SRC-05 of a video that is whole in part, the fields of the rest count', () => {
  const [fields, whole] = [filmed(person, CLOCKS.bottom), filmed(person, CLOCKS.whole)]
  const still = filmed(SCENES.nothing, CLOCKS.whole)
  expect(orderOf(whole, fields, whole, fields, still)).toBe('bottom')
  expect(orderOf(whole, whole, fields, whole, whole)).toBeNull()
  expect(orderOf(still, still, fields)).toBe('bottom')
  expect(orderOf(new Uint8Array(), fields.subarray(0, WIDTH * HEIGHT))).toBeNull()
})

it('SRC-05 only pictures of the sizes and rates of television are looked at', () => {
  expect(mayHoldFields({ height: 576, frameRate: 25 })).toBe(true)
  expect(mayHoldFields({ height: 1080, frameRate: 29.97 })).toBe(true)
  expect(mayHoldFields({ height: 2160, frameRate: 30 })).toBe(false)
  expect(mayHoldFields({ height: 1080, frameRate: 60 })).toBe(false)
  expect(mayHoldFields({ height: 120, frameRate: 25 })).toBe(false)
})
