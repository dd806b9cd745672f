import type { components } from '#openapi/schema.gen.ts'
import { faceReviewPath } from '#src/config/paths.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { longDateWords } from '#src/lib/time-words.ts'

type Task = components['schemas']['MediaJobTask']

/** The way to the review for which an edit waits, and what happens without it. */
export function ReviewFaces({
  mediaJobId,
  task,
}: {
  readonly mediaJobId: string
  readonly task: Task
}) {
  const until = task.review?.until ?? null
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-[0.9375rem]">
        The search for faces has finished. Look at what it found and decide who is covered: the edit
        is made after that.
      </p>
      {until === null ? null : (
        <p className="text-sm text-ink-muted">
          Without your review, this edit is cancelled on {longDateWords(Date.parse(until))} and its
          tokens come back.
        </p>
      )}
      <LinkButton to={faceReviewPath(mediaJobId, task._id)} size="small">
        Review faces<span className="sr-only"> of {task.name}</span>
      </LinkButton>
    </div>
  )
}
