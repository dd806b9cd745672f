import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useAccount, useLocal } from './local-context.ts'
import { usePulls } from './use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { cancelOrder } from '#src/local/outbox/server-commands.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * Cancels an order before its work starts, then reads the wallets, which got their tokens back.
 * Resolves with a `Result`.
 */
export function useCancelOrder(): UseMutationResult<Result<null, ApiFailure>, Error, string> {
  const { api, clock, ids } = useLocal()
  const account = useAccount()
  const queries = useQueryClient()
  const pulls = usePulls()
  return useMutation({
    mutationFn: async (orderId: string) => {
      if (account === null) throw new Error('cancelling without an account')
      const cancelled = await cancelOrder({ api, db: account.db, clock, ids }, orderId)
      // A balance that could not be read again is read at the next screen.
      if (cancelled.ok)
        await queries.fetchQuery({ ...pulls.wallets(), staleTime: 0 }).catch(() => null)
      return cancelled
    },
  })
}
