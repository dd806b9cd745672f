import { LengthDiffers } from './LengthDiffers.tsx'
import { OrderedEdits } from './OrderedEdits.tsx'
import { Payment, type PaymentProps } from './Payment.tsx'
import { useOrderJob } from '#src/hooks/use-order.ts'

/** An order that is to be paid: what is ordered beside the payment. The same on every checkout. */
export function OrderPayment({ order, fullText }: PaymentProps) {
  const job = useOrderJob(order._id)
  return (
    <>
      {job.kind === 'ready' && job.value !== null ? (
        <LengthDiffers order={order} uploadRequestId={job.value.uploadRequestId} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <OrderedEdits order={order} />
        <Payment order={order} fullText={fullText} />
      </div>
    </>
  )
}
