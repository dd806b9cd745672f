import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { useJobOrders, useMediaJob } from '#src/hooks/use-media-job.ts'
import { useOutboxActions, useSubmission } from '#src/hooks/use-outbox.ts'
import { usePresets } from '#src/hooks/use-presets.ts'
import { useSaveSelection } from '#src/hooks/use-selection.ts'
import { useUploadByRequestId } from '#src/hooks/use-upload.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ChosenEdits } from './ChosenEdits.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import { flowMove, flowState, type FlowFacts } from '#src/features/upload/flow-state.ts'
import { Missing } from '#src/features/upload/Missing.tsx'
import { PreparingOrder } from './PreparingOrder.tsx'

/**
 * `/uploads/media-jobs/{id}/status`: the order in preparation; goes on to the payment by itself.
 */
export function StatusStep({ mediaJobId }: { readonly mediaJobId: string }) {
  const navigate = useNavigate()
  const submission = useSubmission(mediaJobId)
  const job = useMediaJob(mediaJobId)
  const orders = useJobOrders(mediaJobId)
  const presets = usePresets()
  const outbox = useOutboxActions()
  const save = useSaveSelection(job.data?.uploadRequestId ?? '')
  const facts: FlowFacts = {
    route: { kind: 'status', mediaJobId },
    submission: submission.kind === 'ready' ? submission.value : undefined,
    job:
      job.data ??
      (job.status === 'failed' && job.failure !== null && statusOf(job.failure) === 404
        ? null
        : undefined),
    order:
      orders.data === null
        ? orders.status === 'failed'
          ? null
          : undefined
        : (orders.data.find((order) => order.status !== 'canceled') ?? null),
    isAnswered:
      !orders.isFetching && orders.status !== 'nothing-yet' && orders.status !== 'from-device',
  }
  const state = flowState(facts)
  const move = flowMove(facts)
  const orderId = move?.kind === 'checkout' ? move.orderId : null
  useEffect(() => {
    if (orderId !== null)
      void navigate(env.paymentsEnabled ? paths.uploadCheckout(orderId) : paths.edits, {
        replace: true,
      })
  }, [navigate, orderId])
  const requests =
    state.view === 'preparing'
      ? state.submission.intent.requests
      : (job.data?.mediaJobTaskRequests ?? [])
  const uploadRequestId =
    job.data?.uploadRequestId ??
    (state.view === 'preparing' ? state.submission.intent.uploadRequestId : null)
  const upload = useUploadByRequestId(uploadRequestId)
  const change = async (target: string) => {
    await save(requests)
    if (state.view === 'preparing') await outbox?.discard(state.submission.id)
    await navigate(paths.newMediaJob(target), { replace: true })
  }
  const again = () => {
    if (job.data !== null)
      void outbox?.submit({
        uploadId: null,
        uploadRequestId: job.data.uploadRequestId,
        requests: job.data.mediaJobTaskRequests,
        selectionKey: null,
      })
  }
  return (
    <FlowFrame step={state.step}>
      {state.view === 'missing' ? (
        <Missing what={state.what} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {state.view === 'preparing' ? (
            <PreparingOrder submission={state.submission} />
          ) : state.view === 'no-order' ? (
            <Notice
              kind="error"
              title="There was a problem creating your order. Please try again."
              action={<Button onPress={again}>Try again</Button>}
            >
              Nothing was charged and your edits are kept.
            </Notice>
          ) : (
            <Skeleton className="h-64" />
          )}
          {requests.length === 0 || uploadRequestId === null ? null : (
            <ChosenEdits
              requests={requests}
              presets={presets.data ?? []}
              durationMs={upload?.probe?.durationMs ?? job.data?.videoDuration ?? null}
              onChange={() => void change(uploadRequestId)}
            />
          )}
        </div>
      )}
    </FlowFrame>
  )
}
