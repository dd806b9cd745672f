import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'
import { beginCompletion, finishUpload } from './complete.ts'
import { lockUpload, planOf } from './find.ts'

/**
 * [Note: calls of the store] A call of a store may take seconds, so that no transaction waits for
 * one. The row says before the call what is asked for, and after it what came of it: an upload is
 * `opening` until the store has it, and `completing` until its file is one. A call that is made
 * again finds what the first one made. What a crash leaves between the two is ended here: an upload
 * of which no answer was given is forgotten, a file whose parts are all there is made.
 */
const LEFT_AFTER_MS = 60_000

/** Ends calls of the store that no process waits for any more. Harmless to repeat. */
export async function endLeftCalls(ctx: Ctx): Promise<void> {
  const left = await ctx.db
    .select()
    .from(uploadRequests)
    .where(
      and(
        isNotNull(uploadRequests.storeCall),
        lt(uploadRequests.storeCallAt, new Date(ctx.clock().getTime() - LEFT_AFTER_MS)),
        eq(uploadRequests.state, 'open'),
        isNull(uploadRequests.heldAt),
      ),
    )
  for (const upload of left)
    await (
      upload.storeCall === 'opening' ? forgetOpening(ctx, { upload }) : complete(ctx, upload)
    ).catch((error: unknown) =>
      ctx.log.error('uploads/store-call-left', error, { uploadRequestId: upload.id }),
    )
}

/** Forgets an upload that the store does not have yet; its device begins it again by its key. */
export async function forgetOpening(
  ctx: Pick<Ctx, 'db' | 'store'>,
  { upload }: { readonly upload: UploadRow },
): Promise<void> {
  const forgotten = await ctx.db
    .delete(uploadRequests)
    .where(and(eq(uploadRequests.id, upload.id), eq(uploadRequests.storeCall, 'opening')))
    .returning({ id: uploadRequests.id })
  if (forgotten.length > 0) await ctx.store.abortMultipart(planOf(upload), null)
}

/** What the sender claimed is not known any more; what the store has is what it would have sent. */
async function complete(ctx: Ctx, { id }: UploadRow): Promise<void> {
  const upload = await inTransaction(ctx, async (ctx) => {
    const locked = await lockUpload(ctx, id)
    return locked?.state === 'open' && locked.storeCall === 'completing' && locked.heldAt === null
      ? await beginCompletion(ctx, { upload: locked })
      : null
  })
  if (upload === null) return
  const parts = await ctx.store.listParts(planOf(upload), upload.storeUploadId)
  await finishUpload(ctx, { upload, parts }).catch((error: unknown) => {
    // It takes parts again, and its sender learns which.
    if (!(error instanceof Problem && error.code === 'uploads/parts-missing')) throw error
  })
}
