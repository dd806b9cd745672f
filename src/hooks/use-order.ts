import { useQuery } from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import type { Shown } from './shown.ts'
import { useLive, type Live } from './use-live.ts'
import { usePulled, usePulls } from './use-pull.ts'
import type { MediaJob } from './use-media-jobs.ts'
import type { PaymentIntentRow } from '#src/local/db/rows.ts'

export type Order = components['schemas']['Order']

/** One order. A 404 is `failed` with `statusOf(failure) === 404`. */
export function useOrder(orderId: string): Shown<Order> {
  return usePulled(usePulls().order(orderId), {
    key: `order:${orderId}`,
    find: async (db) => {
      const row = await db.orders.get(orderId)
      return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
    },
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

/** A payment of this order that was sent and not answered; null value when there is none. Survives a reload. */
export function useUnsettledPayment(orderId: string): Live<PaymentIntentRow | null> {
  return useLive(`payment:${orderId}`, async (db) => (await db.paymentIntents.get(orderId)) ?? null)
}
