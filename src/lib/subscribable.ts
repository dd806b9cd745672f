/** A value that changes and announces it, for code that runs without React (pages and workers). */
export interface Subscribable<T> {
  /** The value now; the same object until it changes. */
  current(): T
  /** Calls the listener after each change of `current()`. Returns the function that ends it. */
  subscribe(listener: () => void): () => void
}

/** A `Subscribable` in the hands of its owner. */
export interface Settable<T> extends Subscribable<T> {
  /** Takes the value and notifies every listener, unless it is the present one (`Object.is`). */
  become(next: T): void
  /** Forgets all listeners. */
  close(): void
}

/**
 * Makes a value that can be subscribed to. The rule for what lives in `src/local`; what only
 * screens know is a jotai atom instead (`x-atoms.ts`).
 */
export function createSettable<T>(initial: T): Settable<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    current: () => value,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    become: (next) => {
      if (Object.is(value, next)) return
      value = next
      for (const listener of listeners) listener()
    },
    close: () => listeners.clear(),
  }
}
