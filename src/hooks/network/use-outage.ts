import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { presentOutage, watchOutages } from './outage-watch.ts'
import type { Outage } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** A check that hangs in a dead connection must not delay the next one. */
const CHECK_WITHIN_MS = 5 * SECOND_MS

/** The same as `usePresentOutage`, and ends the outage by checks. Used once, by the bar. */
export function useOutage(): Outage | null {
  const queries = useQueryClient()
  const { api, clock, ports } = useLocal()
  useEffect(
    () =>
      watchOutages({
        queries,
        clock,
        isVisible: ports.isVisible,
        onAttention: ports.onAttention,
        isAnswered: async () => {
          const signal = AbortSignal.timeout(CHECK_WITHIN_MS)
          const answer = await send(api.GET('/v1/capabilities', { signal }))
          // A refusal in the server's own words is an answer too.
          return answer.ok || answer.error.code === 'api/http'
        },
      }),
    [queries, api, clock, ports],
  )
  return usePresentOutage()
}

/** What keeps the present screens from the server, null while nothing does. */
export function usePresentOutage(): Outage | null {
  const queries = useQueryClient()
  return useSyncExternalStore(
    // Batched, because a component that renders for the first time adds its query to the cache.
    (listener) => queries.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    () => presentOutage(queries),
  )
}
