import { useState } from 'react'
import { LengthDiffers } from './LengthDiffers.tsx'
import { OrderedEdits } from './OrderedEdits.tsx'
import { Payment, type PaymentProps } from './Payment.tsx'
import { useMissingEnds } from '#src/components/assets/MissingEnds.tsx'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { useOrderJob } from '#src/hooks/orders/use-order.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useMatches } from '#src/ui/use-matches.ts'
import { PayBarPlace } from './pay-bar-place.ts'

/** Below Tailwind's `lg`: the payment stands below what is ordered. */
const ONE_COLUMN = '(width < 64rem)'

/** An order that is to be paid: what is ordered beside the payment. The same on every checkout. */
export function OrderPayment({ order, fullText }: Omit<PaymentProps, 'missing'>) {
  const job = useOrderJob(order._id)
  const requests = job.kind === 'ready' ? job.value?.mediaJobTaskRequests : undefined
  const missing = useMissingEnds(requests ?? [])
  const isOneColumn = useMatches(ONE_COLUMN)
  const [barPlace, setBarPlace] = useState<HTMLElement | null>(null)
  return (
    // What the bar at the end ends, so that it sticks beside all of it.
    <div>
      {job.kind === 'ready' && job.value !== null ? (
        <LengthDiffers order={order} uploadRequestId={job.value.uploadRequestId} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <OrderedEdits order={order} />
        {env.paymentsEnabled ? (
          <PayBarPlace value={barPlace}>
            <Payment order={order} fullText={fullText} missing={missing} />
          </PayBarPlace>
        ) : (
          <NoPayments />
        )}
      </div>
      {isOneColumn ? <div ref={setBarPlace} className="contents" /> : null}
    </div>
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
