import { useState, useSyncExternalStore } from 'react'
import type { CallName, RefusedUntil } from '#src/api/call-limits.ts'
import { refusedForMs, type ApiFailure } from '#src/api/errors.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { useNow } from './use-now.ts'

/**
 * How long a call that came too often is refused; null after that time, and for all other failures,
 * where trying again may help at once. The time counts from when this component first saw the
 * failure.
 */
export function useRefusedUntil(failure: ApiFailure | null): RefusedUntil | null {
  const { clock } = useLocal()
  const forMs = failure === null ? null : refusedForMs(failure)
  const limit = forMs === null ? null : failure
  const [seen, setSeen] = useState(() => ({ limit, atEpochMs: clock.now() }))
  if (seen.limit !== limit) setSeen({ limit, atEpochMs: clock.now() })
  return useUntil(forMs === null ? null : seen.atEpochMs + forMs)
}

/**
 * How long the server refuses these calls of this page, whichever screen made them; null while it
 * refuses none of them.
 */
export function useCallsRefusedUntil(calls: readonly CallName[]): RefusedUntil | null {
  const { limits } = useLocal()
  const byCall = useSyncExternalStore(limits.subscribe, limits.current)
  const times = calls.flatMap((call) => byCall.get(call) ?? [])
  return useUntil(times.length === 0 ? null : Math.max(...times))
}

function useUntil(untilEpochMs: number | null): RefusedUntil | null {
  // Ticks: a timer of hours would stand still while the device sleeps.
  const nowEpochMs = useNow(untilEpochMs === null ? null : SECOND_MS)
  return untilEpochMs === null || nowEpochMs >= untilEpochMs ? null : { untilEpochMs, nowEpochMs }
}
