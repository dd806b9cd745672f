import { useState } from 'react'
import { serverProblemCopy, type ServerProblemCopy } from '#src/components/problem/server-copy.ts'
import { longDateWords } from '#src/components/time-words.ts'
import { useFinishFaceReview, type Keeping } from '#src/hooks/use-face-review.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { byHandWords } from './decisions.ts'
import type { Desk } from './use-desk.ts'

/**
 * Whether the decisions are kept, and the end of the review. The end cannot be undone, so that it
 * is not offered while nothing of the faces can be seen.
 */
export function FinishReview({
  desk,
  mediaJobId,
  isBlind,
}: {
  readonly desk: Desk
  readonly mediaJobId: string
  readonly isBlind: boolean
}) {
  const { review, keeping } = desk
  const isOnline = useOnline()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <section aria-label="Finish the review" className="flex flex-col gap-3">
      {keeping === 'changed-elsewhere' ? <Conflict desk={desk} /> : null}
      <p role="status" className="text-sm text-ink-muted">
        {KEPT[keeping]}
      </p>
      {review.until === null ? null : (
        <p className="text-sm text-ink-muted">
          Without your review, this edit is cancelled on {longDateWords(Date.parse(review.until))}{' '}
          and its tokens come back.
        </p>
      )}
      <Button
        isDisabled={keeping !== 'saved' || !isOnline || isBlind}
        describedBy="finish-when"
        onPress={() => setIsAsked(true)}
      >
        Make the edit
      </Button>
      <p id="finish-when" className="text-sm text-ink-muted">
        {whenWords(isOnline, isBlind)}
      </p>
      <Confirm
        desk={desk}
        mediaJobId={mediaJobId}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
      />
    </section>
  )
}

function whenWords(isOnline: boolean, isBlind: boolean): string {
  if (!isOnline) return 'You can finish when you are online.'
  return isBlind
    ? 'You can finish when the pictures can be shown.'
    : 'The edit covers exactly what you decided here.'
}

const KEPT: Readonly<Record<Keeping, string>> = {
  saved: 'Your decisions are saved.',
  'on-this-device':
    'Your decisions are on this device and go to the server when it can be reached.',
  'changed-elsewhere': 'Your decisions are on this device only.',
  refused: 'The server did not take your decisions. They are still on this device.',
}

function Conflict({ desk }: { readonly desk: Desk }) {
  return (
    <Notice kind="warning" isLive title="This review was also changed elsewhere">
      <p>Another device or tab has saved other decisions. Nothing was overwritten.</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onPress={desk.insist}>
          Keep mine
        </Button>
        <Button variant="secondary" size="small" onPress={desk.takeOther}>
          Take the other
        </Button>
      </div>
    </Notice>
  )
}

function Confirm({
  desk,
  mediaJobId,
  isOpen,
  onClose,
}: {
  readonly desk: Desk
  readonly mediaJobId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const finish = useFinishFaceReview()
  const [problem, setProblem] = useState<ServerProblemCopy | null>(null)
  const { taskId, revision } = desk.review
  const start = () =>
    finish.mutate(
      { taskId, mediaJobId, basedOn: revision },
      {
        onSuccess: (result) => {
          if (result.ok) onClose()
          else setProblem(serverProblemCopy(result.error))
        },
      },
    )
  return (
    <QuestionDialog
      title="Make the edit now?"
      isOpen={isOpen}
      isPending={finish.isPending}
      keepWords="Go on reviewing"
      actWords="Make the edit"
      onAct={start}
      onClose={onClose}
    >
      <p>{summaryOf(desk)}</p>
      <p className="mt-3">
        A search misses faces. Watch the whole video once before you go on: after this, nothing can
        be changed.
      </p>
      {problem === null ? null : (
        <p role="alert" className="mt-3 text-bad">
          {problem.title} {problem.body}
        </p>
      )}
    </QuestionDialog>
  )
}

function summaryOf({ review, decisions }: Desk): string {
  const found = review.finding?.tracks.length ?? 0
  const visible = decisions.uncovered.length
  const faces =
    found === 0
      ? 'The search found no face.'
      : `${found - visible} of ${found} faces found are covered, ${visible} ${visible === 1 ? 'stays' : 'stay'} visible.`
  return `${faces} ${byHandWords(decisions)}`
}
