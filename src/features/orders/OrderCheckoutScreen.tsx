import { useParams } from 'react-router'
import { PaidOrder } from './PaidOrder.tsx'
import { statusOf } from '#src/api/errors.ts'
import { CancelledOrder } from '#src/components/order/CancelledOrder.tsx'
import { Missing } from '#src/components/order/Missing.tsx'
import { OrderPayment } from '#src/components/order/OrderPayment.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useOrder, type Order } from '#src/hooks/orders/use-order.ts'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** `/orders/{id}/checkout`: the payment of an order outside of the flow that made it. */
export function OrderCheckoutScreen() {
  const { orderId = '' } = useParams()
  const order = useOrder(orderId)
  return (
    <Page title="Order & pay">
      <Checkout key={orderId} order={order} />
    </Page>
  )
}

function Checkout({ order }: { readonly order: Shown<Order> }) {
  const { data, failure } = order
  if (data === null && failure === null) return <Skeleton className="h-80" />
  if (data === null && failure !== null && statusOf(failure) === 404)
    return <Missing what="order" />
  return (
    <div className="flex flex-col gap-6">
      <PullFailure pull={order} title="Unable to fetch order" />
      {data === null ? null : <Known order={data} />}
    </div>
  )
}

function Known({ order }: { readonly order: Order }) {
  if (order.status === 'canceled') return <CancelledOrder order={order} />
  return order.isFullyPaid ? (
    <PaidOrder order={order} />
  ) : (
    <OrderPayment order={order} fullText="Pay with Credits" />
  )
}
