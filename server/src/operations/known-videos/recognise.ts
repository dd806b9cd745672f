import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import {
  certaintyOf,
  compareVideos,
  isSameVideo,
  MIN_COMPARED,
  type Agreement,
} from '#recipes/recognise.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Ctx, TxCtx } from '#server/context.ts'
import { knownVideos, reports, reportSteps } from '#server/db/schema.ts'
import { operatorCopyMail } from '#server/mail/report-mails.ts'
import { takeSpans } from '#server/media/picture-print.ts'
import { queueMail } from '#server/operations/mail/send.ts'
import { stopJob } from '#server/operations/reports/hold.ts'
import { recordStep } from '#server/operations/reports/steps.ts'

/** A video that a new one was made from, as far as their pictures say. */
export interface Recognised extends Agreement {
  readonly uploadRequestId: string
}

/** A checked video and a folder for what the look at it writes. */
interface Sitter {
  readonly path: string
  readonly probe: SourceProbe
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * The held or removed video that a new one was made from, by its pictures (docs/reports.md says how
 * surely); else null. Looks at the file only when there is such a video at all. Rejects with the
 * `ToolFault` of the machine and the reason of `signal`.
 */
export async function recognise(
  ctx: Pick<Ctx, 'db' | 'ffmpeg'>,
  { path, probe, folder, signal }: Sitter,
): Promise<Recognised | null> {
  const known = await nextKnown(ctx, null)
  if (known === undefined || ctx.ffmpeg === null) return null
  const spans = await takeSpans(ctx.ffmpeg, probe, { path, folder, signal })
  return await findAmong(ctx, { known, spans, signal })
}

/**
 * Whether an excerpt may be of a held or removed video: it is recognised, or shows too little to
 * tell. As `recognise`.
 * @param stretches where it has pictures of its own
 */
export async function mayBeKnown(
  ctx: Pick<Ctx, 'db' | 'ffmpeg'>,
  { path, probe, folder, signal }: Sitter,
  stretches: readonly Stretch[],
): Promise<boolean> {
  const known = await nextKnown(ctx, null)
  if (known === undefined || ctx.ffmpeg === null) return false
  const spans = await takeSpans(ctx.ffmpeg, probe, { path, folder, signal }, stretches)
  return spans.length < MIN_COMPARED || (await findAmong(ctx, { known, spans, signal })) !== null
}

type KnownVideo = NonNullable<Awaited<ReturnType<typeof nextKnown>>>

/** @param known the first of those that are compared */
async function findAmong(
  ctx: Pick<Ctx, 'db'>,
  {
    known: first,
    spans,
    signal,
  }: {
    readonly known: KnownVideo
    readonly spans: Awaited<ReturnType<typeof takeSpans>>
    readonly signal: AbortSignal
  },
): Promise<Recognised | null> {
  let known: KnownVideo | undefined = first
  while (known !== undefined) {
    const { uploadRequestId, pictures } = known
    const found = pictures && (await compareVideos(pictures, spans, () => pause(signal)))
    if (found !== null && isSameVideo(found)) return { ...found, uploadRequestId }
    known = await nextKnown(ctx, uploadRequestId)
  }
  return null
}

/** One at a time: an hour of video has half a megabyte. */
async function nextKnown({ db }: Pick<Ctx, 'db'>, after: string | null) {
  const [known] = await db
    .select()
    .from(knownVideos)
    .where(
      and(
        isNotNull(knownVideos.pictures),
        after === null ? undefined : gt(knownVideos.uploadRequestId, after),
      ),
    )
    .orderBy(asc(knownVideos.uploadRequestId))
    .limit(1)
  return known
}

async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

/**
 * Puts a recognised upload, which the caller has locked and marked as held, under the report of the
 * video that it was made from, stops its jobs and mails the operator.
 */
export async function reportRecognised(
  ctx: TxCtx,
  {
    uploadRequestId,
    mediaJobIds,
    recognised,
  }: {
    readonly uploadRequestId: string
    readonly mediaJobIds: readonly string[]
    readonly recognised: Recognised
  },
): Promise<void> {
  for (const mediaJobId of mediaJobIds) await stopJob(ctx, { mediaJobId })
  const [report] = await ctx.db
    .select({ id: reports.id, receiptNumber: reports.receiptNumber })
    .from(reportSteps)
    .innerJoin(reports, eq(reports.id, reportSteps.reportId))
    .where(
      and(
        eq(reportSteps.uploadRequestId, recognised.uploadRequestId),
        inArray(reportSteps.step, ['held', 'removed']),
      ),
    )
    .orderBy(desc(reportSteps.id))
    .limit(1)
  if (report === undefined) throw new Error('A known video that no report has held')
  const { compared, spans } = recognised
  const alike = certaintyOf(recognised)
  await recordStep(
    { ...ctx, actor: 'server' },
    {
      reportId: report.id,
      step: 'held',
      uploadRequestId,
      note: `looks like ${recognised.uploadRequestId}: ${Math.round(alike * 100)} % alike in ${compared} of ${spans} places`,
    },
  )
  ctx.log.info('upload-recognised', { uploadRequestId, alike, compared, spans })
  const { operatorMail } = ctx.settings
  if (operatorMail === null) ctx.log.warn('reports/no-operator-mail', { reportId: report.id })
  else await queueMail(ctx, operatorCopyMail(report, { to: operatorMail }))
}
