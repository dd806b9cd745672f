import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { withdrawPayment } from '#src/local/calls/withdraw-payment.ts'
import type { Payment } from '#src/local/nouns/payments.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * Gives the unused tokens of a payment, by its id, back; balances and the rest are pulled after any
 * outcome, because a call without an answer may have worked. Resolves with a `Result`.
 */
export function useWithdrawPayment(): UseMutationResult<
  Result<Payment, ApiFailure>,
  Error,
  string
> {
  const queries = useQueryClient()
  return useCall(withdrawPayment, () => void queries.invalidateQueries({ queryKey: PULL_KEY }))
}
