import { findRecipe } from '#recipes/presets.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { simulateQueue, type QueuedEdit } from '#server/operations/processing/forecast/simulate.ts'
import { renderCostS, speedsOf, type Speeds } from '#server/operations/processing/speeds/speeds.ts'
import { chooseNext } from '#server/operations/processing/slots/choose.ts'
import { estimateCostS, estimateFacesS } from '#server/operations/media/media-jobs/cost.ts'
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
/** Its owner looks at the faces that were found before it is made. */
const REVIEWED = 'face-blurred-full-scene'
/** How long owners take to look, at most. */
const LONGEST_REVIEW_S = 4 * 3600

/** One order of the day: what was said before it was paid, and how it went. */
interface DayOrder {
  readonly userId: string
  readonly atS: number
  /** Null where nothing had been learned of one of its edits. */
  readonly saidS: number | null
  /** Until there would be faces to look at; null without, and where nothing had been learned. */
  readonly saidReviewS: number | null
  /** What its edits take one after the other. */
  readonly workS: number
  /** Without the time that its owner took to look at faces. */
  readonly tookS: number
  /** Until there were faces to look at; null without. */
  readonly tookReviewS: number | null
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
  /** What its owner lets begin after a look at what it found, and how long the owner takes. */
  readonly afterReview?: DayEdit
  readonly looksS?: number
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
 * @param hasReviews edits are ordered too whose owner looks at faces before they are made
 */
export function simulateDay({
  seed,
  longestVideoS,
  hasReviews = false,
}: {
  readonly seed: number
  readonly longestVideoS: number
  readonly hasReviews?: boolean
}): Day {
  const random = createRandom(seed)
  const draw = createDraw(random, longestVideoS, hasReviews ? [...SLUGS, REVIEWED] : SLUGS)
  const arrivals = Array.from({ length: ORDERS }, () => random() * DAY_S).toSorted((a, b) => a - b)
  const machine = createMachine()
  const orders: Omit<DayOrder, 'tookS' | 'tookReviewS' | 'fairS'>[] = []
  while (arrivals.length > 0 || machine.nextEventS() < Infinity) {
    const arrivesS = arrivals[0] ?? Infinity
    if (arrivesS < machine.nextEventS()) {
      arrivals.shift()
      const edits = draw(arrivesS)
      const workS = edits
        .flatMap((edit) => [edit, edit.afterReview ?? []].flat())
        .reduce((sum, { takesS }) => sum + takesS, 0)
      const userId = edits[0]?.userId ?? ''
      orders.push({ userId, atS: arrivesS, workS, ...machine.forecast(edits, arrivesS) })
      machine.add(edits)
      machine.beginAll(arrivesS)
    } else machine.beginAll(machine.next())
  }
  const fair = fairShares(orders)
  return {
    orders: orders.map((order, at) => ({
      ...order,
      ...machine.tookOf(order.atS),
      fairS: fair[at] ?? 0,
    })),
    longestEditS: machine.longestEditS(),
  }
}

/** What is ordered: one to four edits of one video by one of the accounts. */
function createDraw(random: () => number, longestVideoS: number, formats: readonly string[]) {
  const speedOf = new Map<string, number>(
    [...formats, 'faces'].map((slug) => [slug, 0.4 + 1.2 * random()]),
  )
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return (atS: number): DayEdit[] => {
    const userId = `account-${pickNumber(random, 1, ACCOUNTS)}`
    const durationMs = pickNumber(random, longestVideoS / 30, longestVideoS) * 1000
    const source = probe({ durationMs })
    const count = pickNumber(random, 1, 4)
    const slugs = new Set(Array.from({ length: count }, () => pickOne(random, formats)))
    return [...slugs].map((slug) => {
      const recipe = findRecipe(slug)
      if (recipe === undefined) throw new Error(`There is no recipe ${slug}`)
      const costS = estimateCostS(recipe, {}, source)
      const takes = (work: string, cost: number): number =>
        cost * (speedOf.get(work) ?? 1) * Math.exp(SPREAD * normal())
      const readyAt = new Date(atS * 1000)
      const edit = { userId, costS, readyAt, recipe, source, orderAtS: atS, expectedS: 0 }
      const takesS = takes(slug, renderCostS({ recipe, costS, source }))
      const id = `${atS} ${slug}`
      if (slug !== REVIEWED) return { ...edit, id, takesS }
      return {
        ...edit,
        id,
        takesS: takes('faces', estimateFacesS(source)),
        search: { uploadId: id, of: 'faces', expectedS: 0 },
        afterReview: { ...edit, id: `${id} reviewed`, takesS },
        looksS: random() * LONGEST_REVIEW_S,
      }
    })
  }
}

/** An edit as the server expects it to go. */
function expected(edit: DayEdit, speeds: Speeds): DayEdit {
  const { search, afterReview } = edit
  if (search === undefined || afterReview === undefined)
    return { ...edit, expectedS: speeds.guessS(edit) }
  return {
    ...edit,
    search: { ...search, expectedS: speeds.guessFacesS(edit.source) },
    afterReview: expected(afterReview, speeds),
  }
}

function isKnown(edit: DayEdit, speeds: Speeds): boolean {
  const isRenderKnown = speeds.renderS(edit) !== null
  return isRenderKnown && (edit.afterReview === undefined || speeds.facesS(edit.source) !== null)
}

/** The slots of the server, and what it learns and says. */
function createMachine() {
  const waiting: DayEdit[] = []
  const running: Running[] = []
  /** What waits for its owner, and until when. */
  const looked: { readonly edit: DayEdit; readonly untilS: number }[] = []
  const lastServed = new Map<string, number>()
  const ratios = new Map<string, number[]>()
  const endedS = new Map<string, number>()
  const all: DayEdit[] = []
  const nextEnd = (): Running | undefined => running.toSorted((a, b) => a.endsS - b.endsS)[0]
  const nextLook = () => looked.toSorted((a, b) => a.untilS - b.untilS)[0]
  const learned = () =>
    speedsOf([...ratios].map(([work, of]) => ({ work, pictureSize: 'full-hd', ratios: of })))
  const learn = (work: string, ratio: number): void => {
    ratios.set(work, [ratio, ...(ratios.get(work) ?? [])].slice(0, 15))
  }
  /** Ends the edit that ends first, learns from it, and says when that is. */
  const end = ({ edit, endsS }: Running): number => {
    const { afterReview, looksS = 0, recipe, source, takesS } = edit
    endedS.set(edit.id, endsS)
    if (afterReview === undefined) learn(recipe.slug, takesS / renderCostS(edit))
    else {
      looked.push({ edit: afterReview, untilS: endsS + looksS })
      learn('faces', takesS / estimateFacesS(source))
    }
    return endsS
  }
  return {
    longestEditS: () => Math.max(...all.map(({ takesS }) => takesS)),
    nextEventS: () => Math.min(nextEnd()?.endsS ?? Infinity, nextLook()?.untilS ?? Infinity),
    add: (edits: readonly DayEdit[]): void => {
      waiting.push(...edits)
      all.push(...edits)
    },
    forecast(edits: readonly DayEdit[], nowS: number): Pick<DayOrder, 'saidS' | 'saidReviewS'> {
      const speeds = learned()
      const reviewed = edits.filter(({ afterReview }) => afterReview !== undefined)
      const parts = edits.flatMap((edit) => [edit, edit.afterReview ?? []].flat())
      const queue = {
        waiting: [...waiting, ...edits].map((edit) => expected(edit, speeds)),
        running: running.map(({ edit, beganS }) => {
          const { search, expectedS } = expected(edit, speeds)
          const wholeS = expectedS + (search?.expectedS ?? 0)
          return { ...edit, expectedS: Math.max(0.05 * wholeS, wholeS - (nowS - beganS)) }
        }),
        lastServed,
        longSlots: LONG_SLOTS,
        quickSlots: 1,
      }
      const played = simulateQueue(queue, new Set(parts.map(({ id }) => id)))
      const endS = (of: readonly DayEdit[]): number =>
        Math.max(...of.map(({ id }) => played?.get(id)?.endS ?? Infinity))
      const areKnown = edits.every((edit) => isKnown(edit, speeds))
      return {
        saidS: areKnown ? endS(parts) : null,
        saidReviewS: areKnown && reviewed.length > 0 ? endS(reviewed) : null,
      }
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
    /** Ends what ends first, an edit or a look at faces, and says when that is. */
    next(): number {
      const [ended, look] = [nextEnd(), nextLook()]
      if (ended !== undefined && ended.endsS <= (look?.untilS ?? Infinity)) {
        running.splice(running.indexOf(ended), 1)
        return end(ended)
      }
      if (look === undefined) throw new Error('Nothing runs')
      looked.splice(looked.indexOf(look), 1)
      waiting.push(look.edit)
      return look.untilS
    },
    tookOf(orderAtS: number): Pick<DayOrder, 'tookS' | 'tookReviewS'> {
      const own = all.filter((edit) => edit.orderAtS === orderAtS)
      const tookS = own.map(({ id, afterReview, looksS = 0 }) => {
        const lastS = endedS.get(afterReview?.id ?? id) ?? Infinity
        return lastS - looksS - orderAtS
      })
      const search = own.find(({ afterReview }) => afterReview !== undefined)
      return {
        tookS: Math.max(...tookS),
        tookReviewS: search === undefined ? null : (endedS.get(search.id) ?? Infinity) - orderAtS,
      }
    },
  }
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
