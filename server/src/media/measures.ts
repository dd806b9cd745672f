/** What a price has to know of a video. */
export interface Measured {
  readonly durationMs: number
  readonly hasAudio: boolean
}

/**
 * Runs measurements that somebody waits for: few at once, and one for all who ask of the same file.
 */
export interface Measures {
  /**
   * The answer of `measure`, or of a call for the same key that is under way. Null also when no
   * place was free for `patienceMs`, and for `restMs` after it was null: whoever waits asks again
   * and again, and the file is the same. Rejects as `measure` does.
   */
  share(key: string, measure: () => Promise<Measured | null>): Promise<Measured | null>
}

export interface MeasuresOptions {
  readonly atOnce: number
  /** How long a call waits for a place. */
  readonly patienceMs: number
  readonly restMs: number
  readonly clock: () => Date
}

interface Waiting {
  readonly begin: () => void
}

export function createMeasures({ atOnce, patienceMs, restMs, clock }: MeasuresOptions): Measures {
  const underWay = new Map<string, Promise<Measured | null>>()
  const restingUntilEpochMs = new Map<string, number>()
  const waiting: Waiting[] = []
  let running = 0

  /** False when patience is at its end. */
  const place = (): Promise<boolean> => {
    if (running < atOnce) {
      running += 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1)
        resolve(false)
      }, patienceMs)
      const entry: Waiting = {
        begin: () => {
          clearTimeout(giveUp)
          resolve(true)
        },
      }
      waiting.push(entry)
    })
  }
  const leave = (): void => {
    // The place goes from hand to hand, so that nobody who comes now is quicker than who waits.
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next.begin()
  }
  const run = async (
    key: string,
    measure: () => Promise<Measured | null>,
  ): Promise<Measured | null> => {
    if (!(await place())) return null
    try {
      const measured = await measure()
      if (measured === null) restingUntilEpochMs.set(key, clock().getTime() + restMs)
      return measured
    } finally {
      leave()
    }
  }
  const isResting = (key: string): boolean => {
    const now = clock().getTime()
    for (const [each, until] of restingUntilEpochMs)
      if (until <= now) restingUntilEpochMs.delete(each)
    return restingUntilEpochMs.has(key)
  }

  return {
    share: (key, measure) => {
      const shared = underWay.get(key)
      if (shared !== undefined) return shared
      if (isResting(key)) return Promise.resolve(null)
      const fresh = run(key, measure).finally(() => underWay.delete(key))
      underWay.set(key, fresh)
      return fresh
    },
  }
}
