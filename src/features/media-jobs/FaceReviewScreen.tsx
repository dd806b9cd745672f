import { useRef } from 'react'
import { useParams } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { Missing } from '#src/components/order/Missing.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { longDateWords } from '#src/lib/time-words.ts'
import { paths } from '#src/config/paths.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useFaceReview, type ServedFaceReview } from './use-face-review.ts'
import { useMediaJob } from '#src/hooks/edits/use-media-job.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ByHand } from './ByHand.tsx'
import { EarlierDecisions } from './EarlierDecisions.tsx'
import { FinishReview } from './FinishReview.tsx'
import { FoundFaces } from './FoundFaces.tsx'
import { ReviewPlayer } from './ReviewPlayer.tsx'
import { useDesk } from './use-desk.ts'
import { useReviewPictures } from './use-review-pictures.ts'
import { useReviewVideo } from './use-review-video.ts'

/** `/media-jobs/{id}/tasks/{id}/faces`: who is covered, before an edit is made. */
export function FaceReviewScreen() {
  const { mediaJobId = '', taskId = '' } = useParams()
  const review = useFaceReview(taskId)
  return (
    <Page
      title="Review faces"
      lead="The search is a help, no promise: it misses faces and takes other things for faces. What you decide here is what the edit covers."
    >
      <Review key={taskId} review={review} mediaJobId={mediaJobId} />
    </Page>
  )
}

function Review({
  review,
  mediaJobId,
}: {
  readonly review: Shown<ServedFaceReview>
  readonly mediaJobId: string
}) {
  const { data, failure } = review
  if (data === null && failure === null) return <Skeleton className="h-96" />
  if (data === null && failure !== null && statusOf(failure) === 404) return <Missing what="job" />
  return (
    <div className="flex flex-col gap-6">
      <PullFailure pull={review} title="Unable to fetch the review" />
      {data === null ? null : <Known review={data} mediaJobId={mediaJobId} />}
    </div>
  )
}

interface KnownProps {
  readonly review: ServedFaceReview
  readonly mediaJobId: string
}

function Known({ review, mediaJobId }: KnownProps) {
  const job = useMediaJob(mediaJobId)
  const task = job.data?.tasks.find(({ _id }) => _id === review.taskId)
  const hasEnded = task !== undefined && task.status !== 'created' && task.status !== 'started'
  if (review.state === 'searching' && !hasEnded)
    return (
      <Notice title="Looking for faces">
        <ProgressBar
          label="Search for faces"
          isLabelHidden
          percent={task === undefined ? null : Math.min(100, task.progressRatio * 200)}
        />
        <p className="mt-2">You can leave this page. Your edits show when the review can begin.</p>
      </Notice>
    )
  if (review.state === 'done' || hasEnded)
    return (
      <Notice
        kind="success"
        title="This review has ended"
        action={<LinkButton to={paths.edits}>View All Edits</LinkButton>}
      >
        Your edits show how far it is.
      </Notice>
    )
  return (
    <Waiting
      review={review}
      mediaJobId={mediaJobId}
      uploadRequestId={job.data?.uploadRequestId ?? null}
    />
  )
}

function Waiting({
  review,
  mediaJobId,
  uploadRequestId,
}: KnownProps & { readonly uploadRequestId: string | null }) {
  const desk = useDesk(review)
  const video = useReviewVideo(review.taskId, uploadRequestId)
  const pictures = useReviewPictures()
  const frame = useRef<HTMLDivElement>(null)
  if (desk === null) return <Skeleton className="h-96" />
  return (
    // What the bar at the end ends, so that it sticks beside all of it.
    <div>
      <div className="flex flex-col gap-8">
        <EarlierDecisions desk={desk} />
        {review.until === null ? null : <Until until={review.until} />}
        {/* On phones the picture is a child of the grid, so that it can stick beside all below it. */}
        <div className="grid items-start gap-x-8 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
          <div className="max-sm:contents lg:sticky lg:top-24">
            <ReviewPlayer desk={desk} video={video} pictures={pictures} frame={frame} />
            <ByHand desk={desk} frame={frame} />
          </div>
          <FoundFaces desk={desk} pictures={pictures} frame={frame} />
        </div>
      </div>
      <FinishReview desk={desk} mediaJobId={mediaJobId} pictures={pictures} />
    </div>
  )
}

function Until({ until }: { readonly until: string }) {
  return (
    <p className="text-sm text-ink-muted">
      Without your review, this edit is cancelled on {longDateWords(Date.parse(until))} and its
      tokens come back.
    </p>
  )
}
