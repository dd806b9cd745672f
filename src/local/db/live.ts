import { liveQuery } from 'dexie'

export interface LiveListener<T> {
  readonly next: (value: T) => void
  readonly error: (reason: unknown) => void
}

/**
 * Runs a query now, and again whenever a row that it read changes, here or in another tab.
 * @returns a function that stops it; safe to call twice
 */
export function subscribeLive<T>(query: () => Promise<T>, listener: LiveListener<T>): () => void {
  const subscription = liveQuery(query).subscribe({ next: listener.next, error: listener.error })
  return () => subscription.unsubscribe()
}
