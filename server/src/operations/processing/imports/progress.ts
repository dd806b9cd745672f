import { and, eq, exists, isNull } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { uploadImports, uploadRequests } from '#server/db/schema.ts'
import { noteOften } from '#server/operations/core/note-often.ts'

/** What is noted of a running import every two seconds, so that all devices see it move. */
export interface ImportProgress extends AsyncDisposable {
  /** Aborts when the upload was given up, or held: nothing may be fetched for it any more. */
  readonly ended: AbortSignal
  onBytes(bytes: number): void
  /** They came in an earlier try: no sign that the host works. */
  onHeld(bytes: number): void
  /** A part is stored: its bytes are counted by its row from now on. */
  onStored(bytes: number): void
}

export function noteProgress(
  ctx: Ctx,
  { uploadRequestId }: { readonly uploadRequestId: string },
): ImportProgress {
  const ended = new AbortController()
  let partialBytes = 0
  let hasNews = false
  const note = async (isRunning: boolean): Promise<void> => {
    const now = ctx.clock()
    const news = hasNews ? { lastByteAt: now, attempts: 0, problem: null } : {}
    hasNews = false
    const { rowCount } = await ctx.db
      .update(uploadImports)
      .set({
        partialBytes: isRunning ? Math.max(0, partialBytes) : 0,
        seenAt: isRunning ? now : null,
        ...news,
      })
      .where(and(eq(uploadImports.uploadRequestId, uploadRequestId), isOpen(ctx)))
    if (rowCount === 0) ended.abort(new ImportEnded())
  }
  const notes = noteOften(note)
  return {
    ended: ended.signal,
    onBytes(bytes) {
      partialBytes += bytes
      hasNews = true
    },
    onHeld(bytes) {
      partialBytes += bytes
    },
    onStored(bytes) {
      partialBytes -= bytes
    },
    [Symbol.asyncDispose]: async () => await notes[Symbol.asyncDispose](),
  }
}

/** The upload takes no bytes any more: it was given up, failed, or is held. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded'
}

function isOpen({ db }: Pick<Ctx, 'db'>) {
  return exists(
    db
      .select({ id: uploadRequests.id })
      .from(uploadRequests)
      .where(
        and(
          eq(uploadRequests.id, uploadImports.uploadRequestId),
          eq(uploadRequests.state, 'open'),
          isNull(uploadRequests.heldAt),
        ),
      ),
  )
}
