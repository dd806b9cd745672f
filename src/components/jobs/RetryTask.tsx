import { useState } from 'react'
import { useRetryTask } from './use-retry-task.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { TryAgain } from '#src/components/help/TryAgain.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'

/**
 * Tries a failed edit again: free of charge and once for each edit. The server refuses a second
 * try.
 */
export function RetryTask({
  taskId,
  name,
  mediaJobId,
}: {
  readonly taskId: string
  readonly name: string
  readonly mediaJobId: string
}) {
  const retry = useRetryTask()
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const start = () =>
    retry.mutate(
      { taskId, mediaJobId },
      { onSuccess: (result) => setFailure(result.ok ? null : result.error) },
    )
  const problem = failure === null ? null : serverProblemCopy(failure)
  if (problem !== null && problem.action === null)
    return (
      <p role="alert" className="text-sm text-ink-muted">
        {problem.title} {problem.body}
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-3">
      <TryAgain
        failure={failure}
        size="small"
        onPress={start}
        isBusy={retry.isPending}
        label={`Try again: ${name}`}
      >
        Try again
      </TryAgain>
      <p role="status" className="text-sm text-ink-muted">
        {problem === null ? 'Free of charge.' : problem.title}
      </p>
    </div>
  )
}
