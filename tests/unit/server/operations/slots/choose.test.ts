import { expect, it } from 'vitest'
import { QUICK_S } from '#server/budgets.ts'
import {
  chooseNext,
  type SlotTask,
  type SlotView,
} from '#server/operations/processing/slots/choose.ts'

const HOUR_S = 3600
const at = (s: number): Date => new Date(Date.UTC(2026, 10, 22) + s * 1000)
let made = 0
const task = (userId: string, costS: number, readyS = 0): SlotTask => {
  made += 1
  return { id: `${userId}-${made}`, userId, costS, readyAt: at(readyS) }
}
const view = (parts: Partial<SlotView>): SlotView => ({
  waiting: [],
  running: parts.here ?? [],
  here: [],
  lastServed: new Map(),
  longSlots: 2,
  ...parts,
})

it('REC-25 long work never takes the last slot, which stays for quick work', () => {
  const long = task('anna', HOUR_S)
  const here = [task('ben', HOUR_S), task('cleo', HOUR_S)]
  expect(chooseNext(view({ waiting: [long], here }))).toBeNull()
  const quick = task('anna', QUICK_S, 50)
  expect(chooseNext(view({ waiting: [long, quick], here }))).toBe(quick)
})

it('REC-25 work that others must come before does not begin', () => {
  const [held, later] = [{ ...task('anna', 10), isHeld: true }, task('anna', 90, 50)]
  expect(chooseNext(view({ waiting: [held] }))).toBeNull()
  expect(chooseNext(view({ waiting: [held, later] }))).toBe(later)
})

it('REC-25 no account takes the last slot for long work, also while no other waits', () => {
  const second = task('anna', HOUR_S)
  const here = [task('anna', HOUR_S)]
  expect(chooseNext(view({ waiting: [second], here }))).toBeNull()
  const others = task('ben', HOUR_S, 50)
  expect(chooseNext(view({ waiting: [second, others], here }))).toBe(others)
  // The only slot there is is taken all the same.
  expect(chooseNext(view({ waiting: [second], longSlots: 1 }))).toBe(second)
})

it('REC-25 the account with the fewest slots goes first, then the one that was served longest ago', () => {
  const [ofAnna, ofBen] = [task('anna', 10), task('ben', 10, 900)]
  const waiting = [ofAnna, ofBen]
  expect(chooseNext(view({ waiting }))).toBe(ofAnna)
  expect(chooseNext(view({ waiting, running: [task('anna', 10)] }))).toBe(ofBen)
  const lastServed = new Map([
    ['anna', 2],
    ['ben', 1],
  ])
  expect(chooseNext(view({ waiting, lastServed }))).toBe(ofBen)
})

it('REC-25 of one account the older order goes first, and in an order the quickest edit', () => {
  const [slow, quick, later] = [task('anna', 90), task('anna', 10), task('anna', 1, 60)]
  expect(chooseNext(view({ waiting: [later, slow, quick] }))).toBe(quick)
})

it("REC-25 a day of 30 accounts on two workers: no quick edit waits for a stranger's hour", () => {
  const day = makeDay(7)
  const fair = simulate(day, { slots: 3, choose: (now) => chooseNext({ ...now, longSlots: 2 }) })
  // In order of arrival, all who come after the account with forty hours wait for it.
  const inOrder = simulate(day, { slots: 3, choose: ({ waiting }) => waiting[0] ?? null })
  expect(fair.begun).toBe(day.length)
  expect(longestQuickWaitS(inOrder)).toBeGreaterThan(10 * HOUR_S)
  // It waits for quick edits only: of its own order, and one of each account that waits too.
  expect(longestQuickWaitS(fair)).toBeLessThan(20 * 60)
  // Those with long edits wait for each other, but not for the whole of another account's day.
  expect(longestWaitS(fair, (each) => each.userId !== HOG)).toBeLessThan(12 * HOUR_S)
})

const HOG = 'account-0'

/** One account orders forty hours of work in the morning; 29 others order through the day. */
function makeDay(seed: number): SlotTask[] {
  const next = chance(seed)
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least))
  const day = Array.from({ length: 40 }, () => task(HOG, HOUR_S, 6 * HOUR_S))
  for (let account = 1; account < 30; account += 1)
    for (let order = 0; order < 3; order += 1) {
      const readyS = between(0, 24 * HOUR_S)
      for (let edit = 0; edit < 5; edit += 1)
        day.push(task(`account-${account}`, between(5, QUICK_S), readyS))
      if (next() < 0.3) day.push(task(`account-${account}`, between(600, HOUR_S), readyS))
    }
  return day.toSorted((a, b) => a.readyAt.getTime() - b.readyAt.getTime())
}

interface Simulated {
  readonly begun: number
  readonly waits: readonly { readonly task: SlotTask; readonly waitS: number }[]
}

/** Runs a day on slots that each do one second of work a second, until all of it is done. */
function simulate(
  day: readonly SlotTask[],
  {
    slots,
    choose,
  }: { slots: number; choose: (now: Omit<SlotView, 'longSlots'>) => SlotTask | null },
): Simulated {
  const left = [...day]
  const running = new Map<SlotTask, number>()
  const lastServed = new Map<string, number>()
  const waits: { task: SlotTask; waitS: number }[] = []
  let nowMs = 0
  while (left.length > 0 || running.size > 0) {
    const ends = [...running.values()]
    const arrivals = left.map((each) => each.readyAt.getTime()).filter((ms) => ms > nowMs)
    nowMs = Math.min(...ends, ...arrivals)
    for (const [each, endsMs] of running) if (endsMs <= nowMs) running.delete(each)
    while (running.size < slots) {
      const waiting = left.filter((each) => each.readyAt.getTime() <= nowMs)
      const here = [...running.keys()]
      const chosen = choose({ waiting, running: here, here, lastServed })
      if (chosen === null) break
      left.splice(left.indexOf(chosen), 1)
      running.set(chosen, nowMs + chosen.costS * 1000)
      lastServed.set(chosen.userId, waits.length + 1)
      waits.push({ task: chosen, waitS: (nowMs - chosen.readyAt.getTime()) / 1000 })
    }
  }
  return { begun: waits.length, waits }
}

function longestWaitS({ waits }: Simulated, isMeant: (task: SlotTask) => boolean): number {
  return Math.max(...waits.flatMap(({ task, waitS }) => (isMeant(task) ? [waitS] : [])))
}

function longestQuickWaitS(day: Simulated): number {
  return longestWaitS(day, ({ costS }) => costS <= QUICK_S)
}

/** Repeatable numbers from 0 to 1 (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
