import type { ReadCtx } from '#server/context.ts'
import { eq } from 'drizzle-orm'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaJobs, uploadRequests } from '#server/db/schema.ts'
import { held } from '#server/problems.ts'

/** Refuses a file that is held after a report, with `uploads/held` in neutral words. */
export function refuseHeld({ heldAt }: Pick<UploadRow, 'heldAt'>): void {
  if (heldAt !== null) throw held()
}

/** The same for what was made of it. */
export async function refuseHeldJob(
  ctx: Pick<ReadCtx, 'db'>,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const [upload] = await ctx.db
    .select({ heldAt: uploadRequests.heldAt })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(eq(mediaJobs.id, mediaJobId))
  if (upload !== undefined) refuseHeld(upload)
}
