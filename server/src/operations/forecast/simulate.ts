import { chooseNext, isLong, type SlotTask } from '#server/operations/slots/choose.ts'

/** An edit of the queue, and how long it will take from now or from its beginning. */
export interface QueuedEdit extends SlotTask {
  readonly expectedS: number
  /** The search for moments, which the first edit of a video makes; the others wait for it. */
  readonly search?: { readonly id: string; readonly expectedS: number }
}

export interface Queue {
  readonly waiting: readonly QueuedEdit[]
  /** In all processes; `expectedS` is what is left of them. */
  readonly running: readonly QueuedEdit[]
  /** When accounts were last served, as rising numbers. */
  readonly lastServed: ReadonlyMap<string, number>
  /** Slots of one process for long edits, beside one for quick ones. */
  readonly longSlots: number
}

/** What the queue does with some of its edits. */
interface QueueForecast {
  /** Seconds until the last of them has ended. */
  readonly endS: number
  /** Others that begin before the first of them; 0 where one runs already. */
  readonly editsAhead: number
}

/**
 * Plays the queue through, by the rule that really chooses, until all edits of these ids have
 * ended. What comes later is not known: it may go before, and the estimate is short by that. More
 * processes than one are known by the edits that they make. Null when an edit never begins.
 */
export function simulateQueue(queue: Queue, ids: ReadonlySet<string>): QueueForecast | null {
  const longSlots = Math.max(queue.longSlots, queue.running.filter(isLong).length)
  const slots = Math.max(longSlots + 1, queue.running.length)
  const lastServed = new Map(queue.lastServed)
  const lines = createLines(queue.waiting)
  const running = queue.running.map((edit) => ({ edit, endsAtS: edit.expectedS }))
  /** When each search that was begun has ended. */
  const searches = new Map(
    queue.running.flatMap(({ search, expectedS }) =>
      search === undefined ? [] : [[search.id, Math.min(search.expectedS, expectedS)] as const],
    ),
  )
  let [nowS, begun] = [0, 0]
  let editsAhead = running.some(({ edit }) => ids.has(edit.id)) ? 0 : null
  let left = [...queue.waiting, ...queue.running].filter(({ id }) => ids.has(id)).length
  while (left > 0) {
    const here = running.map(({ edit }) => edit)
    const next =
      here.length < slots
        ? chooseNext({
            waiting: lines.heads(({ search }) => (searches.get(search?.id ?? '') ?? 0) <= nowS),
            running: here,
            here,
            lastServed,
            longSlots,
          })
        : null
    const edit = next === null ? null : lines.take(next)
    if (edit !== null) {
      if (ids.has(edit.id)) editsAhead ??= begun
      begun += 1
      lastServed.set(edit.userId, Number.MAX_SAFE_INTEGER / 2 + begun)
      const { search } = edit
      const searchS = search === undefined || searches.has(search.id) ? 0 : search.expectedS
      if (search !== undefined && searchS > 0) searches.set(search.id, nowS + searchS)
      running.push({ edit, endsAtS: nowS + searchS + edit.expectedS })
      continue
    }
    const ended = running.toSorted((a, b) => a.endsAtS - b.endsAtS)[0]
    if (ended === undefined) return null
    const searchedS = Math.min(...[...searches.values()].filter((endS) => endS > nowS))
    if (searchedS < ended.endsAtS) {
      nowS = searchedS
      continue
    }
    running.splice(running.indexOf(ended), 1)
    nowS = Math.max(nowS, ended.endsAtS)
    if (ids.has(ended.edit.id)) left -= 1
  }
  return { endS: nowS, editsAhead: editsAhead ?? 0 }
}

/** What waits, as one line for the quick and one for the long edits of each account. */
function createLines(waiting: readonly QueuedEdit[]) {
  const lines = new Map<string, QueuedEdit[]>()
  const keyOf = (edit: SlotTask): string => `${edit.userId} ${isLong(edit) ? 'long' : 'quick'}`
  const inOrder = waiting.toSorted(
    (a, b) => a.readyAt.getTime() - b.readyAt.getTime() || a.costS - b.costS,
  )
  for (const edit of inOrder) {
    const line = lines.get(keyOf(edit)) ?? []
    lines.set(keyOf(edit), [...line, edit])
  }
  return {
    heads: (mayBegin: (edit: QueuedEdit) => boolean): QueuedEdit[] =>
      [...lines.values()].flatMap((line) => line.find(mayBegin) ?? []),
    take(head: SlotTask): QueuedEdit | null {
      const line = lines.get(keyOf(head)) ?? []
      const taken = line.find(({ id }) => id === head.id)
      lines.set(
        keyOf(head),
        line.filter((edit) => edit !== taken),
      )
      return taken ?? null
    },
  }
}
