/** How long the mark rests and moves at each place, together. */
export const STAY_S = 8
/** How long it takes to glide to the next place. */
export const GLIDE_S = 1.6

/**
 * Where the mark goes, as shares of the free room (0,0 = top left). No two neighbours share an
 * edge, so that a crop that removes one place shows the next; never the middle, where it would hide
 * the picture.
 */
export const PLACES: readonly (readonly [x: number, y: number])[] = [
  [0, 0],
  [1, 0.82],
  [0.08, 0.94],
  [0.94, 0.06],
  [0.5, 1],
  [0, 0.5],
  [1, 0.4],
  [0.42, 0.02],
]

/** Where the mark is in one stay. */
export interface Stop {
  /** Index among the places. */
  readonly place: number
  /** Whether it glides to the next place at the end, or is there at once when the stay is over. */
  readonly glides: boolean
}

/** What a filter calls the sides of the picture, and of the mark. */
export interface Names {
  readonly whole: readonly [width: string, height: string]
  readonly own: readonly [width: string, height: string]
}

/** Expressions of ffmpeg for the left and the upper edge of the mark. */
export interface Motion {
  readonly x: string
  readonly y: string
}

/**
 * ffmpeg expressions of t for the left and the upper edge of the mark: it rests at each place and
 * glides softly to the next.
 * @param margin in pixels, kept free at each edge
 * @param stops one for each stay from the start of the video on, and one more; null = all places in
 *   turn
 */
export function motion(names: Names, margin: number, stops: readonly Stop[] | null): Motion {
  const [x, y] = ([0, 1] as const).map((axis) => {
    const begin = stops === null ? inTurn : byStops(stops)
    const shares = PLACES.map((place) => place[axis])
    const free = `(${names.whole[axis]}-${names.own[axis]}-${2 * margin})`
    return `${begin}${margin}+${free}*(${table(0, shares)}*(1-ld(3))+${table(1, shares)}*ld(3))`
  })
  return { x: x ?? '', y: y ?? '' }
}

/**
 * The same in numbers, where all places come in turn: which share of the free room lies before the
 * mark, across and down.
 */
export function shareAt(timeS: number): readonly [x: number, y: number] {
  const stay = Math.floor(timeS / STAY_S)
  const [now, next] = [stay, stay + 1].map((at) => PLACES[at % PLACES.length] ?? [0, 0])
  const way = ((timeS % STAY_S) - (STAY_S - GLIDE_S)) / GLIDE_S
  const gone = softly(Math.max(0, Math.min(1, way)))
  const between = (axis: 0 | 1): number =>
    (now?.[axis] ?? 0) * (1 - gone) + (next?.[axis] ?? 0) * gone
  return [between(0), between(1)]
}

/** How much of a glide is behind, of a share of its time. */
export function softly(share: number): number {
  return share * share * (3 - 2 * share)
}

/** Registers: 0 and 1 hold this place and the next, 3 how much of the way is behind (0 to 1). */
const SOFTLY = 'st(3,ld(2)*ld(2)*(3-2*ld(2)));'
const WAY = `clip((mod(t,${STAY_S})-${STAY_S - GLIDE_S})/${GLIDE_S},0,1)`

const inTurn =
  `st(0,mod(floor(t/${STAY_S}),${PLACES.length}));st(1,mod(ld(0)+1,${PLACES.length}));` +
  `st(2,${WAY});${SOFTLY}`

/** The share that belongs to the place in a register. */
function table(register: number, shares: readonly number[]): string {
  return shares
    .slice(0, -1)
    .reduceRight(
      (rest, share, index) => `if(eq(ld(${register}),${index}),${share},${rest})`,
      String(shares.at(-1) ?? 0),
    )
}

/** Places and jumps are digits to this base. */
const BASE = 2 * PLACES.length
/**
 * Stops in one number. It has one digit more, the stop that follows, and still fits into the 53
 * bits of a double.
 */
const IN_NUMBER = 12

/**
 * Stops as numbers of many digits each, found by halving: a stop as a word of its own would make
 * the expression of a long video longer than an argument may be.
 */
function byStops(stops: readonly Stop[]): string {
  const digits = stops.map(({ place, glides }) => place + (glides ? 0 : PLACES.length))
  const numbers = Array.from({ length: Math.ceil(digits.length / IN_NUMBER) }, (_, index) =>
    digits
      .slice(index * IN_NUMBER, index * IN_NUMBER + IN_NUMBER + 1)
      .reduceRight((sum, digit) => sum * BASE + digit, 0),
  )
  const digit = (at: string): string => `mod(floor(ld(5)/pow(${BASE},${at})),${BASE})`
  return (
    `st(6,floor(t/${STAY_S}));st(4,floor(ld(6)/${IN_NUMBER}));st(5,${halved(numbers, 0)});` +
    `st(6,mod(ld(6),${IN_NUMBER}));st(7,${digit('ld(6)')});st(8,${digit('(ld(6)+1)')});` +
    `st(0,mod(ld(7),${PLACES.length}));st(1,mod(ld(8),${PLACES.length}));` +
    `st(2,if(gte(ld(7),${PLACES.length}),0,${WAY}));${SOFTLY}`
  )
}

/** The number whose index is in register 4; `first` is the index of the first of these. */
function halved(numbers: readonly number[], first: number): string {
  if (numbers.length < 2) return String(numbers[0] ?? 0)
  const half = Math.ceil(numbers.length / 2)
  const [low, high] = [numbers.slice(0, half), numbers.slice(half)]
  return `if(lt(ld(4),${first + half}),${halved(low, first)},${halved(high, first + half)})`
}
