import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { useNow } from './use-now.ts'

/** Until when the server refuses a call that came too often. */
export interface RefusedUntil {
  readonly untilEpochMs: number
  readonly nowEpochMs: number
}

/**
 * How long a call that came too often is refused; null after that time, and for all other failures,
 * where trying again may help at once. The time counts from when this component first saw the
 * failure.
 */
export function useRefusedUntil(failure: ApiFailure | null): RefusedUntil | null {
  const { clock } = useLocal()
  const limit = limitOf(failure)
  const [seen, setSeen] = useState(() => ({ limit, atEpochMs: clock.now() }))
  if (seen.limit !== limit) setSeen({ limit, atEpochMs: clock.now() })
  const untilEpochMs = seen.atEpochMs + (limit?.retryAfterMs ?? 0)
  // Ticks: a timer of hours would stand still while the device sleeps.
  const nowEpochMs = useNow(limit === null ? null : SECOND_MS)
  return limit === null || nowEpochMs >= untilEpochMs ? null : { untilEpochMs, nowEpochMs }
}

function limitOf(failure: ApiFailure | null) {
  return failure?.code === 'api/http' &&
    failure.serverCode === 'request/too-many' &&
    failure.retryAfterMs !== null
    ? failure
    : null
}
