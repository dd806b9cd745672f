import { useQuery } from '@tanstack/react-query'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'

/**
 * The order of a job for its card: from this device, pulled once when it is not known or not paid
 * yet. Null for no order.
 */
export function useKnownOrder(orderId: string | null): Live<Order | null> {
  const live = useLive(`known-order:${orderId ?? ''}`, async (db) =>
    orderId === null ? null : ((await db.orders.get(orderId))?.value ?? null),
  )
  const pull = usePulls().order(orderId ?? '')
  const isSettled = live.kind === 'ready' && live.value?.isFullyPaid === true
  useQuery({
    ...pull,
    enabled: pull.enabled === true && orderId !== null && live.kind === 'ready' && !isSettled,
  })
  return live
}
