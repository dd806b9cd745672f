import { and, eq, isNotNull, isNull, lt, max, notExists, or, sql } from 'drizzle-orm'
import { KEEP_UNFINISHED_DAYS } from '#server/budgets.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import {
  idempotentAnswers,
  leases,
  magicLinks,
  mails,
  mediaAssets,
  mediaJobs,
  oauthStates,
  paymentEvents,
  rateEvents,
  securityEvents,
  sessions,
  spentChallenges,
  uploadParts,
  uploadRequests,
  workers,
} from '#server/db/schema.ts'
import { SECURITY_EVENT_DAYS } from '#server/db/security-log.ts'
import { dropExcerpts } from '#server/operations/media/excerpts/drop.ts'
import { revokeDisconnected } from '#server/operations/accounts/external-auths/disconnect.ts'
import { sweepAssets } from '#server/operations/media/media-assets/delete.ts'
import { sendNotices } from '#server/operations/accounts/notices/send.ts'
import { dropOldPushes } from '#server/operations/accounts/pushes/deliver.ts'
import { learnMusicTracks } from '#server/operations/core/music-tracks/learn.ts'
import { dropOldSamples } from '#server/operations/processing/samples/make.ts'
import { dropEndedSegments } from '#server/operations/processing/tasks/segments.ts'
import { removeLeftScratch } from './scratch.ts'
import { sweepStorage } from './storage.ts'
import { markAborted, removeBytes } from '#server/operations/media/uploads/abort.ts'
import { failJobsOf } from '#server/operations/commerce/fulfilment/task-ended.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Mails that went into the local mailbox, and the fact that one was sent, are kept this long. */
const MAIL_KEPT_MS = 30 * DAY_MS
/** Far longer than a provider repeats a notice. */
const PAYMENT_EVENT_KEPT_MS = 90 * DAY_MS
/** For this long, a device that asks for a given-up upload learns that it was given up. */
const ABORTED_UPLOAD_KEPT_MS = 30 * DAY_MS

/** Removes what is no longer needed. Harmless to repeat and to run beside everything else. */
export async function sweep(ctx: Ctx): Promise<void> {
  const now = ctx.clock().getTime()
  await reapUploads(ctx, new Date(now - KEEP_UNFINISHED_DAYS * DAY_MS))
  await dropExcerpts(ctx)
  await dropOldSamples(ctx)
  await removeBytesOfAborted(ctx)
  await dropEndedSegments(ctx)
  await sweepStorage(ctx)
  await sweepAssets(ctx)
  await sendNotices(ctx)
  await dropOldPushes(ctx)
  await learnMusicTracks(ctx)
  await forgetAborted(ctx, new Date(now - ABORTED_UPLOAD_KEPT_MS))
  await ctx.db.delete(mails).where(lt(mails.createdAt, new Date(now - MAIL_KEPT_MS)))
  await ctx.store.removeOrphans(new Date(now - DAY_MS), async (uploadId) => {
    const [row] = await ctx.db
      .select({ state: uploadRequests.state })
      .from(uploadRequests)
      .where(eq(uploadRequests.id, uploadId))
    // A check that found damage may have crashed after it had moved the file of a complete upload.
    return row?.state === 'open' || row?.state === 'completed'
  })
  await removeLeftScratch(ctx)
  // By the database's clock, as they are written: a holder is certain of its loss by then.
  await ctx.db.delete(leases).where(lt(leases.expiresAt, sql`now() - interval '1 hour'`))
  await ctx.db.delete(workers).where(lt(workers.heartbeatAt, sql`now() - interval '1 hour'`))
  await ctx.db.delete(rateEvents).where(lt(rateEvents.at, new Date(now - DAY_MS)))
  await ctx.db.delete(spentChallenges).where(lt(spentChallenges.expiresAt, new Date(now)))
  await ctx.db.delete(magicLinks).where(lt(magicLinks.expiresAt, new Date(now - DAY_MS)))
  await ctx.db
    .delete(securityEvents)
    .where(lt(securityEvents.at, new Date(now - SECURITY_EVENT_DAYS * DAY_MS)))
  await ctx.db.delete(oauthStates).where(lt(oauthStates.expiresAt, new Date(now)))
  await revokeDisconnected(ctx)
  await ctx.db.delete(sessions).where(lt(sessions.expiresAt, new Date(now)))
  await ctx.db
    .delete(paymentEvents)
    .where(lt(paymentEvents.settledAt, new Date(now - PAYMENT_EVENT_KEPT_MS)))
  await ctx.db
    .delete(idempotentAnswers)
    .where(lt(idempotentAnswers.createdAt, new Date(now - 7 * DAY_MS)))
}

/** The time counts from the last part, or the beginning, or from when it was opened again. */
async function reapUploads(ctx: Ctx, before: Date): Promise<void> {
  const old = await ctx.db
    .select({ id: uploadRequests.id })
    .from(uploadRequests)
    .where(
      and(
        eq(uploadRequests.state, 'open'),
        isNull(uploadRequests.heldAt),
        lt(uploadRequests.createdAt, before),
      ),
    )
  for (const { id } of old) {
    const reaped = await inTransaction(ctx, async (ctx) => {
      const [upload] = await ctx.db
        .select()
        .from(uploadRequests)
        .where(eq(uploadRequests.id, id))
        .for('update')
      const [last] = await ctx.db
        .select({ at: max(uploadParts.storedAt) })
        .from(uploadParts)
        .where(eq(uploadParts.uploadRequestId, id))
      if (upload?.state !== 'open' || upload.heldAt !== null) return null
      if ((last?.at ?? upload.createdAt) >= before) return null
      if (upload.reopenedAt !== null && upload.reopenedAt >= before) return null
      // Also when a job waits for it: after this long no more bytes come.
      await markAborted(ctx, { upload })
      await failJobsOf(ctx, {
        uploadRequestId: id,
        message: `The video did not arrive within ${KEEP_UNFINISHED_DAYS} days. Please upload it again.`,
      })
      return upload
    })
    if (reaped === null) continue
    await tryToRemove(ctx, reaped, async () => await removeBytes(ctx, { upload: reaped }))
    ctx.log.info('upload-reaped', { uploadRequestId: id })
  }
}

/**
 * A crash between giving up an upload and deleting its bytes leaves them behind, and so does a disk
 * that cannot delete; only this finds them.
 */
async function removeBytesOfAborted(ctx: Ctx): Promise<void> {
  const left = await ctx.db
    .select()
    .from(uploadRequests)
    .where(and(eq(uploadRequests.state, 'aborted'), isNull(uploadRequests.bytesGoneAt)))
  for (const upload of left)
    await tryToRemove(ctx, upload, async () => await removeBytes(ctx, { upload }))
}

/** A file that cannot be deleted does not keep the sweep from all that follows. */
async function tryToRemove(
  ctx: Pick<Ctx, 'log'>,
  { id: uploadRequestId }: UploadRow,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove()
  } catch (error) {
    ctx.log.error('storage/not-deleted', error, { uploadRequestId })
  }
}

/** Rows of uploads that were given up and that nothing refers to, once their bytes are gone. */
async function forgetAborted(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db
    .delete(uploadRequests)
    .where(
      and(
        eq(uploadRequests.state, 'aborted'),
        isNotNull(uploadRequests.bytesGoneAt),
        lt(uploadRequests.createdAt, before),
        or(isNull(uploadRequests.uploadEndedAt), lt(uploadRequests.uploadEndedAt, before)),
        notExists(
          ctx.db.select().from(mediaJobs).where(eq(mediaJobs.uploadRequestId, uploadRequests.id)),
        ),
        notExists(
          ctx.db
            .select()
            .from(mediaAssets)
            .where(eq(mediaAssets.uploadRequestId, uploadRequests.id)),
        ),
      ),
    )
}
