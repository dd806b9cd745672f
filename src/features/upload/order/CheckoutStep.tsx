import { useNavigate } from 'react-router'
import { statusOf } from '#src/api/errors.ts'
import { jobState } from '#src/components/job-state.ts'
import { paths } from '#src/config/paths.ts'
import { PullFailure } from '#src/components/PullFailure.tsx'
import { useMediaJob } from '#src/hooks/use-media-job.ts'
import { useOrder, useOrderJob, type Order } from '#src/hooks/use-order.ts'
import { usePresets, type Preset } from '#src/hooks/use-presets.ts'
import { useSaveSelection } from '#src/hooks/use-selection.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { FlowFrame } from '#src/features/upload/FlowFrame.tsx'
import { flowState, type FlowState } from '#src/features/upload/flow-state.ts'
import { LengthDiffers } from './LengthDiffers.tsx'
import { Missing } from '#src/features/upload/Missing.tsx'
import { OrderItems } from './OrderItems.tsx'
import { Payment } from './Payment.tsx'
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
  const isFinished =
    state.view === 'work' &&
    job.kind === 'ready' &&
    job.value !== null &&
    jobState(job.value, state.order).kind === 'completed'
  return (
    <FlowFrame step={state.step} {...(isFinished ? { title: 'Your edits are ready' } : {})}>
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
        <Cancelled order={state.order} />
      ) : (
        <ToPay order={state.order} />
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

function ToPay({ order }: { readonly order: Order }) {
  const job = useOrderJob(order._id)
  return (
    <>
      {job.kind === 'ready' && job.value !== null ? (
        <LengthDiffers order={order} uploadRequestId={job.value.uploadRequestId} />
      ) : null}
      <Payment order={order} items={<Items order={order} />} />
    </>
  )
}

function Cancelled({ order }: { readonly order: Order }) {
  return (
    <Notice
      title="This order was cancelled"
      {...(order.mediaJobId === null
        ? {}
        : { action: <ChooseAgain mediaJobId={order.mediaJobId} /> })}
    >
      You will not be charged anything more. The tokens you paid are back in your wallet.
    </Notice>
  )
}

function ChooseAgain({ mediaJobId }: { readonly mediaJobId: string }) {
  const job = useMediaJob(mediaJobId).data
  return job === null ? null : (
    <LinkButton to={paths.newMediaJob(job.uploadRequestId)} variant="secondary">
      Choose edits again
    </LinkButton>
  )
}

function Items({ order }: { readonly order: Order }) {
  const presets = usePresets().data ?? []
  return order.mediaJobId === null ? (
    <OrderItems order={order} presets={presets} requests={[]} onChange={null} />
  ) : (
    <JobItems order={order} presets={presets} mediaJobId={order.mediaJobId} />
  )
}

function JobItems({
  order,
  presets,
  mediaJobId,
}: {
  readonly order: Order
  readonly presets: readonly Preset[]
  readonly mediaJobId: string
}) {
  const navigate = useNavigate()
  const job = useMediaJob(mediaJobId).data
  const save = useSaveSelection(job?.uploadRequestId ?? '')
  const change =
    job === null
      ? null
      : async () => {
          await save(job.mediaJobTaskRequests)
          // Replaces the checkout, which follows again after Submit, so that Back finds it once.
          await navigate(paths.newMediaJob(job.uploadRequestId), { replace: true })
        }
  return (
    <OrderItems
      order={order}
      presets={presets}
      requests={job?.mediaJobTaskRequests ?? []}
      onChange={change === null ? null : () => void change()}
    />
  )
}
