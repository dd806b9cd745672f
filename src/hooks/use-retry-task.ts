import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useAccount, useLocal } from './local-context.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { retryTask } from '#src/local/outbox/server-commands.ts'
import type { Result } from '#src/lib/result.ts'

export interface TaskToRetry {
  readonly taskId: string
  readonly mediaJobId: string
}

/** Starts a failed task again. Resolves with a `Result`. */
export function useRetryTask(): UseMutationResult<Result<null, ApiFailure>, Error, TaskToRetry> {
  const { api, clock, ids } = useLocal()
  const account = useAccount()
  return useMutation({
    mutationFn: async ({ taskId, mediaJobId }: TaskToRetry) => {
      if (account === null) throw new Error('retrying without an account')
      return retryTask({ api, db: account.db, clock, ids }, taskId, mediaJobId)
    },
  })
}
