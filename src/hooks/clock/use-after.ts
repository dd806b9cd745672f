import { useEffect, useEffectEvent } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'

/** Runs after this time, which starts when it is given; null for never. */
export function useAfter(delayMs: number | null, onOver: () => void): void {
  const { clock } = useLocal()
  const run = useEffectEvent(onOver)
  useEffect(() => {
    if (delayMs === null) return undefined
    const left = new AbortController()
    clock.sleep(delayMs, left.signal).then(
      () => run(),
      () => undefined,
    )
    return () => left.abort()
  }, [clock, delayMs])
}
