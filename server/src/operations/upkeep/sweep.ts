import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNotNull, isNull, lt, max, notExists, or } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import {
  idempotentAnswers,
  magicLinks,
  mails,
  mediaAssets,
  mediaJobs,
  rateEvents,
  sessions,
  spentChallenges,
  uploadParts,
  uploadRequests,
} from '#server/db/schema.ts'
import { markAborted, removeBytes } from '#server/operations/uploads/abort.ts'
import { failJob } from '#server/operations/tasks/fail.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Decision 4.2: counted from the last part, or from the beginning when none came. */
const UNFINISHED_UPLOAD_MS = 7 * DAY_MS
/** Mails that went into the local mailbox, and the fact that one was sent, are kept this long. */
const MAIL_KEPT_MS = 30 * DAY_MS
/** So long a device may still ask for an upload that was given up, and hear that it was. */
const ABORTED_UPLOAD_KEPT_MS = 30 * DAY_MS

/** Removes what nobody needs any more. Harmless to repeat and to run beside everything else. */
export async function sweep(deps: Deps): Promise<void> {
  const now = deps.clock().getTime()
  await reapUploads(deps, new Date(now - UNFINISHED_UPLOAD_MS))
  await removeBytesOfAborted(deps)
  await forgetAborted(deps, new Date(now - ABORTED_UPLOAD_KEPT_MS))
  await deps.db.delete(mails).where(lt(mails.createdAt, new Date(now - MAIL_KEPT_MS)))
  await deps.store.removeOrphans(new Date(now - DAY_MS), async (uploadId) => {
    const [row] = await deps.db
      .select({ state: uploadRequests.state })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, uploadId))
    return row?.state === 'open'
  })
  await removeOldScratch(deps, now - 2 * DAY_MS)
  await deps.db.delete(rateEvents).where(lt(rateEvents.at, new Date(now - DAY_MS)))
  await deps.db.delete(spentChallenges).where(lt(spentChallenges.expiresAt, new Date(now)))
  await deps.db.delete(magicLinks).where(lt(magicLinks.expiresAt, new Date(now - DAY_MS)))
  await deps.db.delete(sessions).where(lt(sessions.expiresAt, new Date(now)))
  await deps.db
    .delete(idempotentAnswers)
    .where(lt(idempotentAnswers.createdAt, new Date(now - 7 * DAY_MS)))
}

async function reapUploads(deps: Deps, before: Date): Promise<void> {
  const old = await deps.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.state, 'open'), lt(uploadRequests.createdAt, before)))
  for (const { id } of old) {
    const reaped = await deps.db.transaction(async (tx) => {
      const [upload] = await tx
        .select()
        .from(uploadRequests)
        .where(eq(uploadRequests.id, id))
        .for('update')
      const [last] = await tx
        .select({ at: max(uploadParts.storedAt) })
        .from(uploadParts)
        .where(eq(uploadParts.uploadRequestId, id))
      if (upload?.state !== 'open' || (last?.at ?? upload.createdAt) >= before) return null
      await markAborted(tx, upload, { evenIfUsed: true })
      const waiting = await tx
        .select({ id: mediaJobs.id })
        .from(mediaJobs)
        .where(eq(mediaJobs.uploadRequestId, id))
        .orderBy(mediaJobs.id)
      for (const job of waiting)
        await failJob(tx, deps, job.id, {
          message: 'The video did not arrive within 7 days. Please upload it again.',
          supportLog: null,
        })
      return upload
    })
    if (reaped === null) continue
    await removeBytes(deps, reaped)
    deps.log.info('upload-reaped', { uploadRequestId: id })
  }
}

/**
 * A crash may have come between giving a whole file up and deleting it; nothing else would ever
 * look at it again.
 */
async function removeBytesOfAborted(deps: Deps): Promise<void> {
  const aborted = await deps.db
    .select()
    .from(uploadRequests)
    .where(and(eq(uploadRequests.state, 'aborted'), isNotNull(uploadRequests.uploadEndedAt)))
  for (const upload of aborted)
    if ((await deps.store.head(upload.objectKey)) !== null) await removeBytes(deps, upload)
}

/**
 * Rows of uploads that were given up and that nothing refers to. Their bytes are gone:
 * `removeBytesOfAborted` came first.
 */
async function forgetAborted(deps: Deps, before: Date): Promise<void> {
  await deps.db
    .delete(uploadRequests)
    .where(
      and(
        eq(uploadRequests.state, 'aborted'),
        lt(uploadRequests.createdAt, before),
        or(isNull(uploadRequests.uploadEndedAt), lt(uploadRequests.uploadEndedAt, before)),
        notExists(
          deps.db.select().from(mediaJobs).where(eq(mediaJobs.uploadRequestId, uploadRequests.id)),
        ),
        notExists(
          deps.db
            .select()
            .from(mediaAssets)
            .where(eq(mediaAssets.uploadRequestId, uploadRequests.id)),
        ),
      ),
    )
}

/** Folders of attempts that no process cleaned up; a live one is touched by what it writes. */
async function removeOldScratch(deps: Deps, beforeMs: number): Promise<void> {
  const scratch = join(deps.settings.dataDir, 'scratch')
  for (const name of await readdir(scratch).catch(() => [])) {
    const path = join(scratch, name)
    const touched = await stat(path).then(
      (facts) => facts.mtimeMs,
      () => Infinity,
    )
    if (touched < beforeMs) await rm(path, { recursive: true, force: true })
  }
}
