/**
 * `verdict`: the creator waits for it to go on; `pictures`: made during an upload; `preview`: asked
 * for out of curiosity.
 */
export type Rank = 'verdict' | 'pictures' | 'preview'

/** Decides what runs when. */
export interface Turns {
  /**
   * Runs `work` at its turn: verdicts at once; the others one at a time, while no verdict is being
   * made, pictures before previews. Work that has begun is not interrupted. An abort while waiting
   * rejects at once, and `work` is never begun.
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
  const waiting: Waiting[] = []

  const next = (): void => {
    if (isBusy || verdicts > 0) return
    const found = waiting.find(({ rank }) => rank === 'pictures') ?? waiting[0]
    if (found === undefined) return
    waiting.splice(waiting.indexOf(found), 1)
    isBusy = true
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
        else isBusy = false
        next()
      }
    },
  }
}
