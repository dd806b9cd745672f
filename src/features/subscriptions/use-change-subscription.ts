import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  changeSubscription,
  type SubscriptionChange,
} from '#src/local/calls/change-subscription.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * Cancels a subscription, by its id, or takes that back; what is shown is pulled after any outcome,
 * because a call without an answer may have worked. Resolves with a `Result`.
 */
export function useChangeSubscription(
  change: SubscriptionChange,
): UseMutationResult<Result<null, ApiFailure>, Error, string> {
  const queries = useQueryClient()
  return useCall(
    (context, subscriptionId: string) => changeSubscription(context, change, subscriptionId),
    () => void queries.invalidateQueries({ queryKey: PULL_KEY }),
  )
}
