import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'

/** From this one on, the operator and the owner of the upload are told. */
const TOLD_FROM = 3

/** Whether the check of an upload takes longer than usual, because the machine fails at it. */
export function isCheckLate({
  state,
  checkFaults,
}: Pick<UploadRow, 'state' | 'checkFaults'>): boolean {
  return state === 'completed' && checkFaults >= TOLD_FROM
}

/** Counts that the machine failed at the check of an upload, which is tried again. */
export async function noteCheckFault(
  ctx: Pick<Ctx, 'db' | 'log'>,
  { uploadRequestId }: { readonly uploadRequestId: string },
  error: unknown,
): Promise<void> {
  const [noted] = await ctx.db
    .update(uploadRequests)
    .set({ checkFaults: sql`${uploadRequests.checkFaults} + 1` })
    .where(and(eq(uploadRequests.id, uploadRequestId), eq(uploadRequests.state, 'completed')))
    .returning({ faults: uploadRequests.checkFaults })
  if (noted !== undefined && noted.faults >= TOLD_FROM)
    ctx.log.error('upload-check-late', error, { uploadRequestId, faults: noted.faults })
}
