import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import { useAccount, useLocal } from './local-context.ts'
import { valueOrThrow } from './query-client.ts'
import { send } from '#src/api/send.ts'

export type ExternalAuth = components['schemas']['ExternalAuth']

/** Connected drives. In memory only: fresh answers carry access tokens, which are never stored. */
export function useExternalAuths(
  withFreshTokens: boolean,
): UseQueryResult<readonly ExternalAuth[]> {
  const { api } = useLocal()
  const account = useAccount()
  return useQuery({
    queryKey: ['external-auths', account?.userId ?? null, withFreshTokens],
    enabled: account !== null,
    queryFn: async ({ signal }) =>
      valueOrThrow(
        await send(
          api.GET('/v1/external-auths', {
            params: { query: withFreshTokens ? { withFreshTokens } : {} },
            signal,
          }),
        ),
      ).externalAuths,
  })
}
