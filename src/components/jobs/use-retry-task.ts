import type { UseMutationResult } from '@tanstack/react-query'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { retryTask } from '#src/local/calls/direct-calls.ts'
import type { Result } from '#src/lib/result.ts'

export interface TaskToRetry {
  readonly taskId: string
  readonly mediaJobId: string
}

/** Starts a failed task again. Resolves with a `Result`. */
export function useRetryTask(): UseMutationResult<Result<null, ApiFailure>, Error, TaskToRetry> {
  return useCall((context, { taskId, mediaJobId }) => retryTask(context, taskId, mediaJobId))
}
