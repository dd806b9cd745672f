import { useQuery } from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { PaymentIntentRow } from '#src/local/db/rows.ts'

export type Order = components['schemas']['Order']

/**
 * An unpaid order may get another price when its upload is complete, so an old price must not stand
 * above the Pay button for long.
 */
const UNPAID_POLL_MS = 10_000

/**
 * One order, looked at again while it is to be paid. A 404 is `failed` with `statusOf(failure) ===
 * 404`.
 */
export function useOrder(orderId: string): Shown<Order> {
  const key = `order:${orderId}`
  const find = async (db: AccountDb) => {
    const row = await db.orders.get(orderId)
    return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
  }
  const known = useLive(key, find)
  const isOpen = known.kind === 'ready' && known.value?.data.status === 'open'
  return usePulled(usePulls().order(orderId), {
    key,
    find,
    refetchInterval: () => (isOpen ? UNPAID_POLL_MS : false),
  })
}

/** The job of an order as this device knows it; also pulls the order's jobs. */
export function useOrderJob(orderId: string): Live<MediaJob | null> {
  useQuery(usePulls().orderMediaJobs(orderId))
  return useLive(`order-job:${orderId}`, async (db) => {
    const mediaJobId = (await db.orders.get(orderId))?.mediaJobId ?? null
    return mediaJobId === null ? null : ((await db.mediaJobs.get(mediaJobId))?.value ?? null)
  })
}

/**
 * A payment of this order that was sent and not answered; null when there is none. Survives a
 * reload. Until it is read nothing is paid: it may stand for the same tokens.
 */
export function useUnsettledPayment(orderId: string): Live<PaymentIntentRow | null> {
  return useLive(`payment:${orderId}`, async (db) => (await db.paymentIntents.get(orderId)) ?? null)
}
