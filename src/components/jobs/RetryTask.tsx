import { useState } from 'react'
import { useRetryTask } from './use-retry-task.ts'
import { Button } from '#src/ui/Button.tsx'
import { serverProblemCopy, type ServerProblemCopy } from '#src/components/problem/server-copy.ts'

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
  const [problem, setProblem] = useState<ServerProblemCopy | null>(null)
  const start = () =>
    retry.mutate(
      { taskId, mediaJobId },
      { onSuccess: (result) => setProblem(result.ok ? null : serverProblemCopy(result.error)) },
    )
  if (problem !== null && problem.action === null)
    return (
      <p role="alert" className="text-sm text-ink-muted">
        {problem.title} {problem.body}
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant="secondary"
        size="small"
        onPress={start}
        isBusy={retry.isPending}
        label={`Try again: ${name}`}
      >
        Try again
      </Button>
      <p role="status" className="text-sm text-ink-muted">
        {problem === null ? 'Free of charge.' : problem.title}
      </p>
    </div>
  )
}
