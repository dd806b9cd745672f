import { useQuery } from '@tanstack/react-query'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { valueOrThrow } from '#src/hooks/sync/query-client.ts'
import type { components } from '#openapi/schema.gen.ts'
import { send } from '#src/api/send.ts'
import { STALE_AFTER_MS } from '#src/local/sync/intervals.ts'

/** What the server lets everyone know of itself; asked for once in a while, kept nowhere. */
export function useFrontPage(): {
  /** Null while they are not known. */
  readonly facts: components['schemas']['FrontPage'] | null
  readonly hasFailed: boolean
  readonly tryAgain: () => void
} {
  const { api } = useLocal()
  const { data, isError, refetch } = useQuery({
    queryKey: ['front-page'],
    staleTime: STALE_AFTER_MS.capabilities,
    queryFn: async ({ signal }) =>
      valueOrThrow(await send(api.GET('/v1/front-page', { signal }))).frontPage,
  })
  return {
    facts: data ?? null,
    hasFailed: isError && data === undefined,
    tryAgain: () => void refetch(),
  }
}
