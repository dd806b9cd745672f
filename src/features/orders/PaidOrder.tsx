import { OrderedEdits } from '#src/components/order/OrderedEdits.tsx'
import { OrderTransactions } from '#src/components/order/OrderTransactions.tsx'
import { ReceiptLink } from '#src/components/order/ReceiptLink.tsx'
import { paths } from '#src/config/paths.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { useSettleChanged } from '#src/hooks/orders/use-settle-changed.ts'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/** An order that asks for nothing more: how it was paid, and where its edits are. */
export function PaidOrder({ order }: { readonly order: Order }) {
  useSettleChanged(order)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <OrderedEdits order={order} />
      <Card as="section" labelledBy="payment" className="flex flex-col gap-4">
        <h2 id="payment" className="text-lg font-semibold">
          Payment
        </h2>
        <Notice kind="success" title="Order is fully paid!" />
        <OrderTransactions order={order} />
        {order.hasPaidWalletCoinTransactions ? <ReceiptLink of="orders" id={order._id} /> : null}
        <LinkButton to={paths.uploadCheckout(order._id)}>See the Progress</LinkButton>
        <LinkButton to={paths.edits} variant="secondary">
          View All Edits
        </LinkButton>
      </Card>
    </div>
  )
}
