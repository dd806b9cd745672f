import { findRecipe } from '#recipes/presets.ts'
import type { Recipe, SourceProbe } from '#recipes/types.ts'
import { simulateQueue, type QueuedEdit } from '#server/operations/forecast/simulate.ts'
import { speedsOf } from '#server/operations/forecast/speeds.ts'
import { chooseNext } from '#server/operations/slots/choose.ts'
import { estimateCostS, estimateSearchS } from '#server/operations/tasks/cost.ts'
import { createRandom, pickNumber, pickOne } from '#tests/faults/random.ts'
import { probe } from '#tests/fixtures/probes.ts'

const DAY_S = 24 * 3600
const ACCOUNTS = 30
const ORDERS = 300
/** Two workers: slots for long edits, beside one for quick ones (`ONECUT_WORKERS=2`). */
const LONG_SLOTS = 2
/** By how much renders of one kind differ by what the video shows: the deviation of the log. */
const SPREAD = 0.15

const SLUGS = [
  'teaser-60s',
  'still-pack',
  'tube-cut',
  'uniform-sampling',
  'short-trailer-gif',
  'example-low-resolution-video',
  'dynamic-watermark',
  'enhanced-audio-full-scene',
] as const

/** One order of the day: what was said before it was paid, and how it went. */
interface DayOrder {
  readonly userId: string
  readonly atS: number
  /** Null where nothing had been learned of one of its edits. */
  readonly saidS: number | null
  /** What its edits take one after the other. */
  readonly workS: number
  readonly tookS: number
  /** How long it had taken, had all accounts with work shared the machine at every moment. */
  readonly fairS: number
}

interface Day {
  readonly orders: readonly DayOrder[]
  readonly longestEditS: number
}

interface DayEdit extends QueuedEdit {
  readonly orderAtS: number
  readonly recipe: Recipe
  readonly source: SourceProbe
  /** What it really takes. */
  readonly takesS: number
}

interface Running {
  readonly edit: DayEdit
  readonly beganS: number
  readonly endsS: number
}

/**
 * A day of 300 orders of 30 accounts on two workers, by a clock that jumps from event to event.
 * Which edit begins, what is learned and what is said come from the functions of the server. The
 * machine makes each recipe at a speed of its own, which the server does not know in the morning.
 * @param longestVideoS the videos are up to this long; it decides how busy the machine is
 */
export function simulateDay({
  seed,
  longestVideoS,
}: {
  readonly seed: number
  readonly longestVideoS: number
}): Day {
  const random = createRandom(seed)
  const draw = createDraw(random, longestVideoS)
  const arrivals = Array.from({ length: ORDERS }, () => random() * DAY_S).toSorted((a, b) => a - b)
  const machine = createMachine()
  const orders: Omit<DayOrder, 'tookS' | 'fairS'>[] = []
  while (arrivals.length > 0 || machine.nextEndS() < Infinity) {
    const arrivesS = arrivals[0] ?? Infinity
    if (arrivesS < machine.nextEndS()) {
      arrivals.shift()
      const edits = draw(arrivesS)
      const workS = edits.reduce((sum, { takesS }) => sum + takesS, 0)
      const userId = edits[0]?.userId ?? ''
      orders.push({ userId, atS: arrivesS, workS, saidS: machine.forecast(edits, arrivesS) })
      machine.add(edits)
      machine.beginAll(arrivesS)
    } else machine.beginAll(machine.endNext())
  }
  const fair = fairShares(orders)
  return {
    orders: orders.map((order, at) => ({
      ...order,
      tookS: (machine.endedS.get(order.atS) ?? Infinity) - order.atS,
      fairS: fair[at] ?? 0,
    })),
    longestEditS: machine.longestEditS(),
  }
}

/** What is ordered: one to four edits of one video by one of the accounts. */
function createDraw(random: () => number, longestVideoS: number) {
  const speedOf = new Map<string, number>(SLUGS.map((slug) => [slug, 0.4 + 1.2 * random()]))
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return (atS: number): DayEdit[] => {
    const userId = `account-${pickNumber(random, 1, ACCOUNTS)}`
    const durationMs = pickNumber(random, longestVideoS / 30, longestVideoS) * 1000
    const source = probe({ durationMs })
    const count = pickNumber(random, 1, 4)
    const slugs = new Set(Array.from({ length: count }, () => pickOne(random, SLUGS)))
    return [...slugs].map((slug) => {
      const recipe = findRecipe(slug)
      if (recipe === undefined) throw new Error(`There is no recipe ${slug}`)
      const costS = estimateCostS(recipe, {}, source)
      const takesS =
        renderCostS({ recipe, costS, source }) *
        (speedOf.get(slug) ?? 1) *
        Math.exp(SPREAD * normal())
      const readyAt = new Date(atS * 1000)
      const edit = { userId, costS, readyAt, recipe, source, takesS, orderAtS: atS, expectedS: 0 }
      return { id: `${atS} ${slug}`, ...edit }
    })
  }
}

/** The slots of the server, and what it learns and says. */
function createMachine() {
  const waiting: DayEdit[] = []
  const running: Running[] = []
  const lastServed = new Map<string, number>()
  const ratios = new Map<string, number[]>()
  const endedS = new Map<number, number>()
  const all: DayEdit[] = []
  const next = (): Running | undefined => running.toSorted((a, b) => a.endsS - b.endsS)[0]
  const learned = () =>
    speedsOf([...ratios].map(([work, of]) => ({ work, pictureSize: 'full-hd', ratios: of })))
  return {
    endedS,
    longestEditS: () => Math.max(...all.map(({ takesS }) => takesS)),
    nextEndS: () => next()?.endsS ?? Infinity,
    add: (edits: readonly DayEdit[]): void => {
      waiting.push(...edits)
      all.push(...edits)
    },
    forecast(edits: readonly DayEdit[], nowS: number): number | null {
      const speeds = learned()
      if (edits.some((edit) => speeds.renderS(edit) === null)) return null
      const queue = {
        waiting: [...waiting, ...edits].map((e) => ({ ...e, expectedS: speeds.guessS(e) })),
        running: running.map(({ edit, beganS }) => {
          const wholeS = speeds.guessS(edit)
          return { ...edit, expectedS: Math.max(0.05 * wholeS, wholeS - (nowS - beganS)) }
        }),
        lastServed,
        longSlots: LONG_SLOTS,
      }
      return simulateQueue(queue, new Set(edits.map(({ id }) => id)))?.endS ?? null
    },
    beginAll(nowS: number): void {
      while (running.length < LONG_SLOTS + 1) {
        const here = running.map(({ edit }) => edit)
        const view = { waiting, running: here, here, lastServed, longSlots: LONG_SLOTS }
        const chosen = chooseNext(view)
        const at = waiting.findIndex(({ id }) => id === chosen?.id)
        const edit = waiting[at]
        if (edit === undefined) return
        waiting.splice(at, 1)
        lastServed.set(edit.userId, all.length + nowS)
        running.push({ edit, beganS: nowS, endsS: nowS + edit.takesS })
      }
    },
    /** Ends the edit that ends first, learns from it, and says when that is. */
    endNext(): number {
      const ended = next()
      if (ended === undefined) throw new Error('Nothing runs')
      running.splice(running.indexOf(ended), 1)
      const { edit, endsS } = ended
      endedS.set(edit.orderAtS, endsS)
      const known = ratios.get(edit.recipe.slug) ?? []
      ratios.set(edit.recipe.slug, [edit.takesS / renderCostS(edit), ...known].slice(0, 15))
      return endsS
    },
  }
}

function renderCostS({ recipe, costS, source }: Pick<DayEdit, 'recipe' | 'costS' | 'source'>) {
  return Math.max(1, costS - (recipe.usesMoments ? estimateSearchS(source) : 0))
}

/**
 * How long each order takes where all accounts with work share the two slots at every moment, one
 * order of an account at a time and at most one slot for it.
 */
function fairShares(orders: readonly Pick<DayOrder, 'userId' | 'atS' | 'workS'>[]): number[] {
  const left = new Map<(typeof orders)[number], number>()
  const took = new Map<(typeof orders)[number], number>()
  const arrivals = [...orders]
  let nowS = 0
  while (arrivals.length > 0 || left.size > 0) {
    const accounts = [...Map.groupBy(left.keys(), ({ userId }) => userId).values()]
    const heads = accounts.flatMap((own) => own.slice(0, 1))
    const rate = Math.min(1, LONG_SLOTS / Math.max(1, heads.length))
    const endsS = heads.map((order) => nowS + (left.get(order) ?? 0) / rate)
    const nextS = Math.min(...endsS, arrivals[0]?.atS ?? Infinity)
    for (const [at, order] of heads.entries()) {
      left.set(order, (left.get(order) ?? 0) - (nextS - nowS) * rate)
      if (endsS[at] !== nextS) continue
      left.delete(order)
      took.set(order, nextS - order.atS)
    }
    nowS = nextS
    while (arrivals[0] !== undefined && arrivals[0].atS <= nowS) {
      const [order] = arrivals.splice(0, 1)
      if (order !== undefined) left.set(order, order.workS)
    }
  }
  return orders.map((order) => took.get(order) ?? Infinity)
}
