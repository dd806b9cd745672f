import { useState } from 'react'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { serverProblemCopy, type ServerProblemCopy } from '#src/components/problem/server-copy.ts'
import { useFinishFaceReview, type ReviewKeeping } from './use-face-review.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { ActionBar } from '#src/ui/ActionBar.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { byHandWords } from './decisions.ts'
import type { Desk } from './use-desk.ts'
import type { ReviewPictures } from './use-review-pictures.ts'

/**
 * The bar that ends the review: how many faces were not shown yet, whether the decisions are kept,
 * and the end itself. It cannot be undone, so that it is not offered while nothing of the faces can
 * be seen.
 */
export function FinishReview({
  desk,
  mediaJobId,
  pictures,
}: {
  readonly desk: Desk
  readonly mediaJobId: string
  readonly pictures: ReviewPictures
}) {
  const { review, keeping } = desk
  const isOnline = useOnline()
  const [isAsked, setIsAsked] = useState(false)
  const obstacle = obstacleWords(isOnline, pictures.isBlind)
  // The first save makes the first revision.
  const hasNone = keeping === 'saved' && review.revision === 0
  const trackIds = (review.finding?.tracks ?? []).map(({ id }) => id)
  const left = trackIds.filter((id) => !pictures.seenIds.has(id)).length
  return (
    <section aria-label="Finish the review" className="contents">
      <ActionBar
        // Below the faces: what stays beside them, with the boxes drawn by hand, needs its room.
        className="lg:ml-[calc((100%-2rem)*6/11+2rem)]"
        words={
          <div className="leading-snug">
            <p className="font-semibold tabular-nums max-sm:text-[0.9375rem]">
              {leftWords(left, trackIds.length)}
            </p>
            <div id="finish-when" className="text-sm text-ink-muted">
              <p role="status">{hasNone ? NOTHING_CHANGED : KEPT[keeping]}</p>
              {obstacle === null ? null : <p>{obstacle}</p>}
            </div>
          </div>
        }
        action={
          <Button
            size="large"
            isDisabled={keeping !== 'saved' || obstacle !== null}
            describedBy="finish-when"
            onPress={() => setIsAsked(true)}
          >
            Make the edit
          </Button>
        }
      >
        {keeping === 'changed-elsewhere' ? <Conflict desk={desk} /> : null}
      </ActionBar>
      <Confirm
        desk={desk}
        left={left}
        mediaJobId={mediaJobId}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
      />
    </section>
  )
}

/** What of the faces found was not in the window yet. */
function leftWords(left: number, count: number): string {
  const faces = count === 1 ? 'face' : 'faces'
  if (count === 0) return 'No face found'
  if (left > 0) return `${left} of ${count} ${faces} not shown yet`
  return count === 1 ? '1 face shown' : `All ${count} faces shown`
}

function unseenWords(left: number): string {
  return left === 1
    ? '1 of the faces found was not shown since you opened this page.'
    : `${left} of the faces found were not shown since you opened this page.`
}

function obstacleWords(isOnline: boolean, isBlind: boolean): string | null {
  if (!isOnline) return 'You can finish when you are online.'
  return isBlind ? 'You can finish when the pictures can be shown.' : null
}

/**
 * Short where it changes while one decides: a bar that grew and shrank would move what is above it.
 */
const KEPT: Readonly<Record<ReviewKeeping, string>> = {
  saved: 'Your decisions are saved.',
  'on-this-device': 'Saved on this device.',
  'changed-elsewhere': 'Your decisions are on this device only.',
  refused: 'The server did not take your decisions. They are still on this device.',
}

/** No longer than those words, which take its place. */
const NOTHING_CHANGED = 'Nothing changed yet.'

function Conflict({ desk }: { readonly desk: Desk }) {
  return (
    <Notice kind="warning" isLive title="This review was also changed elsewhere" className="mb-3">
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
  left,
  mediaJobId,
  isOpen,
  onClose,
}: {
  readonly desk: Desk
  /** Of the faces found, those that were not in the window yet. */
  readonly left: number
  readonly mediaJobId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const finish = useFinishFaceReview()
  const notYet = useNotYet('POST /v1/media-job-tasks/{id}/faces/finish')
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
      notYet={notYet}
      keepWords="Go on reviewing"
      actWords="Make the edit"
      onAct={start}
      onClose={onClose}
    >
      {left === 0 ? null : <p className="mb-3 font-semibold">{unseenWords(left)}</p>}
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
  return `${faces} ${byHandWords(decisions)}`.trim()
}
