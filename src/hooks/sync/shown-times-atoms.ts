import { atom, useSetAtom } from 'jotai'
import { useEffect, useId } from 'react'

/** The times that the screen itself names for what it shows, by the part that names one. */
const shownTimesAtom = atom<ReadonlyMap<string, number>>(new Map())

/** The oldest time that the screen names for what it shows; null while it names none. */
export const oldestShownTimeAtom = atom((get) => {
  const times = [...get(shownTimesAtom).values()]
  return times.length === 0 ? null : Math.min(...times)
})

/**
 * Takes down that the screen names this time, so that the offline bar above it names no other.
 * @param asOfEpochMs this device's clock; null while no time is named
 */
export function useShownTime(asOfEpochMs: number | null): void {
  const part = useId()
  const setTimes = useSetAtom(shownTimesAtom)
  useEffect(() => {
    if (asOfEpochMs === null) return undefined
    setTimes((times) => new Map(times).set(part, asOfEpochMs))
    return () => setTimes((times) => new Map([...times].filter(([id]) => id !== part)))
  }, [asOfEpochMs, part, setTimes])
}
