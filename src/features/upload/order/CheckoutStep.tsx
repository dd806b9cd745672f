import { statusOf } from '#src/api/errors.ts'
import { jobState } from '#src/local/db/job-state.ts'
import { CancelledOrder } from '#src/components/order/CancelledOrder.tsx'
import { Missing } from '#src/components/order/Missing.tsx'
import { OrderPayment } from '#src/components/order/OrderPayment.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { useIsUploaded } from '#src/features/upload/use-is-uploaded.ts'
import { useOrder, useOrderJob } from '#src/hooks/orders/use-order.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import { SentFirst } from '#src/features/upload/first/SentFirst.tsx'
import { flowState, type FlowState } from '#src/features/upload/flow-state.ts'
import { WorkProgress } from '#src/features/upload/work/WorkProgress.tsx'

/**
 * `/uploads/orders/{id}/checkout`: the payment, then the progress of the work on the same screen.
 */
export function CheckoutStep({ orderId }: { readonly orderId: string }) {
  const order = useOrder(orderId)
  const job = useOrderJob(orderId)
  const isMissing = order.data === null && order.failure !== null && statusOf(order.failure) === 404
  const state = flowState({
    route: { kind: 'checkout', orderId },
    submission: null,
    awaited: null,
    job: undefined,
    order: order.data ?? (isMissing ? null : undefined),
  })
  const uploadRequestId = job.kind === 'ready' ? (job.value?.uploadRequestId ?? null) : null
  const isUploaded = useIsUploaded(uploadRequestId)
  const isFinished =
    state.view === 'work' &&
    job.kind === 'ready' &&
    job.value !== null &&
    jobState(job.value, state.order).kind === 'completed'
  return (
    <FlowFrame
      step={state.step}
      isUploaded={isUploaded}
      {...(isFinished ? { title: 'Your edits are ready' } : {})}
    >
      {isUploaded || isFinished ? null : <SentFirst uploadRequestId={uploadRequestId} />}
      {state.view === 'reading' && order.failure !== null && !isMissing ? (
        <PullFailure pull={order} title="Unable to fetch order" />
      ) : (
        <Shown state={state} />
      )}
    </FlowFrame>
  )
}

function Shown({ state }: { readonly state: FlowState }) {
  switch (state.view) {
    case 'missing':
      return <Missing what="order" />
    case 'reading':
      return <Skeleton className="h-80" />
    case 'payment':
      return state.order.status === 'canceled' ? (
        <CancelledOrder order={state.order} />
      ) : (
        <OrderPayment order={state.order} fullText="Pay & Complete Order" />
      )
    case 'work':
      return state.order.mediaJobId === null ? (
        <Notice kind="success" title="Order is fully paid!" />
      ) : (
        <WorkProgress order={state.order} mediaJobId={state.order.mediaJobId} />
      )
    default:
      return null
  }
}
