import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useCall } from '#src/hooks/server/use-call.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { cancelOrder } from '#src/local/calls/direct-calls.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * Cancels an order before its work starts, then reads the wallets, which got their tokens back.
 * Resolves with a `Result`.
 */
export function useCancelOrder(): UseMutationResult<Result<null, ApiFailure>, Error, string> {
  const queries = useQueryClient()
  const pulls = usePulls()
  return useCall(async (context, orderId) => {
    const cancelled = await cancelOrder(context, orderId)
    // A balance that could not be read again is read at the next screen.
    if (cancelled.ok)
      await queries.fetchQuery({ ...pulls.list(wallets), staleTime: 0 }).catch(() => null)
    return cancelled
  })
}
