import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { ReadCtx, WithUser } from '#server/context.ts'
import { deletionLog, uploadRequests } from '#server/db/schema.ts'

/** A line of the log of deletions, as its owner sees it. */
export interface StoredDeletion {
  readonly id: string
  /** Of the video or asset; null when its row is gone. */
  readonly name: string | null
  readonly what: 'video' | 'asset' | 'edits'
  readonly reason: 'owner' | 'rule' | 'retention' | 'report'
  readonly sizeBytes: number
  readonly begunAt: Date
  /** Null until the bytes are gone. */
  readonly doneAt: Date | null
}

const SHOWN_AT_MOST = 50

/**
 * What was deleted last of the user's files, the newest first. Pictures of a video, and what was
 * found in it, go with it and have no line of their own here.
 */
export async function readDeletions(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
): Promise<StoredDeletion[]> {
  const rows = await ctx.db
    .select({
      line: deletionLog,
      name: uploadRequests.clientFilename,
      purpose: uploadRequests.purpose,
    })
    .from(deletionLog)
    .leftJoin(uploadRequests, eq(uploadRequests.id, deletionLog.uploadRequestId))
    .where(
      and(
        eq(deletionLog.userId, ctx.user.id),
        inArray(deletionLog.what, ['source', 'results']),
        ne(deletionLog.reason, 'account'),
      ),
    )
    .orderBy(desc(deletionLog.begunAt), desc(deletionLog.id))
    .limit(SHOWN_AT_MOST)
  return rows.flatMap(({ line, name, purpose }) => {
    const { id, reason, sizeBytes, begunAt, doneAt } = line
    if (reason === 'account') return []
    const source = purpose === 'media-asset' ? 'asset' : 'video'
    const what = line.what === 'results' ? 'edits' : source
    return [{ id, name, what, reason, sizeBytes, begunAt, doneAt }]
  })
}
