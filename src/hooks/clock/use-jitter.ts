import { useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'

/**
 * A random share (0 <= value < 1) that stays the same while mounted, for polling intervals:
 * TanStack Query restarts its timer whenever the interval it is given changes, so that one drawn
 * at each render of a screen that ticks would never end.
 */
export function useJitter(): number {
  const { random } = useLocal()
  const [jitter] = useState(random)
  return jitter
}
