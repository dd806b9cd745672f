import { atom, useSetAtom } from 'jotai'
import { useEffect } from 'react'

/** How much would be lost by reloading this page: unsaved forms, a payment under way. */
export const unsavedWorkAtom = atom(0)

/** While `isUnsaved`, no new version of the app reloads this page unasked. */
export function useUnsavedWork(isUnsaved: boolean): void {
  const setCount = useSetAtom(unsavedWorkAtom)
  useEffect(() => {
    if (!isUnsaved) return undefined
    setCount((count) => count + 1)
    return () => setCount((count) => count - 1)
  }, [isUnsaved, setCount])
}
