import { useEffect, useState } from 'react'
import { useLocal } from './local-context.ts'

/** This device's time, again each `everyMs` while mounted; null for no ticking (what is shown does not move). */
export function useNow(everyMs: number | null): number {
  const { clock } = useLocal()
  const [nowEpochMs, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (everyMs === null) return undefined
    const timer = setInterval(() => setNow(clock.now()), everyMs)
    return () => clearInterval(timer)
  }, [clock, everyMs])
  return nowEpochMs
}
