/**
 * `verdict`: the creator waits for it to go on; `pictures`: made during an upload; `preview`: asked
 * for out of curiosity; `make`: an edit in full, which takes minutes; `search`: a step of a search
 * for moments, which goes on behind everything else.
 */
export type Rank = 'verdict' | 'pictures' | 'preview' | 'make' | 'search'

/** Decides what runs when. */
export interface Turns {
  /**
   * Runs `work` at its turn: verdicts at once; pictures and previews one at a time, while no
   * verdict is being made, pictures first. An edit begins when none of these is under way, one
   * edit at a time; what comes later does not wait for minutes until its end. A search waits for
   * the end of an edit too. Work that has begun is not interrupted. An abort while waiting rejects
   * at once, and `work` is never begun.
   */
  take<T>(rank: Rank, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  readonly rank: Rank
  readonly begin: () => void
}

export function createTurns(): Turns {
  let verdicts = 0
  let isBusy = false
  let isMaking = false
  const waiting: Waiting[] = []

  const next = (): void => {
    if (isBusy || verdicts > 0) return
    const found =
      waiting.find(({ rank }) => rank === 'pictures') ??
      waiting.find(({ rank }) => rank === 'preview') ??
      (isMaking ? undefined : (waiting.find(({ rank }) => rank === 'make') ?? waiting[0]))
    if (found === undefined) return
    waiting.splice(waiting.indexOf(found), 1)
    if (found.rank === 'make') isMaking = true
    else isBusy = true
    found.begin()
  }
  const turn = (rank: Rank, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(signal.reason)
      }
      const entry: Waiting = {
        rank,
        begin: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(entry)
      next()
    })

  return {
    take: async (rank, signal, work) => {
      signal.throwIfAborted()
      if (rank === 'verdict') verdicts += 1
      else await turn(rank, signal)
      try {
        return await work()
      } finally {
        if (rank === 'verdict') verdicts -= 1
        else if (rank === 'make') isMaking = false
        else isBusy = false
        next()
      }
    },
  }
}
