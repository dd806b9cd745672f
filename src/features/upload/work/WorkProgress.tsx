import { JobProgress } from '#src/components/jobs/JobProgress.tsx'
import { jobState } from '#src/local/db/job-state.ts'
import { TaskList } from '#src/components/jobs/TaskList.tsx'
import { MoreEdits } from './MoreEdits.tsx'
import { ReceiptLink } from '#src/components/order/ReceiptLink.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { useForecast } from '#src/hooks/edits/use-forecast.ts'
import { useMediaJob } from '#src/hooks/edits/use-media-job.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useProfile } from '#src/hooks/account/use-profile.ts'
import { useDevicePushes, useSeenNotices } from '#src/hooks/device/use-pushes.ts'
import { useSettleChanged } from '#src/hooks/orders/use-settle-changed.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { forecastWords } from '#src/components/order/forecast-words.ts'
import { OrderItems } from '#src/components/order/OrderItems.tsx'
import { TellOnThisDevice } from './TellOnThisDevice.tsx'
import { paymentState } from '#src/features/upload/order/payment-state.ts'

/** After the payment: the edits while they are made, until they can be downloaded. */
export function WorkProgress({
  order,
  mediaJobId,
}: {
  readonly order: Order
  readonly mediaJobId: string
}) {
  const job = useMediaJob(mediaJobId)
  useSettleChanged(order)
  useSeenNotices()
  const presets = usePresets().data ?? []
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Card as="section" labelledBy="work">
        <h2
          id="work"
          title={job.data?.name}
          className="mb-5 line-clamp-3 text-xl font-bold wrap-break-word"
        >
          {job.data?.name ?? 'Your edits'}
        </h2>
        {job.data === null && job.failure === null ? <Skeleton className="h-32" /> : null}
        <PullFailure pull={job} title="Unable to fetch your edits" className="mb-5" />
        {job.data === null ? null : <Work job={job.data} order={order} />}
      </Card>
      <div className="flex flex-col gap-4 lg:sticky lg:top-24">
        <OrderItems order={order} presets={presets} job={job.data} onChange={null} isCompact />
        <PaidLine order={order} job={job.data} />
        {order.hasPaidWalletCoinTransactions ? <ReceiptLink of="orders" id={order._id} /> : null}
        <LinkButton to={paths.edits} variant="secondary">
          View All Edits
        </LinkButton>
        {job.data === null ? null : <MoreEdits job={job.data} />}
        <LinkButton to={paths.newUpload} variant="quiet">
          Upload another video
        </LinkButton>
      </div>
    </div>
  )
}

function Work({ job, order }: { readonly job: MediaJob; readonly order: Order }) {
  const isOnline = useOnline()
  const state = jobState(job, order)
  const nowEpochMs = useNow(state.kind === 'in-progress' ? SECOND_MS : null)
  const isInQueue =
    state.kind === 'in-progress' && job.tasks.every(({ status }) => status === 'created')
  const forecast = useForecast(
    job._id,
    state.kind === 'in-progress' && job.estimatedCompletedAt === null,
  )
  return (
    <>
      <JobProgress
        job={job}
        order={order}
        nowEpochMs={nowEpochMs}
        expectedMs={forecast.remainingMs}
      />
      {isInQueue && forecast.editsAhead !== null ? (
        <p className="mt-3 font-medium" aria-live="polite">
          {placeWords(forecast.editsAhead)}
        </p>
      ) : null}
      {forecast.review === null ? null : (
        <p className="mt-3 text-sm text-ink-muted" aria-live="polite">
          {forecastWords(forecast, { isVideoThere: job.isUploadRequestValidated })}
        </p>
      )}
      {state.kind === 'in-progress' && job.isUploadRequestCompleted ? <MayLeave job={job} /> : null}
      {state.kind === 'failed' && state.why === 'upload' ? (
        <Notice kind="error" className="mt-4" title="This video could not be used.">
          Your tokens were returned to your wallet. Please upload another video.
        </Notice>
      ) : null}
      <div className="mt-6 border-t border-line pt-6">
        <TaskList job={job} isOnline={isOnline} />
      </div>
    </>
  )
}

/** Where the edits stand in the queue of the server. */
function placeWords(editsAhead: number): string {
  if (editsAhead === 0) return 'Your edits are next'
  return editsAhead === 1 ? '1 edit is before yours' : `${editsAhead} edits are before yours`
}

/** That the edits need no page any more, and how their owner hears of them. */
function MayLeave({ job }: { readonly job: MediaJob }) {
  const profile = useProfile().data
  const isDeviceTold = useDevicePushes()?.kind === 'on'
  const isMailSent = useCapabilities().data?.mail.mode === 'smtp'
  const states = job.tasks.map(({ review }) => review?.state)
  // The edit that waits says what to do itself.
  if (states.includes('waiting')) return null
  const [kind, what] = states.includes('searching')
    ? (['review-waits', 'when there is something to look at'] as const)
    : (['edits-ready', 'when they are ready'] as const)
  const isMailed = isMailSent && profile?.mailsOff?.includes(kind) !== true
  const isPushed = isDeviceTold && profile?.pushesOff?.includes(kind) !== true
  return (
    <>
      <p className="mt-3 text-sm text-ink-muted">
        {`You can close this page and switch this device off. ${hearingWords({ isMailed, isPushed }, what)}`}
      </p>
      <TellOnThisDevice what={what} />
    </>
  )
}

function hearingWords(
  { isMailed, isPushed }: { readonly isMailed: boolean; readonly isPushed: boolean },
  what: string,
): string {
  if (isPushed)
    return `${isMailed ? 'We send you a mail and tell' : 'We tell'} this device ${what}.`
  return isMailed ? `We send you a mail ${what}.` : 'Your library shows it.'
}

function PaidLine({ order, job }: { readonly order: Order; readonly job: MediaJob | null }) {
  const state = job === null ? null : paymentState(order, job)
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 px-1 text-sm font-medium text-good">
      Order is fully paid!
      {state === null ? null : (
        <Badge tone={state === 'Complete' ? 'good' : 'accent'}>{`Payment: ${state}`}</Badge>
      )}
    </p>
  )
}
