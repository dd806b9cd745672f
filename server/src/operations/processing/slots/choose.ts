import { QUICK_S } from '#server/budgets.ts'

/** A piece of work of one account: an edit to render or a segment of one, or an upload to check. */
export interface SlotTask {
  readonly id: string
  readonly isSegment?: boolean
  readonly userId: string
  /** Estimated processor seconds. */
  readonly costS: number
  /** Since when it could begin: the same for all edits of one order. */
  readonly readyAt: Date
  /** Other work has to come first: it waits, and may not begin now. */
  readonly isHeld?: boolean
}

/** What a worker process must know to choose. */
export interface SlotView {
  readonly waiting: readonly SlotTask[]
  /** In all processes. */
  readonly running: readonly SlotTask[]
  /** In this process. */
  readonly here: readonly SlotTask[]
  /** When this process last began work of an account, as a rising number. */
  readonly lastServed: ReadonlyMap<string, number>
  /** Slots of this process that long work may take. One more takes quick work only. */
  readonly longSlots: number
}

/**
 * The work that begins next, or null when none of what waits may begin here.
 *
 * [Note: slots] Long work takes all slots but one, so that quick work never waits for it. Of the
 * slots for long work, one account takes all but the last one, so that a second one need not wait
 * for the first. Among accounts, the one with the fewest slots goes first, then the one that was
 * served longest ago. Of one account, the older order goes first, and within an order the quickest
 * edit.
 */
export function chooseNext(view: SlotView): SlotTask | null {
  const slotsOf = countByUser(view.running)
  const [next] = view.waiting
    .filter((task) => mayBegin(view, task))
    .toSorted(
      (a, b) =>
        (slotsOf.get(a.userId) ?? 0) - (slotsOf.get(b.userId) ?? 0) ||
        (view.lastServed.get(a.userId) ?? 0) - (view.lastServed.get(b.userId) ?? 0) ||
        a.readyAt.getTime() - b.readyAt.getTime() ||
        a.costS - b.costS,
    )
  return next ?? null
}

function mayBegin(
  { here, longSlots }: SlotView,
  { userId, costS, isHeld = false }: SlotTask,
): boolean {
  if (isHeld) return false
  if (!isLong({ costS })) return true
  const long = here.filter(isLong)
  const own = long.filter((task) => task.userId === userId)
  return long.length < longSlots && own.length < Math.max(1, longSlots - 1)
}

/** Whether work takes a slot for long work. */
export function isLong({ costS }: Pick<SlotTask, 'costS'>): boolean {
  return costS > QUICK_S
}

function countByUser(tasks: readonly SlotTask[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { userId } of tasks) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return counts
}
