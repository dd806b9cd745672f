import { liveQuery } from 'dexie'

export interface LiveListener<T> {
  readonly next: (value: T) => void
  /** The query failed, for the first time in a row; it is asked again, so a value may come. */
  readonly error: (reason: unknown) => void
}

/** How long after the first failure in a row a query is asked again; twice as long each time. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/**
 * Runs a query now, and again whenever a row that it read changes, here or in another tab. After a
 * failure also by itself: Dexie only waits for the next change of what an earlier answer had read,
 * so what it did not see would stay unseen. A closed database is no failure, and ends it.
 * @returns a function that stops it; safe to call twice
 */
export function subscribeLive<T>(query: () => Promise<T>, listener: LiveListener<T>): () => void {
  let waitMs = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () =>
    liveQuery(query).subscribe({
      next: (value) => {
        clearTimeout(timer)
        waitMs = FIRST_WAIT_MS
        listener.next(value)
      },
      error: (reason) => {
        clearTimeout(timer)
        timer = setTimeout(askAgain, waitMs)
        const isFirst = waitMs === FIRST_WAIT_MS
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
        if (isFirst) listener.error(reason)
      },
    })
  let asked = ask()
  const askAgain = (): void => {
    asked.unsubscribe()
    asked = ask()
  }
  return () => {
    clearTimeout(timer)
    asked.unsubscribe()
  }
}
