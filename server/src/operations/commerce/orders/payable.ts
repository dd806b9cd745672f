import type { TxCtx } from '#server/context.ts'
import type { JobRow, OrderRow } from '#server/db/rows.ts'
import { refuseSoundlessJob } from '#server/operations/media/media-jobs/refuse-soundless.ts'
import { refuseUnfitJob } from '#server/operations/media/media-jobs/refuse-unfit.ts'
import { refuseDead } from '#server/operations/media/uploads/refuse-dead.ts'
import { Problem } from '#server/problems.ts'
import { readOrder } from './facts.ts'
import { readJobUpload } from './find.ts'
import { lengthOf } from '#server/operations/media/uploads/length.ts'
import { orderTotals } from './totals.ts'

/** What is left to pay of an order, above 0, and words for the ledger. */
interface Payable {
  readonly remaining: number
  readonly description: string
}

/**
 * What may be paid of an order whose lock the caller holds. Refuses: `uploads/failed`,
 * `uploads/aborted`, `uploads/held`, `presets/needs-sound`, `presets/unfit-options`,
 * `orders/canceled`, `orders/metadata-pending`, `orders/already-paid`.
 */
export async function readPayable(
  ctx: TxCtx,
  { order, job }: { readonly order: OrderRow; readonly job: JobRow },
): Promise<Payable> {
  const upload = await readJobUpload(ctx, { mediaJobId: job.id })
  refuseDead(upload)
  await refuseSoundlessJob(ctx, { job })
  if (order.status === 'open') await refuseUnfitJob(ctx, { job, durationMs: lengthOf(upload) })
  if (order.status === 'canceled')
    throw new Problem(
      'orders/canceled',
      'This order was cancelled. Please choose your edits again.',
    )
  const { items, booked } = await readOrder(ctx, { row: order })
  // Its edits changed while the length of the video was unknown; the next `createOrder` prices
  // them.
  if (order.status === 'open' && items.length === 0)
    throw new Problem(
      'orders/metadata-pending',
      'Your video is still being measured. Please try again in a moment.',
      { retryAfterS: 3 },
    )
  const { remaining } = orderTotals(order.status, items, booked)
  if (order.status === 'paid' || remaining === 0)
    throw new Problem('orders/already-paid', 'This order is already paid.')
  return { remaining, description: describePayment(items) }
}

function describePayment(items: readonly { readonly description: string }[]): string {
  const [first, ...more] = items
  if (first === undefined) return 'Order'
  return more.length === 0 ? first.description : `${first.description} and ${more.length} more`
}
