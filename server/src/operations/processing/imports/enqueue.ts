import { and, asc, eq, isNull, lte, notInArray, or, lt } from 'drizzle-orm'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { uploadImports, uploadRequests } from '#server/db/schema.ts'
import { SILENT_MS } from '#server/operations/core/note-often.ts'
import { NEEDS_PERSON } from '#server/operations/media/uploads/import-facts.ts'

/** Queues an import; does nothing while a message of it waits. */
export async function enqueueImport(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  {
    uploadRequestId,
    startAfterS,
  }: { readonly uploadRequestId: string; readonly startAfterS?: number },
): Promise<void> {
  await ctx.queue.enqueue(
    ctx.db,
    'import-upload',
    { uploadRequestId },
    { singletonKey: uploadRequestId, ...(startAfterS === undefined ? {} : { startAfterS }) },
  )
}

/** Queues the imports that are due and that no process fetches: all, or the next of one account. */
export async function enqueueDueImports(
  ctx: Ctx,
  of: { readonly userId: string } | 'everyone',
): Promise<void> {
  const now = ctx.clock()
  const due = ctx.db
    .select({ uploadRequestId: uploadImports.uploadRequestId })
    .from(uploadImports)
    .innerJoin(uploadRequests, eq(uploadRequests.id, uploadImports.uploadRequestId))
    .where(
      and(
        eq(uploadRequests.state, 'open'),
        isNull(uploadRequests.heldAt),
        lte(uploadImports.nextAt, now),
        or(isNull(uploadImports.problem), notInArray(uploadImports.problem, [...NEEDS_PERSON])),
        or(
          isNull(uploadImports.seenAt),
          lt(uploadImports.seenAt, new Date(now.getTime() - SILENT_MS)),
        ),
        of === 'everyone' ? undefined : eq(uploadRequests.userId, of.userId),
      ),
    )
    .orderBy(asc(uploadImports.nextAt), asc(uploadImports.uploadRequestId))
  for (const message of of === 'everyone' ? await due : await due.limit(1))
    await inTransaction(ctx, async (ctx) => await enqueueImport(ctx, message))
}
