import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { PullFailure } from '#src/components/PullFailure.tsx'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import type { Shown } from '#src/hooks/shown.ts'
import { useJobOrders, useMediaJob } from '#src/hooks/use-media-job.ts'
import type { MediaJob } from '#src/hooks/use-media-jobs.ts'
import type { Order } from '#src/hooks/use-order.ts'
import { useOutboxActions, useSubmission } from '#src/hooks/use-outbox.ts'
import { usePresets } from '#src/hooks/use-presets.ts'
import { useSaveSelection } from '#src/hooks/use-selection.ts'
import { useUploadByRequestId } from '#src/hooks/use-upload.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ChosenEdits } from './ChosenEdits.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import {
  flowMove,
  flowState,
  type FlowFacts,
  type FlowState,
} from '#src/features/upload/flow-state.ts'
import { Missing } from '#src/features/upload/Missing.tsx'
import { PreparingOrder } from './PreparingOrder.tsx'

/** `/uploads/media-jobs/{id}/status`: the order in preparation; leads on to the payment. */
export function StatusStep({ mediaJobId }: { readonly mediaJobId: string }) {
  const navigate = useNavigate()
  const job = useMediaJob(mediaJobId)
  const orders = useJobOrders(mediaJobId)
  const facts = useStatusFacts(mediaJobId, job, orders)
  const state = flowState(facts)
  const move = flowMove(facts)
  const orderId = move?.kind === 'checkout' ? move.orderId : null
  useEffect(() => {
    if (orderId !== null)
      void navigate(env.paymentsEnabled ? paths.uploadCheckout(orderId) : paths.edits, {
        replace: true,
      })
  }, [navigate, orderId])
  return (
    <FlowFrame step={state.step}>
      {state.view === 'missing' ? (
        <Missing what={state.what} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {state.view === 'reading' ? (
            <Reading job={job} orders={orders} />
          ) : (
            <Preparation state={state} job={job.data} />
          )}
          <Chosen state={state} job={job.data} />
        </div>
      )}
    </FlowFrame>
  )
}

function useStatusFacts(
  mediaJobId: string,
  job: Shown<MediaJob>,
  orders: Shown<readonly Order[]>,
): FlowFacts {
  const submission = useSubmission(mediaJobId)
  const noOrder = isNotThere(orders) ? null : undefined
  return {
    route: { kind: 'status', mediaJobId },
    submission: submission.kind === 'ready' ? submission.value : undefined,
    job: job.data ?? (isNotThere(job) ? null : undefined),
    order: orders.data === null ? noOrder : (orders.data.find(isOpenOrPaid) ?? null),
    isAnswered:
      !orders.isFetching && orders.status !== 'nothing-yet' && orders.status !== 'from-device',
  }
}

function isOpenOrPaid({ status }: Order): boolean {
  return status !== 'canceled'
}

/** Whether the server says so; any other failure leaves it open. */
function isNotThere({ failure }: Shown<unknown>): boolean {
  return failure !== null && statusOf(failure) === 404
}

/** What is not known yet, or could not be asked. */
function Reading({
  job,
  orders,
}: {
  readonly job: Shown<MediaJob>
  readonly orders: Shown<readonly Order[]>
}) {
  const failed = [job, orders].find(({ data, failure }) => data === null && failure !== null)
  return failed === undefined ? (
    <Skeleton className="h-64" />
  ) : (
    <PullFailure
      pull={failed}
      title={failed === orders ? 'Unable to fetch media job orders' : 'Unable to fetch your edits'}
    />
  )
}

interface StatusProps {
  readonly state: FlowState
  readonly job: MediaJob | null
}

function Preparation({ state, job }: StatusProps) {
  const outbox = useOutboxActions()
  if (state.view === 'preparing') return <PreparingOrder submission={state.submission} />
  if (state.view !== 'no-order') return null
  const again = () => {
    if (job !== null)
      void outbox?.submit({
        uploadId: null,
        uploadRequestId: job.uploadRequestId,
        requests: job.mediaJobTaskRequests,
        selectionKey: null,
      })
  }
  return (
    <Notice
      kind="error"
      title="There was a problem creating your order. Please try again."
      action={<Button onPress={again}>Try again</Button>}
    >
      Nothing was charged and your edits are kept.
    </Notice>
  )
}

/** The requested edits with the way back to the formats; nothing until they are known. */
function Chosen({ state, job }: StatusProps) {
  const navigate = useNavigate()
  const presets = usePresets()
  const outbox = useOutboxActions()
  const save = useSaveSelection(job?.uploadRequestId ?? '')
  const submission = state.view === 'preparing' ? state.submission : null
  const requests = submission?.intent.requests ?? job?.mediaJobTaskRequests ?? []
  const uploadRequestId = job?.uploadRequestId ?? submission?.intent.uploadRequestId ?? null
  const upload = useUploadByRequestId(uploadRequestId)
  if (requests.length === 0 || uploadRequestId === null) return null
  const change = async () => {
    await save(requests)
    if (submission !== null) await outbox?.discard(submission.id)
    await navigate(paths.newMediaJob(uploadRequestId), { replace: true })
  }
  return (
    <ChosenEdits
      requests={requests}
      presets={presets.data ?? []}
      durationMs={upload?.probe?.durationMs ?? job?.videoDuration ?? null}
      onChange={() => void change()}
    />
  )
}
