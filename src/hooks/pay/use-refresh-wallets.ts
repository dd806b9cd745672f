import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { failureOf } from '#src/hooks/sync/query-client.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import { apiFailureMessage, type ApiFailure } from '#src/api/errors.ts'
import { wallets } from '#src/local/nouns/wallets.ts'

/**
 * Reads the wallets from the server now. Rejects with a `CallFailed`; `refreshFailureWords` puts it
 * into words.
 */
export function useRefreshWallets(): UseMutationResult<null, Error, void> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return useMutation({
    mutationFn: () => queries.fetchQuery({ ...pulls.list(wallets), staleTime: 0 }),
  })
}

/** The server's message, else the sentence of the specification. */
export function refreshFailureWords(error: unknown): string {
  const failure: ApiFailure | null = failureOf(error)
  return failure?.code === 'api/http' && failure.serverMessage !== null
    ? apiFailureMessage(failure)
    : 'Failed to refresh wallet balances'
}
