import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useRedoSubject } from '#src/hooks/edits/use-redo.ts'
import { makeAgainPath } from '#src/config/paths.ts'
import { canChange, redoObstacle } from '#src/local/edits/redo.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { RetryTask } from './RetryTask.tsx'
import { dateWords } from '#src/lib/time-words.ts'

type Task = MediaJob['tasks'][number]

export interface TaskActionProps {
  readonly job: Pick<MediaJob, '_id' | 'uploadRequestId'>
  readonly task: Task
}

/** What a person can do about one edit: a failed one is tried again, a finished one changed. */
export function TaskAction({ job, task }: TaskActionProps) {
  if (task.status === 'failed')
    return <RetryTask taskId={task._id} name={task.name} mediaJobId={job._id} />
  return canChange(task) && (task.redoUntil ?? null) !== null ? (
    <MakeAgain job={job} task={task} />
  ) : null
}

/** The way to the redo of an edit, while there is one at half price. */
function MakeAgain({ job, task }: TaskActionProps) {
  const nowEpochMs = useNow(null)
  const subject = useRedoSubject(job.uploadRequestId, task._id)
  if (subject.kind !== 'ready') return null
  if (redoObstacle(task, subject.value?.redo ?? null, nowEpochMs) !== null) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <LinkButton
        to={makeAgainPath(job.uploadRequestId, task._id)}
        variant="secondary"
        size="small"
      >
        Change this edit<span className="sr-only">: {task.name}</span>
      </LinkButton>
      <p className="text-sm text-ink-muted">
        {`At half price until ${dateWords(Date.parse(task.redoUntil ?? ''))}.`}
      </p>
    </div>
  )
}
