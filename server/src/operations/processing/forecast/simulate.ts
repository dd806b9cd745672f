import { chooseNext, isLong, type SlotTask } from '#server/operations/processing/slots/choose.ts'

/** An edit of the queue, and how long it will take from now or from its beginning. */
export interface QueuedEdit extends SlotTask {
  readonly expectedS: number
  /** A search in a video, which the first edit of it makes; others that search there wait. */
  readonly search?: QueuedSearch
  /** What its owner's review lets begin. It is played as if the review took no time. */
  readonly afterReview?: QueuedEdit
}

interface QueuedSearch {
  readonly uploadId: string
  readonly of: 'moments' | 'faces'
  readonly expectedS: number
}

export interface Queue {
  readonly waiting: readonly QueuedEdit[]
  /** In all processes; `expectedS` is what is left of them. */
  readonly running: readonly QueuedEdit[]
  /** When accounts were last served, as rising numbers. */
  readonly lastServed: ReadonlyMap<string, number>
  /** Slots of all processes for long edits, and those beside them for quick ones alone. */
  readonly longSlots: number
  readonly quickSlots: number
}

/** What the queue does with one edit. */
export interface EditForecast {
  /** Seconds until it has ended. */
  readonly endS: number
  /** Others that begin before it; 0 where it runs already. */
  readonly editsAhead: number
}

/**
 * Plays the queue through, by the rule that really chooses, until all edits of these ids have
 * ended, and returns what becomes of each of them. What comes later is not known: it may go before,
 * and the estimate is short by that. Processes that have just come are known by the edits that they
 * make.
 * Null when an edit never begins.
 */
export function simulateQueue(
  queue: Queue,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, EditForecast> | null {
  const longSlots = Math.max(queue.longSlots, queue.running.filter(isLong).length)
  const slots = Math.max(longSlots + queue.quickSlots, queue.running.length)
  const lastServed = new Map(queue.lastServed)
  const lines = createLines(queue.waiting)
  const running = queue.running.map((edit) => ({ edit, endsAtS: edit.expectedS }))
  const searches = createSearches(queue.running)
  const aheadOf = new Map(queue.running.map(({ id }) => [id, 0]))
  const forecasts = new Map<string, EditForecast>()
  let [nowS, begun] = [0, 0]
  while (forecasts.size < ids.size) {
    const here = running.map(({ edit }) => edit)
    const mayBegin = (edit: QueuedEdit): boolean => searches.mayBegin(edit, nowS)
    const next =
      here.length < slots
        ? chooseNext({
            waiting: lines.heads(mayBegin),
            running: here,
            here,
            lastServed,
            longSlots,
          })
        : null
    const edit = next === null ? null : lines.take(next)
    if (edit !== null) {
      aheadOf.set(edit.id, begun)
      begun += 1
      lastServed.set(edit.userId, Number.MAX_SAFE_INTEGER / 2 + begun)
      running.push({ edit, endsAtS: searches.begin(edit, nowS) + edit.expectedS })
      continue
    }
    const ended = running.toSorted((a, b) => a.endsAtS - b.endsAtS)[0]
    if (ended === undefined) return null
    const searchedS = searches.nextEndS(nowS)
    if (searchedS < ended.endsAtS) {
      nowS = searchedS
      continue
    }
    running.splice(running.indexOf(ended), 1)
    nowS = Math.max(nowS, ended.endsAtS)
    const { id, afterReview } = ended.edit
    if (afterReview !== undefined) lines.add(afterReview)
    if (ids.has(id)) forecasts.set(id, { endS: nowS, editsAhead: aheadOf.get(id) ?? 0 })
  }
  return forecasts
}

/** The searches that were begun: one of a video at a time, and each of them once. */
function createSearches(running: readonly QueuedEdit[]) {
  const endsS = new Map<string, number>()
  /** Until when each video is searched. */
  const busyS = new Map<string, number>()
  const set = ({ uploadId, of }: QueuedSearch, endS: number): void => {
    endsS.set(`${of} ${uploadId}`, endS)
    busyS.set(uploadId, endS)
  }
  for (const { search, expectedS } of running)
    if (search !== undefined) set(search, Math.min(search.expectedS, expectedS))
  return {
    mayBegin: ({ search }: QueuedEdit, nowS: number): boolean =>
      search === undefined || (busyS.get(search.uploadId) ?? 0) <= nowS,
    /** When the edit, which begins now, has searched. */
    begin({ search }: QueuedEdit, nowS: number): number {
      if (search === undefined || endsS.has(`${search.of} ${search.uploadId}`)) return nowS
      set(search, nowS + search.expectedS)
      return nowS + search.expectedS
    },
    nextEndS: (nowS: number): number =>
      Math.min(...[...endsS.values()].filter((endS) => endS > nowS)),
  }
}

/** What waits, as one line for the quick and one for the long edits of each account. */
function createLines(waiting: readonly QueuedEdit[]) {
  const lines = new Map<string, QueuedEdit[]>()
  const keyOf = (edit: SlotTask): string => `${edit.userId} ${isLong(edit) ? 'long' : 'quick'}`
  const inOrder = (edits: readonly QueuedEdit[]): QueuedEdit[] =>
    edits.toSorted((a, b) => a.readyAt.getTime() - b.readyAt.getTime() || a.costS - b.costS)
  for (const edit of inOrder(waiting)) {
    const line = lines.get(keyOf(edit)) ?? []
    lines.set(keyOf(edit), [...line, edit])
  }
  return {
    add: (edit: QueuedEdit): void => {
      lines.set(keyOf(edit), inOrder([...(lines.get(keyOf(edit)) ?? []), edit]))
    },
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
