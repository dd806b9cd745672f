import { liveQuery } from 'dexie'

export interface LiveListener<T> {
  readonly next: (value: T) => void
  readonly error: (reason: unknown) => void
}

/**
 * Runs a query now and again whenever rows it read were changed, here or in another tab.
 * @returns a function that ends it; safe to call twice
 */
export function subscribeLive<T>(query: () => Promise<T>, listener: LiveListener<T>): () => void {
  const subscription = liveQuery(query).subscribe({ next: listener.next, error: listener.error })
  return () => subscription.unsubscribe()
}
