import { useEffect } from 'react'
import { useUnsettledPayment, type Order } from './use-order.ts'
import { usePayOrder } from './use-pay-order.ts'

/**
 * Settles a payment whose answer was lost, once its order is known to be paid. Sent again under its
 * key, the payment gets its first answer, so that no open intent stays on this device.
 */
export function useSettlePaid(order: Pick<Order, '_id' | 'isFullyPaid'>): void {
  const unsettled = useUnsettledPayment(order._id)
  const { mutate } = usePayOrder()
  const isLeft = order.isFullyPaid && unsettled.kind === 'ready' && unsettled.value !== null
  useEffect(() => {
    if (isLeft) mutate({ kind: 'settle', orderId: order._id })
  }, [isLeft, mutate, order._id])
}
