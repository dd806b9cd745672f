import { LengthDiffers } from './LengthDiffers.tsx'
import { OrderedEdits } from './OrderedEdits.tsx'
import { Payment, type PaymentProps } from './Payment.tsx'
import { useMissingEnds } from '#src/components/assets/MissingEnds.tsx'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { useOrderJob } from '#src/hooks/use-order.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/** An order that is to be paid: what is ordered beside the payment. The same on every checkout. */
export function OrderPayment({ order, fullText }: Omit<PaymentProps, 'missing'>) {
  const job = useOrderJob(order._id)
  const requests = job.kind === 'ready' ? job.value?.mediaJobTaskRequests : undefined
  const missing = useMissingEnds(requests ?? [])
  return (
    <>
      {job.kind === 'ready' && job.value !== null ? (
        <LengthDiffers order={order} uploadRequestId={job.value.uploadRequestId} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <OrderedEdits order={order} />
        {env.paymentsEnabled ? (
          <Payment order={order} fullText={fullText} missing={missing} />
        ) : (
          <NoPayments />
        )}
      </div>
    </>
  )
}

/** The build shows nothing to pay with (docs/product-decisions.md#payments-flag). */
function NoPayments() {
  return (
    <Notice
      title="This app takes no payments"
      action={
        <LinkButton to={paths.edits} variant="secondary">
          View All Edits
        </LinkButton>
      }
    />
  )
}
