import { useEffect, useEffectEvent, useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'

/**
 * A value as it was when it last stood still for `pauseMs`. Plain data; equal values count as the
 * same.
 */
export function useSettled<T>(value: T, pauseMs: number): T {
  const { clock } = useLocal()
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  const settle = useEffectEvent(() => setSettled(value))
  useEffect(() => {
    const left = new AbortController()
    clock.sleep(pauseMs, left.signal).then(settle, () => undefined)
    return () => left.abort()
  }, [clock, key, pauseMs])
  return settled
}
