/** What a price has to know of a video. */
export interface Measured {
  readonly durationMs: number
  readonly hasAudio: boolean
}

/**
 * Runs measurements that a creator waits for: few at once, and one for all calls about the same
 * file.
 */
export interface Measures {
  /**
   * The answer of `measure`, or of a call for the same key that is under way. Null also when no
   * place was free for `patienceMs`, and for `restMs` after it was null: a waiting page asks again
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

export function createMeasures({ atOnce, patienceMs, restMs, clock }: MeasuresOptions): Measures {
  const underWay = new Map<string, Promise<Measured | null>>()
  const restingUntilEpochMs = new Map<string, number>()
  const places = createPlaces(atOnce, patienceMs)

  const run = async (
    key: string,
    measure: () => Promise<Measured | null>,
  ): Promise<Measured | null> => {
    if (!(await places.take())) return null
    try {
      const measured = await measure()
      if (measured === null) restingUntilEpochMs.set(key, clock().getTime() + restMs)
      return measured
    } finally {
      places.leave()
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

/** Room for so many measurements at once. */
interface Places {
  /** Waits for a place; false when none became free in time. */
  take(): Promise<boolean>
  leave(): void
}

function createPlaces(count: number, patienceMs: number): Places {
  const waiting: { readonly begin: () => void }[] = []
  let taken = 0
  return {
    take: () => {
      if (taken < count) {
        taken += 1
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const giveUp = setTimeout(() => {
          waiting.splice(waiting.indexOf(entry), 1)
          resolve(false)
        }, patienceMs)
        const entry = {
          begin: () => {
            clearTimeout(giveUp)
            resolve(true)
          },
        }
        waiting.push(entry)
      })
    },
    leave: () => {
      // The place goes to the call that waits longest, so that no new call overtakes it.
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next.begin()
    },
  }
}
