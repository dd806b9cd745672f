import { and, eq } from 'drizzle-orm'
import type { Ctx, TxCtx } from '#server/context.ts'
import { uploadImports, uploadRequests } from '#server/db/schema.ts'
import { enqueueImport } from './enqueue.ts'
import { failImport } from './settle.ts'

/** Which connected drive. */
interface OfDrive {
  readonly externalAuthId: string
}

/** Goes on with the imports that waited until their drive lets the server in again. */
export async function resumeImportsOfDrive(ctx: TxCtx, { externalAuthId }: OfDrive): Promise<void> {
  const now = ctx.clock()
  const resumed = await ctx.db
    .update(uploadImports)
    .set({ problem: null, attempts: 0, nextAt: now, lastByteAt: now })
    .where(
      and(eq(uploadImports.externalAuthId, externalAuthId), eq(uploadImports.problem, 'sign-in')),
    )
    .returning({ uploadRequestId: uploadImports.uploadRequestId })
  for (const message of resumed) await enqueueImport(ctx, message)
}

/** Ends the imports of a drive that its owner disconnected. Repeating is harmless. */
export async function endImportsOfDrive(ctx: Ctx, { externalAuthId }: OfDrive): Promise<void> {
  const found = await ctx.db
    .select({ upload: uploadRequests })
    .from(uploadImports)
    .innerJoin(uploadRequests, eq(uploadRequests.id, uploadImports.uploadRequestId))
    .where(and(eq(uploadImports.externalAuthId, externalAuthId), eq(uploadRequests.state, 'open')))
  const failure = {
    message: 'Its Google Drive was disconnected. Connect it and choose the file again.',
  }
  for (const { upload } of found) await failImport(ctx, { upload, failure })
}
