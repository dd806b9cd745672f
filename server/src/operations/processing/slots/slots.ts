import { setTimeout } from 'node:timers/promises'
import { LONGEST_REST_MS, LONGEST_SLOT_WAIT_MS, QUICK_S, SLOT_LOOK_MS } from '#server/budgets.ts'
import type { Lease } from '#server/operations/core/lease.ts'
import { chooseNext, isLong, type SlotTask, type SlotView } from './choose.ts'

/** What this process knows of work beside what is stored. */
interface Experience {
  /** It failed a moment ago and comes last. */
  readonly resting: readonly string[]
  /** It seemed quick and was not: it counts as long from now on. */
  readonly slow: readonly string[]
}

/** One kind of work: where it waits, and how it is done. */
export interface SlotWork {
  /** The work that waits and runs. */
  read(known: Experience): Promise<Pick<SlotView, 'waiting' | 'running'>>
  /** Null while another process has it. */
  take(task: SlotTask): Promise<Lease | null>
  /**
   * Throws when trying again later can help. `mayBecomeLong` is for work that turns out to be slow:
   * when it says no, the work has to end at once, with any error, and begins again later in a slot
   * for long work.
   */
  run(task: SlotTask, lease: Lease, stop: AbortSignal, mayBecomeLong: () => boolean): Promise<void>
  /** Whether work may begin now at all. */
  mayBegin(): Promise<boolean>
  /** Has the work of other processes looked at again when they renew their leases no more. */
  lookAgain(tasks: readonly SlotTask[]): Promise<void>
}

/** The slots of this process for one kind of work. */
export interface Slots {
  /**
   * Does one piece of work, whichever is next, and waits until one may begin; returns at once when
   * none waits, and when none may begin for an hour. Throws what the work throws, and the reason of
   * `stop`. Call it as often at a time as there are slots: `longSlots` and one.
   */
  serve(stop: AbortSignal): Promise<void>
}

interface SlotsOptions {
  readonly longSlots: number
  /** Between two looks; `SLOT_LOOK_MS` by default. */
  readonly lookMs?: number
  /** `LONGEST_SLOT_WAIT_MS` by default. */
  readonly longestWaitMs?: number
}

/** A failure of work, by which it rests for a while. */
interface Rest {
  readonly untilMs: number
  readonly failures: number
}

/** Costs more than quick work, and as little more as can be said. */
const SLOW_COST_S = QUICK_S + 1

/** Uploads that were given up while they waited are in no answer of the database to tell. */
const MOST_SLOW = 1000

/** What this process does and knows. */
interface State {
  readonly here: Map<string, SlotTask>
  readonly rests: ReturnType<typeof createRests>
  /** Work that gave its slot back; it is forgotten when it has come to an end. */
  readonly slow: Set<string>
  readonly longSlots: number
}

type Begun = { readonly task: SlotTask; readonly lease: Lease }

export function createSlots(
  work: SlotWork,
  { longSlots, lookMs = SLOT_LOOK_MS, longestWaitMs = LONGEST_SLOT_WAIT_MS }: SlotsOptions,
): Slots {
  const state: State = { here: new Map(), rests: createRests(), slow: new Set(), longSlots }
  const { here, rests, slow } = state
  const lastServed = new Map<string, number>()
  let turn: Promise<unknown> = Promise.resolve()

  const begin = async (): Promise<Begun | 'nothing-waits' | 'not-now'> => {
    const resting = rests.ids()
    const { waiting, running } = await work.read({ resting, slow: [...slow] })
    if (waiting.length === 0) {
      await work.lookAgain(running.filter(({ id }) => !here.has(id)))
      return 'nothing-waits'
    }
    if (!(await work.mayBegin())) return 'not-now'
    const task = chooseNext({
      waiting: waiting.filter(({ id }) => !resting.includes(id) && !here.has(id)),
      running,
      here: [...here.values()],
      lastServed,
      longSlots,
    })
    const lease = task === null ? null : await work.take(task)
    if (task === null || lease === null) return 'not-now'
    here.set(task.id, task)
    lastServed.delete(task.userId)
    lastServed.set(task.userId, performance.now())
    return { task, lease }
  }
  // One slot at a time chooses, so that each sees what the others took.
  const inTurn = async (): ReturnType<typeof begin> => {
    const begun = turn.then(begin)
    turn = begun.catch(() => undefined)
    return await begun
  }

  return {
    async serve(stop) {
      for (const endsAt = performance.now() + longestWaitMs; performance.now() <= endsAt;) {
        stop.throwIfAborted()
        const begun = await inTurn()
        if (begun === 'nothing-waits') return
        // A message stands for work that came to an end; what gave way still waits.
        if (begun !== 'not-now' && (await run(work, state, begun, stop)) === 'ended') return
        if (begun === 'not-now') await setTimeout(lookMs, undefined, { signal: stop })
      }
    },
  }
}

/** Does work in its slot, and gives the slot back. */
async function run(
  work: SlotWork,
  { here, rests, slow, longSlots }: State,
  { task, lease }: Begun,
  stop: AbortSignal,
): Promise<'ended' | 'gave-way'> {
  let gaveWay = false
  try {
    await work.run(task, lease, stop, () => {
      gaveWay = !becomeLong(task, here, longSlots)
      return !gaveWay
    })
    rests.end(task.id)
    slow.delete(task.id)
    return 'ended'
  } catch (error) {
    if (stop.aborted || !gaveWay) {
      if (!stop.aborted) rests.begin(task.id)
      throw error
    }
    noteSlow(slow, task.id)
    return 'gave-way'
  } finally {
    here.delete(task.id)
    await lease.release()
  }
}

/**
 * [Note: slow work] Work that turns out to be slow takes a slot for long work as it goes, where one
 * is free, and loses nothing. Else it ends, and waits for one behind the work of others: so what
 * seems quick and is not holds up quick work for a moment only, however many accounts bring it.
 */
function becomeLong(task: SlotTask, here: Map<string, SlotTask>, longSlots: number): boolean {
  const others = [...here.values()].filter(({ id }) => id !== task.id)
  if (!isLong(task) && others.filter(isLong).length >= longSlots) return false
  here.set(task.id, { ...task, costS: Math.max(task.costS, SLOW_COST_S) })
  return true
}

function noteSlow(slow: Set<string>, id: string): void {
  slow.add(id)
  for (const oldest of slow) if (slow.size > MOST_SLOW) slow.delete(oldest)
}

function createRests() {
  const rests = new Map<string, Rest>()
  return {
    /** What still rests. What has not failed again for a long time is forgotten. */
    ids(): string[] {
      const now = performance.now()
      for (const [id, { untilMs }] of rests)
        if (now - untilMs > 10 * LONGEST_REST_MS) rests.delete(id)
      return [...rests].flatMap(([id, { untilMs }]) => (untilMs > now ? [id] : []))
    },
    begin(id: string): void {
      const failures = (rests.get(id)?.failures ?? 0) + 1
      const restMs = Math.min(LONGEST_REST_MS, 500 * 2 ** failures)
      rests.set(id, { failures, untilMs: performance.now() + restMs })
    },
    end: (id: string): void => void rests.delete(id),
  }
}
