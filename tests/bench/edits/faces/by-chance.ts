import { HEIGHT, WIDTH, type Film, type Pose, type Shot } from './film.ts'

const SEED = 7
const SHOTS = 12
/** Photographs with faces; the last shows none. */
const PHOTOGRAPHS = 11
/** The scale at which each fills the picture. */
const FULL = [1.8, 1.4, 1.6, 1.7, 1.8, 1.6, 1.4, 1.8, 1.4, 0.9, 0.42]
const TURNS = [0, 0, 0, 20, -25, 45, -60, 90, 180, -90]
const LIGHTS: readonly NonNullable<Shot['light']>[] = [
  1,
  1,
  0.3,
  0.5,
  1.4,
  (x) => 0.15 + 1.4 * (x / WIDTH),
  (x) => 1.4 - 1.2 * (x / WIDTH),
]
const WORN = [undefined, undefined, undefined, 'mask', 'glasses'] as const

/** Harder shots of the photographs of strangers, drawn by chance; no rule was set on them. */
export function byChance({ photographs, shotFrames }: Film): Film {
  const chance = createChance()
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)]
  const shots = Array.from({ length: SHOTS }, (_, index): Shot => {
    const photograph = index % PHOTOGRAPHS
    const { width = 0, height = 0 } = photographs[photograph] ?? {}
    const from = (FULL[photograph] ?? 1) * (0.55 + 0.75 * chance())
    const to = from * (0.8 + 0.45 * chance())
    const turn = pick(TURNS) ?? 0
    const more = (chance() - 0.5) * 70
    const beside = (chance() - 0.5) * 0.3 * width
    const moves = pick(['pan', 'shake', 'still'] as const)
    const light = pick(LIGHTS) ?? 1
    const worn = pick(WORN)
    const exposure = moves === 'shake' ? (pick([0, 0.6 / 45]) ?? 0) : 0
    const hasBar = chance() < 0.15
    const moved = (share: number): number => {
      if (moves === 'pan') return (share - 0.5) * 0.3 * width
      return moves === 'shake' ? 0.1 * width * Math.sin(share * 5 * Math.PI) : 0
    }
    const pose = (share: number): Pose => ({
      middle: { x: width / 2 + beside + moved(share), y: height / 2 },
      degrees: turn + more * share,
      scale: from + (to - from) * share,
    })
    return {
      name: `${index + 1}`,
      photograph,
      pose,
      light,
      exposure,
      ...(worn === undefined ? {} : { worn }),
      ...(hasBar
        ? { bar: (share) => ({ x: 1500 * share - 200, y: 0, width: 130, height: HEIGHT }) }
        : {}),
    }
  })
  return { name: 'by-chance-1', photographs, shots, shotFrames }
}

/** 0..1, the same on every machine. */
function createChance(): () => number {
  const state = { value: SEED }
  return () => {
    state.value = (Math.imul(state.value, 1_664_525) + 1_013_904_223) >>> 0
    return state.value / 2 ** 32
  }
}
