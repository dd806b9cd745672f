import { useEffect, useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'

/**
 * This device's time, again each `everyMs` while mounted; null for no ticking (what is shown does
 * not move).
 */
export function useNow(everyMs: number | null): number {
  const { clock } = useLocal()
  const [nowEpochMs, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (everyMs === null) return undefined
    const tick = (): void => setNow(clock.now())
    // What was read when the screen opened may be minutes old.
    const first = setTimeout(tick, 0)
    const timer = setInterval(tick, everyMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [clock, everyMs])
  return nowEpochMs
}
