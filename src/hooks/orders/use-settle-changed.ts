import { useEffect } from 'react'
import { useUnsettledPayment, type Order } from './use-order.ts'
import { usePayOrder } from './use-pay-order.ts'

/**
 * Settles a payment whose answer was lost, once another amount of its order is left to pay than
 * when it was sent: because of it, or because the order was changed. Sent again under its key, it
 * gets its first answer or is refused, so that it spends nothing, and no open intent stays on this
 * device.
 */
export function useSettleChanged(order: Pick<Order, '_id' | 'remainingPayableCoinAmount'>): void {
  const intent = useUnsettledPayment(order._id)
  const { mutate } = usePayOrder()
  const hasChanged =
    intent.kind === 'ready' &&
    intent.value !== null &&
    intent.value.remainingPayableCoinAmount !== order.remainingPayableCoinAmount
  useEffect(() => {
    if (hasChanged) mutate({ kind: 'settle', orderId: order._id })
  }, [hasChanged, mutate, order._id])
}
