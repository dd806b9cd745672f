import { useQuery } from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { valueOrThrow } from '#src/hooks/sync/query-client.ts'
import { useJitter } from '#src/hooks/clock/use-jitter.ts'
import { send } from '#src/api/send.ts'
import { SECOND_MS } from '#src/lib/time.ts'

export type Forecast = components['schemas']['MediaJobForecast']

const NOTHING: Forecast = { remainingMs: null, editsAhead: null, review: null }
/** What others order changes it. */
const POLL_MS = 20 * SECOND_MS

/**
 * When the edits of a job would be ready and how many go before, asked for again and again while
 * `isWanted`. Knows nothing until the server has answered, and when it cannot be reached.
 */
export function useForecast(mediaJobId: string, isWanted: boolean): Forecast {
  const { api } = useLocal()
  const account = useAccount()
  const jitter = useJitter()
  const { data } = useQuery<Forecast>({
    queryKey: ['forecast', account?.userId ?? null, mediaJobId],
    enabled: account !== null && isWanted,
    staleTime: 0,
    refetchInterval: POLL_MS * (0.75 + jitter / 2),
    queryFn: async ({ signal }) =>
      valueOrThrow(
        await send(
          api.GET('/v1/media-jobs/{id}/forecast', {
            params: { path: { id: mediaJobId } },
            signal,
          }),
        ),
      ).forecast,
  })
  return isWanted ? (data ?? NOTHING) : NOTHING
}
