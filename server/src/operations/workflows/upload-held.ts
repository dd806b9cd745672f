/**
 * A hold after a report ([Note: holds] in reports/hold.ts) and what it stops: the work on a video,
 * and the orders that wait for it.
 */
import { eq } from 'drizzle-orm'
import { inTransaction } from '#server/context.ts'
import { mediaJobs } from '#server/db/schema.ts'
import { failJob } from '#server/operations/commerce/fulfilment/task-ended.ts'
import { readOrder } from '#server/operations/commerce/orders/facts.ts'
import { lockLiveOrder, setOrderStatus } from '#server/operations/commerce/orders/find.ts'
import { hasBegunFromExcerpt } from '#server/operations/media/excerpts/begun.ts'
import { markHeld, type Act, type Outcome } from '#server/operations/media/reports/hold.ts'
import type { ReportsCtx, ReportsTx } from '#server/operations/media/reports/steps.ts'

const STOPPED =
  'This edit was stopped because the video had to be reviewed. Its tokens are back in your wallet.'

/** Holds a file and all that was made of it, and stops its work; repeating is harmless. */
export async function holdUpload(ctx: ReportsCtx, act: Act): Promise<Outcome> {
  return await inTransaction(ctx, async (ctx) => {
    const jobs = await markHeld(ctx, act)
    if (jobs === null) return 'not-there'
    for (const { id } of jobs) await stopJob(ctx, { mediaJobId: id })
    return 'done'
  })
}

/**
 * Ends what is paid and not finished of a locked job and gives its tokens back. An order that waits
 * for its video is cancelled with that; one for which nothing was paid stays as it is.
 */
export async function stopJob(
  ctx: Pick<ReportsTx, 'db' | 'clock' | 'newId'>,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const failure = { message: STOPPED, supportLog: null }
  const [job] = await ctx.db.select().from(mediaJobs).where(eq(mediaJobs.id, mediaJobId))
  if (job === undefined) return
  if (job.workflowStartedAt !== null || (await hasBegunFromExcerpt(ctx, mediaJobId))) {
    if (job.workflowEndedAt === null) await failJob(ctx, { mediaJobId, failure })
    return
  }
  const order = await lockLiveOrder(ctx, { mediaJobId })
  if (order === undefined) return
  const { booked } = await readOrder(ctx, { row: order })
  if (order.status === 'open' && booked.length === 0) return
  await failJob(ctx, { mediaJobId, failure })
  await setOrderStatus(ctx, { orderId: order.id, status: 'canceled' })
}
