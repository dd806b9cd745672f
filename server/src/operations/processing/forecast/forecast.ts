import { and, asc, eq, inArray } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import { mediaJobs, mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { refuseHeld } from '#server/operations/media/uploads/refuse-held.ts'
import { notFound } from '#server/problems.ts'
import { readOwnEdits, type OwnEdit } from './own-edits.ts'
import { readQueue } from './queue.ts'
import { simulateQueue, type EditForecast, type Queue, type QueuedEdit } from './simulate.ts'
import { readSpeeds } from '#server/operations/processing/speeds/speeds.ts'

/** What can be said of a job before its end; times are from now, or from when its video came. */
export interface Forecast {
  /**
   * Until its edits are ready. Null where nothing was learned of one of them, where one waits for
   * its owner or will, and when it has ended.
   */
  readonly remainingMs: number | null
  /** Edits that begin before its first one; null without a queue to be in, as once it has ended. */
  readonly editsAhead: number | null
  /** Null where no edit waits for its owner or will. */
  readonly review: ReviewForecast | null
}

/** What can be said where the owner looks at faces first; null where it is not known. */
interface ReviewForecast {
  /** Until there is something to look at; 0 where there is. */
  readonly inMs: number | null
  /** From then on until the edits with a review are ready, were each review to take no time. */
  readonly thenMs: number | null
  /** Until the edits without a review are ready; null also where there are none. */
  readonly othersMs: number | null
}

const NOTHING: Forecast = { remainingMs: null, editsAhead: null, review: null }

/**
 * When the edits of a job would be ready, paid or not, and how many go before. The time that their
 * owner takes for reviews is not counted. Refuses: `media-jobs/not-found`, `uploads/held`.
 */
export async function forecastJob(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<Forecast> {
  const [found] = await ctx.db
    .select({ job: mediaJobs, upload: uploadRequests })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobs.id, id), eq(mediaJobs.userId, ctx.user.id)))
  if (found === undefined) throw notFound('media-jobs/not-found')
  refuseHeld(found.upload)
  const tasks = await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(
      and(eq(mediaJobTasks.mediaJobId, id), inArray(mediaJobTasks.status, ['created', 'started'])),
    )
    .orderBy(asc(mediaJobTasks.position))
  const source = readStoredProbe(found.upload.probe)
  if (source === null || tasks.length === 0) return NOTHING
  const speeds = await readSpeeds(ctx)
  const queue = await readQueue(ctx, { speeds })
  if (queue === null) return NOTHING
  const all = await readOwnEdits(ctx, { ...found, source, tasks, speeds })
  const isPaid = found.job.workflowStartedAt !== null
  const inQueue = new Set([...queue.waiting, ...queue.running].map((edit) => edit.id))
  const own = all.filter(({ queued }) => !isPaid || queued === null || inQueue.has(queued.id))
  const ids = own.flatMap(partsOf).map((part) => part.id)
  const played = simulateQueue(isPaid ? joinReviewed(queue, own) : join(queue, own), new Set(ids))
  return ids.length === 0 || played === null ? NOTHING : sayOf(own, played)
}

/** The queue with the edits of a job that is not paid. */
function join(queue: Queue, own: readonly OwnEdit[]): Queue {
  return { ...queue, waiting: [...queue.waiting, ...own.flatMap(({ queued }) => queued ?? [])] }
}

/** The queue, which has the edits of a paid job, with what its owner's reviews let begin. */
function joinReviewed(queue: Queue, own: readonly OwnEdit[]): Queue {
  const followed = (edit: QueuedEdit): QueuedEdit => {
    const afterReview = own.find(({ queued }) => queued?.id === edit.id)?.reviewed ?? null
    return afterReview === null ? edit : { ...edit, afterReview }
  }
  const begins = own.flatMap(({ queued, reviewed }) => (queued === null ? (reviewed ?? []) : []))
  return {
    ...queue,
    waiting: [...queue.waiting.map(followed), ...begins],
    running: queue.running.map(followed),
  }
}

function partsOf({ queued, reviewed }: OwnEdit): QueuedEdit[] {
  return [queued ?? [], reviewed ?? []].flat()
}

function sayOf(own: readonly OwnEdit[], played: ReadonlyMap<string, EditForecast>): Forecast {
  const endS = (part: QueuedEdit | null): number => played.get(part?.id ?? '')?.endS ?? 0
  const places = own.flatMap(({ queued }) => played.get(queued?.id ?? '')?.editsAhead ?? [])
  const editsAhead = places.length === 0 ? null : Math.min(...places)
  const others = own.filter(({ reviewed }) => reviewed === null)
  const othersMs =
    others.length > 0 && others.every(({ isRenderKnown }) => isRenderKnown)
      ? toMs(Math.max(...others.map(({ queued }) => endS(queued))))
      : null
  const reviewed = own.filter((edit) => edit.reviewed !== null)
  if (reviewed.length === 0) return { remainingMs: othersMs, editsAhead, review: null }
  const inS = Math.min(...reviewed.map(({ queued }) => endS(queued)))
  const isSearchKnown = reviewed.every((edit) => edit.isSearchKnown)
  const isRenderKnown = isSearchKnown && reviewed.every((edit) => edit.isRenderKnown)
  const thenS = Math.max(...reviewed.map((edit) => endS(edit.reviewed))) - inS
  return {
    remainingMs: null,
    editsAhead,
    review: {
      inMs: isSearchKnown || inS === 0 ? toMs(inS) : null,
      thenMs: isRenderKnown ? toMs(thenS) : null,
      othersMs,
    },
  }
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}
