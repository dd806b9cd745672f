import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import { driveSaves } from '#server/db/schema.ts'
import { noteOften } from '#server/operations/core/note-often.ts'
import { isOpenSave } from './enqueue.ts'

/** What is noted of a running save every two seconds, so that all devices see it move. */
export interface SaveProgress extends AsyncDisposable {
  /** Aborts when the save was cancelled, or its video held: nothing may be sent any more. */
  readonly ended: AbortSignal
  /** As far as the drive has confirmed. */
  onSaved(savedBytes: number): void
}

export function noteSaving(
  ctx: Ctx,
  { driveSaveId, savedBytes }: { readonly driveSaveId: string; readonly savedBytes: number },
): SaveProgress {
  const ended = new AbortController()
  let savedNow = savedBytes
  let hasNews = false
  const note = async (isRunning: boolean): Promise<void> => {
    const now = ctx.clock()
    const news = hasNews ? { lastByteAt: now, attempts: 0, problem: null } : {}
    hasNews = false
    const { rowCount } = await ctx.db
      .update(driveSaves)
      .set({ savedBytes: savedNow, seenAt: isRunning ? now : null, ...news })
      .where(and(eq(driveSaves.id, driveSaveId), isOpenSave(ctx)))
    if (rowCount === 0) ended.abort(new SaveEnded())
  }
  const notes = noteOften(note)
  return {
    ended: ended.signal,
    onSaved(bytes) {
      hasNews ||= bytes > savedNow
      savedNow = bytes
    },
    [Symbol.asyncDispose]: async () => await notes[Symbol.asyncDispose](),
  }
}

/** The save was cancelled, its file is gone, or its video is held. */
export class SaveEnded extends Error {
  override readonly name = 'SaveEnded'
}
