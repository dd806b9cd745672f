/**
 * What a person chooses of a video: its edits and its sound. Orders that nothing is paid of follow
 * with their price, in the transaction of the choice.
 */
import type { TxCtx, UserCtx } from '#server/context.ts'
import { repriceOpenOrder } from '#server/operations/commerce/orders/create.ts'
import { createMediaJob } from '#server/operations/media/media-jobs/create.ts'
import { lockJobRow, readJobIds } from '#server/operations/media/media-jobs/lock.ts'
import { chooseUploadSound, type UploadSounds } from '#server/operations/media/uploads/sounds.ts'
import { Problem } from '#server/problems.ts'

/** Asks for edits of an upload, and prices the open order of a job that they change. */
export async function chooseEdits(
  ctx: UserCtx,
  body: Parameters<typeof createMediaJob>[1],
): ReturnType<typeof createMediaJob> {
  return await createMediaJob(ctx, body, reprice)
}

/** Stores which sound the edits of a video use, and prices its open orders by their new length. */
export async function chooseSound(
  ctx: UserCtx,
  choice: Parameters<typeof chooseUploadSound>[1],
): Promise<UploadSounds> {
  return await chooseUploadSound(ctx, choice, repriceOpenOrders)
}

/**
 * Prices the job's order again. A price that depends on a length that is not known yet comes with
 * the next `createOrder`; until then the order is empty.
 */
async function reprice(ctx: TxCtx, { mediaJobId }: { readonly mediaJobId: string }): Promise<void> {
  try {
    await repriceOpenOrder(ctx, { mediaJobId })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'orders/metadata-pending') throw error
  }
}

/**
 * Orders that nothing is paid of get the price of the length that they will have. The caller holds
 * the lock of the upload; follows [Note: lock order] in orders/find.ts.
 */
async function repriceOpenOrders(
  ctx: TxCtx,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<void> {
  for (const mediaJobId of await readJobIds(ctx, { uploadRequestId })) {
    await lockJobRow(ctx, { mediaJobId })
    await repriceOpenOrder(ctx, { mediaJobId })
  }
}
