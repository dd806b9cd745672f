/**
 * What the owner of an edit decides of the faces that it covers.
 *
 * [Note: reviews] An edit that covers faces is searched first (`review_state` searching), then
 * waits for its owner without a time limit of a worker (waiting), and is rendered only after the
 * owner has ended the review (done). The decisions have a revision: a write names the one it was
 * made on, so that two devices do not overwrite each other. Ending the review names it too, so that
 * the edit is made by what its owner saw.
 */
import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, ne } from 'drizzle-orm'
import { coverOf } from '#recipes/face-cover/cover.ts'
import type { Cover, FaceFinding, FaceReview } from '#recipes/face-cover/types.ts'
import type { SourceProbe } from '#recipes/types.ts'
import {
  inTransaction,
  type ReadCtx,
  type TxCtx,
  type UserCtx,
  type WithUser,
} from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { TaskRow, UploadRow } from '#server/db/rows.ts'
import { faceReviews, mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { readDecisions } from '#server/media/stored-faces.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { readTasks, type TaskFacts } from '#server/operations/media/media-jobs/facts.ts'
import { enqueueTask } from '#server/operations/commerce/fulfilment/enqueue-task.ts'
import { lockJobRow } from '#server/operations/media/media-jobs/lock.ts'
import { reviewUntil } from '#server/operations/media/media-jobs/progress.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound, Problem } from '#server/problems.ts'
import { checkDecisions } from './check.ts'
import { reviewCopyKeyOf, stripKeyOf } from '#server/operations/media/storage/keys.ts'
import { readStoredFinding } from './search.ts'

/** A review with everything that its screen shows. */
export interface FaceReviewFacts {
  readonly taskId: string
  readonly state: 'searching' | 'waiting' | 'done'
  /** When the edit is cancelled unless the review is ended; null when it is not. */
  readonly until: Date | null
  readonly revision: number
  readonly decisions: FaceReview
  /** What was decided last for another edit of the same video; null when nothing was. */
  readonly earlier: FaceReview | null
  /** Null until the search has ended, and when the video was deleted. */
  readonly finding: FaceFinding | null
  readonly source: Pick<SourceProbe, 'durationMs' | 'width' | 'height'>
}

const NOTHING_DECIDED: FaceReview = { uncovered: [], added: [], wholly: [] }

/** One of the user's reviews. Refuses: `face-reviews/not-found`, `uploads/held`. */
export async function getFaceReview(
  ctx: UserCtx,
  { taskId }: { readonly taskId: string },
): Promise<FaceReviewFacts> {
  const found = await findReviewed(ctx, { taskId })
  const finding = await readStoredFinding(ctx, { uploadRequestId: found.upload.id })
  return await factsOf(ctx, found, finding)
}

/**
 * Replaces the decisions of a review; repeating the newest write changes nothing. Refuses:
 * `face-reviews/not-found`, `face-reviews/searching`, `face-reviews/finished`,
 * `face-reviews/changed`, `request/invalid` with the field, `uploads/held`.
 */
export async function saveFaceReview(
  ctx: UserCtx,
  input: {
    readonly taskId: string
    readonly basedOn: number
    readonly decisions: FaceReview
  },
): Promise<FaceReviewFacts> {
  const { taskId, basedOn, decisions } = input
  return await inTransaction(ctx, async (ctx) => {
    const found = await lockReviewed(ctx, { taskId })
    const finding = await readStoredFinding(ctx, { uploadRequestId: found.upload.id })
    if (finding === null || found.task.reviewState === 'searching') throw searching()
    const stored = await readReview(ctx, { taskId })
    if (stored.revision === basedOn + 1 && isDeepStrictEqual(stored.decisions, decisions))
      return await factsOf(ctx, found, finding)
    if (found.task.reviewState === 'done' || found.task.status !== 'created') throw finished()
    if (stored.revision !== basedOn) throw changed()
    checkDecisions(decisions, { finding, durationMs: found.source.durationMs })
    const row = { revision: basedOn + 1, decisions, savedAt: ctx.clock() }
    await ctx.db
      .insert(faceReviews)
      .values({ taskId, ...row })
      .onConflictDoUpdate({ target: faceReviews.taskId, set: row })
    return await factsOf(ctx, found, finding)
  })
}

/**
 * Ends a review and queues the edit, once; repeating changes nothing. Refuses:
 * `face-reviews/not-found`, `face-reviews/searching`, `face-reviews/finished`,
 * `face-reviews/changed`, `uploads/held`.
 */
export async function finishFaceReview(
  ctx: UserCtx,
  { taskId, basedOn }: { readonly taskId: string; readonly basedOn: number },
): Promise<TaskFacts> {
  return await inTransaction(ctx, async (ctx) => {
    const { task } = await lockReviewed(ctx, { taskId })
    if (task.reviewState === 'searching') throw searching()
    const { revision } = await readReview(ctx, { taskId })
    if (task.reviewState === 'done' && revision === basedOn)
      return onlyRow(await readTasks(ctx, { tasks: [task] }))
    if (task.reviewState === 'done' || task.status !== 'created') throw finished()
    if (revision !== basedOn) throw changed()
    const tasks = await ctx.db
      .update(mediaJobTasks)
      .set({ reviewState: 'done' })
      .where(eq(mediaJobTasks.id, taskId))
      .returning()
    await enqueueTask(ctx, { taskId })
    return onlyRow(await readTasks(ctx, { tasks }))
  })
}

/** What an edit covers by its ended review. Throws when there is no finding. */
export async function readCover(
  ctx: Pick<ReadCtx, 'db'>,
  { task, upload }: { readonly task: TaskRow; readonly upload: UploadRow },
): Promise<Cover> {
  const finding = await readStoredFinding(ctx, { uploadRequestId: upload.id })
  if (finding === null || task.reviewState !== 'done')
    throw new Error('An edit that covers faces was not reviewed')
  const { decisions } = await readReview(ctx, { taskId: task.id })
  return coverOf(finding, decisions)
}

/** A file that a review shows; `tag` changes with its contents. */
interface ReviewFile {
  readonly objectKey: string
  readonly contentType: string
  readonly tag: string
}

/** Where the copy for a review is kept. Refuses: `face-reviews/not-found`, `uploads/held`. */
export async function findReviewCopy(
  ctx: UserCtx,
  { taskId }: { readonly taskId: string },
): Promise<ReviewFile> {
  const { upload } = await findReviewed(ctx, { taskId })
  return {
    objectKey: reviewCopyKeyOf(upload.id),
    contentType: 'video/mp4',
    tag: `${upload.id}-copy`,
  }
}

/** Where the strip of a track is kept. Refuses: `face-reviews/not-found`, `uploads/held`. */
export async function findFaceStrip(
  ctx: UserCtx,
  { taskId, trackId }: { readonly taskId: string; readonly trackId: string },
): Promise<ReviewFile> {
  const { upload } = await findReviewed(ctx, { taskId })
  return {
    objectKey: stripKeyOf(upload.id, trackId),
    contentType: 'image/jpeg',
    tag: `${upload.id}-${trackId}`,
  }
}

interface Reviewed {
  readonly task: TaskRow & { readonly reviewState: FaceReviewFacts['state'] }
  readonly upload: UploadRow
  readonly source: FaceReviewFacts['source']
}

async function findReviewed(
  ctx: Pick<ReadCtx, 'db'> & WithUser,
  { taskId }: { readonly taskId: string },
): Promise<Reviewed> {
  const [found] = await ctx.db
    .select({ task: mediaJobTasks, upload: uploadRequests })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobTasks.id, taskId), eq(mediaJobs.userId, ctx.user.id)))
  if (found === undefined) throw notFound('face-reviews/not-found')
  refuseHeld(found.upload)
  const { task, upload } = found
  const { reviewState } = task
  const source = readStoredProbe(upload.probe)
  if (reviewState === null || source === null) throw notFound('face-reviews/not-found')
  return { task: { ...task, reviewState }, upload, source }
}

/** The same under the lock of its job, which workers take too. */
async function lockReviewed(
  ctx: TxCtx & WithUser,
  { taskId }: { readonly taskId: string },
): Promise<Reviewed> {
  const { task } = await findReviewed(ctx, { taskId })
  await lockJobRow(ctx, { mediaJobId: task.mediaJobId })
  return await findReviewed(ctx, { taskId })
}

async function readReview(
  ctx: Pick<ReadCtx, 'db'>,
  { taskId }: { readonly taskId: string },
): Promise<{ readonly revision: number; readonly decisions: FaceReview }> {
  const [row] = await ctx.db.select().from(faceReviews).where(eq(faceReviews.taskId, taskId))
  return row === undefined
    ? { revision: 0, decisions: NOTHING_DECIDED }
    : { revision: row.revision, decisions: readDecisions(row.decisions) }
}

/** All edits of a video are reviewed on the same finding, so that decisions of one fit others. */
async function readEarlier(
  ctx: Pick<ReadCtx, 'db'>,
  { task, upload }: Reviewed,
): Promise<FaceReview | null> {
  const [row] = await ctx.db
    .select({ decisions: faceReviews.decisions })
    .from(faceReviews)
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, faceReviews.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(and(eq(mediaJobs.uploadRequestId, upload.id), ne(mediaJobTasks.id, task.id)))
    .orderBy(desc(faceReviews.savedAt))
    .limit(1)
  return row === undefined ? null : readDecisions(row.decisions)
}

async function factsOf(
  ctx: Pick<ReadCtx, 'db' | 'settings'>,
  reviewed: Reviewed,
  finding: FaceFinding | null,
): Promise<FaceReviewFacts> {
  const { task, source } = reviewed
  const { id: taskId, reviewState: state } = task
  const { durationMs, width, height } = source
  return {
    taskId,
    state,
    until: reviewUntil(ctx, task),
    finding,
    source: { durationMs, width, height },
    earlier: await readEarlier(ctx, reviewed),
    ...(await readReview(ctx, { taskId })),
  }
}

function searching(): Problem {
  return new Problem(
    'face-reviews/searching',
    'The server is still searching for faces. Please wait until it has finished.',
  )
}

function finished(): Problem {
  return new Problem(
    'face-reviews/finished',
    'The review of this edit has ended, so it cannot be changed any more.',
  )
}

function changed(): Problem {
  return new Problem(
    'face-reviews/changed',
    'This review was changed on another device or in another tab. Look at the newest version and decide again.',
  )
}
