import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { env } from '#src/config/env.ts'
import { useIsUploaded } from '#src/features/upload/use-is-uploaded.ts'
import { useJobOrder, type JobOrder } from '#src/hooks/orders/use-job-order.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useMediaJob } from '#src/hooks/edits/use-media-job.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { useOutboxActions, type SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { useChangeChoice } from '#src/hooks/edits/use-change-choice.ts'
import { usePresets } from '#src/hooks/edits/use-presets.ts'
import { useSession } from '#src/hooks/account/use-session.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import { redoneTaskId } from '#src/local/edits/redo.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ChosenEdits } from './ChosenEdits.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import { SentFirst } from '#src/features/upload/first/SentFirst.tsx'
import {
  flowMove,
  flowState,
  orderTarget,
  type FlowFacts,
  type FlowState,
} from '#src/features/upload/flow-state.ts'
import { Missing } from '#src/components/order/Missing.tsx'
import { FULL_BAR_SHOWN_MS } from './preparation.ts'
import { PreparedOrder, PreparingOrder } from './PreparingOrder.tsx'

/** `/uploads/media-jobs/{id}/status`: the order in preparation; leads on to the payment. */
export function StatusStep({ mediaJobId }: { readonly mediaJobId: string }) {
  const job = useMediaJob(mediaJobId)
  const ordered = useJobOrder(mediaJobId)
  const facts = useStatusFacts(mediaJobId, job, ordered)
  const state = flowState(facts)
  const move = flowMove(facts)
  const uploadRequestId =
    facts.submission?.intent.uploadRequestId ?? job.data?.uploadRequestId ?? null
  const isUploaded = useIsUploaded(uploadRequestId)
  useMoveOn(
    move?.kind === 'checkout' ? move.orderId : null,
    state.view === 'prepared' ? FULL_BAR_SHOWN_MS : 0,
  )
  return (
    <FlowFrame step={state.step} isUploaded={isUploaded}>
      {isUploaded ? null : <SentFirst uploadRequestId={uploadRequestId} />}
      {state.view === 'missing' ? (
        <Missing what={state.what} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {state.view === 'reading' ? (
            <Reading job={job} ordered={ordered} />
          ) : (
            <Preparation state={state} />
          )}
          <Chosen state={state} job={job.data} />
        </div>
      )}
    </FlowFrame>
  )
}

/** Leads to the checkout of an order, once it is known. */
function useMoveOn(orderId: string | null, delayMs: number): void {
  const navigate = useNavigate()
  const session = useSession()
  const permissions = session.kind === 'signed-in' ? session.user.permissions : []
  const path = orderId === null ? null : orderTarget(orderId, permissions, env)
  const { clock } = useLocal()
  useEffect(() => {
    if (path === null) return undefined
    const moveOn = () => void navigate(path, { replace: true })
    if (delayMs === 0) {
      moveOn()
      return undefined
    }
    const left = new AbortController()
    clock.sleep(delayMs, left.signal).then(moveOn, () => undefined)
    return () => left.abort()
  }, [navigate, clock, path, delayMs])
}

function useStatusFacts(
  mediaJobId: string,
  job: Shown<MediaJob>,
  { submission, order }: JobOrder,
): FlowFacts {
  const [awaited, setAwaited] = useState<SubmissionRow | null>(null)
  const pending = submission ?? awaited
  if (pending !== awaited) setAwaited(pending)
  return {
    route: { kind: 'status', mediaJobId },
    submission,
    awaited,
    job: job.data ?? (isNotThere(job) ? null : undefined),
    order,
  }
}

/** Whether the server says so; any other failure leaves it open. */
function isNotThere({ failure }: Shown<unknown>): boolean {
  return failure !== null && statusOf(failure) === 404
}

/** What is not known yet, or could not be asked. */
function Reading({ job, ordered }: { readonly job: Shown<MediaJob>; readonly ordered: JobOrder }) {
  if (job.data === null && job.failure !== null)
    return <PullFailure pull={job} title="Unable to fetch your edits" />
  return ordered.pull.failure === null ? (
    // As high as the preparation on a phone, which comes before and after it.
    <Skeleton className="h-88 sm:h-80" />
  ) : (
    <PullFailure pull={ordered.pull} title="Unable to fetch media job orders" />
  )
}

function Preparation({ state }: { readonly state: FlowState }) {
  switch (state.view) {
    case 'preparing':
      return <PreparingOrder submission={state.submission} />
    case 'prepared':
      return <PreparedOrder submission={state.submission} />
    case 'no-order':
      return <NoOrder job={state.job} />
    default:
      return null
  }
}

/** The job is there and has no order. */
function NoOrder({ job }: { readonly job: MediaJob }) {
  const outbox = useOutboxActions()
  return (
    <Notice
      kind="error"
      title="There was a problem creating your order. Please try again."
      action={<Button onPress={() => void outbox?.order(job)}>Try again</Button>}
    >
      Your edits are kept.
    </Notice>
  )
}

interface StatusProps {
  readonly state: FlowState
  readonly job: MediaJob | null
}

/** The requested edits with the way back to the formats; nothing until they are known. */
function Chosen({ state, job }: StatusProps) {
  const presets = usePresets()
  const change = useChangeChoice()
  const submission = state.view === 'preparing' ? state.submission : null
  const requests = submission?.intent.requests ?? job?.mediaJobTaskRequests ?? []
  const uploadRequestId = job?.uploadRequestId ?? submission?.intent.uploadRequestId ?? null
  const upload = useUploadByRequestId(uploadRequestId)
  if (requests.length === 0 || uploadRequestId === null) return null
  const redoOfTaskId =
    (job === null ? null : redoneTaskId(job)) ?? submission?.intent.redoOfTaskId ?? null
  return (
    <ChosenEdits
      requests={requests}
      presets={presets.data ?? []}
      durationMs={upload?.probe?.durationMs ?? job?.videoDuration ?? null}
      isRedo={redoOfTaskId !== null}
      onChange={() =>
        void change({
          uploadRequestId,
          requests,
          redoOfTaskId,
          submissionId: submission?.id ?? null,
        })
      }
    />
  )
}
