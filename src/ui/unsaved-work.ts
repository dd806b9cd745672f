import { createContext, use, useEffect } from 'react'

/** Counts what would be lost by reloading this page: unsaved forms, a payment under way. */
export interface UnsavedWork {
  /** Begins; returns the end. */
  readonly begin: () => () => void
  readonly isAny: () => boolean
}

/** Makes the counter; one per page. */
export function createUnsavedWork(): UnsavedWork {
  const open = new Set<object>()
  return {
    begin: () => {
      const token = {}
      open.add(token)
      return () => void open.delete(token)
    },
    isAny: () => open.size > 0,
  }
}

/** Given by the composition root. */
export const UnsavedWorkContext = createContext<UnsavedWork | null>(null)

/** While `isUnsaved`, no new version of the app reloads this page unasked. */
export function useUnsavedWork(isUnsaved: boolean): void {
  const work = use(UnsavedWorkContext)
  useEffect(() => (isUnsaved && work !== null ? work.begin() : undefined), [isUnsaved, work])
}
