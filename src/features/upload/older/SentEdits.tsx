import { useEffect } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { useJobOrder } from '#src/hooks/orders/use-job-order.ts'
import { useUploadJob } from '#src/hooks/edits/use-media-job.ts'
import { useOutboxActions, type SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useSaveSelection } from '#src/hooks/edits/use-selection.ts'
import { useSession } from '#src/hooks/account/use-session.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { olderOrderTarget } from '#src/features/upload/flow-state.ts'
import { ChosenEdits } from '#src/features/upload/order/ChosenEdits.tsx'
import { PreparedOrder, PreparingOrder } from '#src/features/upload/order/PreparingOrder.tsx'
import { OrderingNeedsSubscription } from '#src/features/upload/OrderingNeedsSubscription.tsx'

export interface SentEditsProps {
  readonly uploadRequestId: string
  /** What the server has not fully accepted yet; null once it has. */
  readonly pending: SubmissionRow | null
  /** The submission that was shown before; null where the server was faster than the screen. */
  readonly seen: SubmissionRow | null
  /** The choice is shown again. */
  readonly onTakeBack: () => void
}

/** The order of the sent edits in preparation; leads on to its checkout (JOB-02). */
export function SentEdits({ uploadRequestId, pending, seen, onTakeBack }: SentEditsProps) {
  const presets = usePresets()
  const upload = useUploadByRequestId(uploadRequestId)
  const outbox = useOutboxActions()
  const save = useSaveSelection(uploadRequestId)
  const job = useUploadJob(uploadRequestId)
  if (pending === null) {
    const newestId = job.kind === 'ready' ? (job.value?._id ?? null) : null
    const mediaJobId = seen?.intent.mediaJobId ?? newestId
    return mediaJobId === null ? (
      <Skeleton className="h-96" />
    ) : (
      <LeadOn mediaJobId={mediaJobId} seen={seen} />
    )
  }
  const change = async () => {
    await save(pending.intent.requests)
    await outbox?.discard(pending.id)
    onTakeBack()
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <PreparingOrder submission={pending} />
      <ChosenEdits
        requests={pending.intent.requests}
        presets={presets.data ?? []}
        durationMs={upload?.probe?.durationMs ?? null}
        onChange={() => void change()}
      />
      {isUnsubscribed(pending) ? <OrderingNeedsSubscription /> : null}
    </div>
  )
}

function isUnsubscribed({ state }: SubmissionRow): boolean {
  return state.kind === 'refused' && state.code === 'auth/permission-missing'
}

/** Leads to the order of a job, once it is known. */
function LeadOn({
  mediaJobId,
  seen,
}: {
  readonly mediaJobId: string
  readonly seen: SubmissionRow | null
}) {
  const { order, pull } = useJobOrder(mediaJobId)
  const session = useSession()
  const navigate = useNavigate()
  const permissions = session.kind === 'signed-in' ? session.user.permissions : []
  const path =
    order === null || order === undefined ? null : olderOrderTarget(order._id, permissions, env)
  useEffect(() => {
    if (path !== null) void navigate(path, { replace: true })
  }, [navigate, path])
  // The status of the newer flow knows how to ask for an order again.
  if (order === null) return <Navigate to={paths.mediaJobStatus(mediaJobId)} replace />
  return (
    <>
      <PullFailure pull={pull} title="Unable to fetch media job orders" className="mb-6" />
      {seen === null ? <Skeleton className="h-96" /> : <PreparedOrder submission={seen} />}
    </>
  )
}
